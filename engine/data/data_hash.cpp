// SPDX-License-Identifier: Apache-2.0
#include "engine/data/data_hash.hpp"

#include <string>
#include <vector>

#include "engine/core/files.hpp"

namespace nw {

Result<std::uint64_t> data_hash(const OpenedData& data) {
  std::string digest;
  for (const auto& set : {data.train, data.test}) {
    if (!set) continue;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(set->bytes()));
    std::string sums;
    for (std::int64_t i = 0; i < set->size(); ++i) {
      NW_TRY(set->pixels(i, pixels));
      const std::uint64_t h = xxh3({reinterpret_cast<const char*>(pixels.data()), pixels.size()}) ^
                              (static_cast<std::uint64_t>(set->label(i)) * 0x9E3779B97F4A7C15u);
      sums.append(reinterpret_cast<const char*>(&h), sizeof h);
      const std::span<const float> targets = set->targets(i);
      sums.append(reinterpret_cast<const char*>(targets.data()), targets.size_bytes());
    }
    digest += hex(xxh3(sums)) + ":" + std::to_string(set->size()) + ":" + std::to_string(set->bytes()) + ";";
  }
  return xxh3(digest);
}

}  // namespace nw
