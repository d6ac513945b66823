// SPDX-License-Identifier: Apache-2.0
// From the choice of data to opened sets, by way of the cache.
#pragma once
#include "engine/core/files.hpp"
#include "engine/data/dataset.hpp"
#include "engine/design/choice.hpp"

namespace nw {

/// Opens what the choice names. `data_dir` (--data) wins over choice.path; then NETWRIGHT_DATA, then the user's data
/// folder; mnist and cifar without any place fall back to synthetic only when `allow_synthetic`.
Result<OpenedData> open_data(const DataChoice&, const fs::path& data_dir, bool allow_synthetic,
                             bool* fell_back = nullptr);

}  // namespace nw
