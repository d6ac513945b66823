// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/sources.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_idx(Bytes bytes) {
  if (bytes.size() < 2) return {};
  constexpr std::uint64_t unpacked_limit = 1 << 22;
  const std::string_view all = as_text(bytes.subspan(2));
  const std::string_view labels = all.substr(0, bytes[0] | static_cast<std::size_t>(bytes[1]) << 8),
                         rest = all.substr(labels.size());
  std::string images(rest);
  if (is_gzip(rest)) {
    auto unpacked = gunzip(rest, "images", unpacked_limit);
    if (!unpacked) return {};
    if (unpacked->size() > unpacked_limit) return {true, "unpacks beyond its limit"};
    images = *std::move(unpacked);
  }
  const auto set = parse_idx(images, "images", labels, "labels");
  if (!set) return {};
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>((*set)->bytes()));
  if (!(*set)->pixels((*set)->size() - 1, pixels)) return {true, "the last image cannot be had"};
  if ((*set)->block().size() != pixels.size() * static_cast<std::size_t>((*set)->size()))
    return {true, "pixels and labels are not equally many"};
  return {true, {}};
}
