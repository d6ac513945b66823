// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "engine/data/sources.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  nw::MemoryDataset set(3, 32, 32);
  const nw::Status read = nw::parse_cifar({reinterpret_cast<const char*>(data), size}, "batch", set);
  if (!read) return 0;
  if (set.block().size() != 3072u * static_cast<std::size_t>(set.size())) std::abort();
  for (std::int64_t i = 0; i < set.size(); ++i)
    if (set.label(i) < 0 || set.label(i) > 9) std::abort();
  return 0;
}
