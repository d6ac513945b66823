// SPDX-License-Identifier: Apache-2.0
// Some memory that is kept for the moment in which there is no more.
#pragma once

namespace nw {

/// Keeps 1 MiB aside, which the first allocation of the process that finds no memory gives back to the heap before it
/// tries once more; without a reserve such an allocation throws std::bad_alloc. So a destructor that allocates, as
/// that of JSON values does, finds some while an exception passes it, instead of ending the process. Called first by
/// main(), and again by what goes on after a lack of memory. Any thread; never throws.
void keep_memory_reserve() noexcept;

}  // namespace nw
