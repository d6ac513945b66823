// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nw::test {

/// The number of calls of operator new in this program.
int allocations();

}  // namespace nw::test
