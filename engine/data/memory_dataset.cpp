// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "engine/data/sources.hpp"

namespace nw {

Status MemoryDataset::pixels(std::int64_t i, std::span<std::uint8_t> hwc) const {
  const auto bytes = static_cast<std::size_t>(this->bytes());
  assert(i >= 0 && i < size() && hwc.size() == bytes);
  std::memcpy(hwc.data(), pixels_.data() + static_cast<std::size_t>(i) * bytes, bytes);
  return {};
}

std::string MemoryDataset::origin(std::int64_t i) const {
  if (origins_.size() == labels_.size()) return origins_[static_cast<std::size_t>(i)];
  return (origins_.empty() ? std::string("image") : origins_[0]) + ", image " + std::to_string(i);
}

}  // namespace nw
