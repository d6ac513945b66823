// SPDX-License-Identifier: Apache-2.0
// Whether a sanitizer is in the build: tests that take minutes there play a part, which says why.
#pragma once

namespace nw::test {

#ifdef NW_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace nw::test
