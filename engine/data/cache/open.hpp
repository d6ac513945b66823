// SPDX-License-Identifier: Apache-2.0
// Opens the chosen data set, using the data cache.
#pragma once
#include "engine/core/files.hpp"
#include "engine/data/dataset.hpp"
#include "engine/design/choice.hpp"

namespace nw {

/// Opens the chosen data set. `data_dir` (--data) takes precedence over choice.path, then NETWRIGHT_DATA, then the
/// user's data folder. If mnist or cifar is not found, synthetic data is used, but only if `allow_synthetic`.
Result<OpenedData> open_data(const DataChoice&, const fs::path& data_dir, bool allow_synthetic,
                             bool* fell_back = nullptr);

}  // namespace nw
