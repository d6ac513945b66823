// SPDX-License-Identifier: Apache-2.0
// Which samples train, validate and test.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/data/dataset.hpp"
#include "engine/design/choice.hpp"
#include "engine/design/data_facts.hpp"

namespace nw {

/// Indices of the three splits; training and validation index OpenedData::train, test indexes OpenedData::test (or
/// train when there is no test set). Seeded, stratified if asked; the same on every machine. What is excluded is taken
/// out of the parts after they were made, so all others stay where they were.
struct Splits {
  std::vector<std::int64_t> train, validation, test;
  bool test_from_train = false;
};
Result<Splits> split_data(const OpenedData&, const DataChoice&);
/// Which of a set's samples the choice excludes, by their names; in rising order.
std::vector<std::int64_t> excluded_of(const Dataset&, bool test_set, const DataChoice&);
/// XXH3 over the split of each sample, by which a run detects a changed split.
std::uint64_t split_hash(const Splits&);
/// What compile and the window need to know of the data once it is open and split.
DataFacts facts_of(const OpenedData&, const Splits&, const DataChoice&);

}  // namespace nw
