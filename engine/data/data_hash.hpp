// SPDX-License-Identifier: Apache-2.0
// A hash that changes when a data set changes.
#pragma once
#include <cstdint>

#include "engine/data/dataset.hpp"

namespace nw {

/// XXH3 over sizes, labels and pixels of the samples used; a run detects changed data by it.
Result<std::uint64_t> data_hash(const OpenedData&);

}  // namespace nw
