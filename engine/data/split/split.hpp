// SPDX-License-Identifier: Apache-2.0
// The split of a data set into training, validation and test samples.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/data/dataset.hpp"
#include "engine/design/choice.hpp"
#include "engine/design/data_facts.hpp"

namespace nw {

/// Indices of the three splits; training and validation index OpenedData::train, test indexes OpenedData::test (or
/// train when there is no test set). Seeded, stratified if requested; the same on every machine. Excluded samples are
/// removed from the splits after the division, so that all others keep their splits.
struct Splits {
  std::vector<std::int64_t> train, validation, test;
  bool test_from_train = false;
};
Result<Splits> split_data(const OpenedData&, const DataChoice&);
/// The excluded samples of a set, determined by their names; in ascending order.
std::vector<std::int64_t> excluded_of(const Dataset&, bool test_set, const DataChoice&);
/// XXH3 over the split of each sample; a run detects a changed split by it.
std::uint64_t split_hash(const Splits&);
/// The properties of the opened and split data that compiler and window need.
DataFacts facts_of(const OpenedData&, const Splits&, const DataChoice&);

}  // namespace nw
