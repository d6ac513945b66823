// SPDX-License-Identifier: Apache-2.0
// Input: two bytes, the length of the labels file; that file; the images file, as it is or in gzip.
#include <cstdlib>

#include "engine/data/sources.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view all(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::string_view labels = all.substr(0, data[0] | data[1] << 8), rest = all.substr(labels.size());
  std::string images(rest);
  if (nw::is_gzip(rest)) {
    auto unpacked = nw::gunzip(rest, "images", 1 << 22);
    if (!unpacked) return 0;
    images = *std::move(unpacked);
  }
  const auto set = nw::parse_idx(images, "images", labels, "labels");
  if (!set) return 0;
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>((*set)->bytes()));
  if (!(*set)->pixels((*set)->size() - 1, pixels)) std::abort();
  if ((*set)->block().size() != pixels.size() * static_cast<std::size_t>((*set)->size())) std::abort();
  return 0;
}
