// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "engine/data/sources/sources.hpp"

namespace nw {

Status MemoryDataset::pixels(std::int64_t i, std::span<std::uint8_t> hwc) const {
  const auto bytes = static_cast<std::size_t>(this->bytes());
  assert(i >= 0 && i < size() && hwc.size() == bytes);
  std::memcpy(hwc.data(), pixels_.data() + static_cast<std::size_t>(i) * bytes, bytes);
  return {};
}

std::string MemoryDataset::origin(std::int64_t i) const { return origin_among(origins_, size(), i); }

std::string origin_among(const std::vector<std::string>& origins, std::int64_t samples, std::int64_t i) {
  if (static_cast<std::int64_t>(origins.size()) == samples) return origins[static_cast<std::size_t>(i)];
  return (origins.empty() ? std::string("image") : origins[0]) + ", image " + std::to_string(i);
}

}  // namespace nw
