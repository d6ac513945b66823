// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/sources.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_cifar(Bytes bytes) {
  MemoryDataset set(3, 32, 32);
  if (!parse_cifar(as_text(bytes), "batch", set)) return {};
  if (set.block().size() != 3072u * static_cast<std::size_t>(set.size()))
    return {true, "pixels and labels are not equally many"};
  for (std::int64_t i = 0; i < set.size(); ++i)
    if (set.label(i) < 0 || set.label(i) > 9) return {true, "a label is no class"};
  return {true, {}};
}
