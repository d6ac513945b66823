// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "engine/data/sources/sources.hpp"

namespace nw {

/// The bytes of both files; `where` names them in messages. Errc::bad_input: not such arrays.
Result<std::shared_ptr<MemoryDataset>> parse_npy_set(std::string_view images, std::string_view labels,
                                                     const std::string& where);
Result<OpenedData> open_npy(const fs::path& folder);

}  // namespace nw
