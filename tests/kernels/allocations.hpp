// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nw::test {

/// How often this program has asked for memory with operator new.
int allocations();

}  // namespace nw::test
