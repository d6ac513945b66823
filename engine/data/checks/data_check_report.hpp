// SPDX-License-Identifier: Apache-2.0
// What a look at the data found, for those who print it, send it and act on it.
#pragma once
#include "engine/core/json.hpp"
#include "engine/data/checks/data_check.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"

namespace nw {

/// Training, validation and test as a training sees them: without what is excluded.
std::vector<CheckedSplit> checked_splits(const OpenedData&, const Splits&);
/// The training and the test set whole.
std::vector<CheckedSplit> checked_splits(const OpenedData&);

/// How people and projects name the sample (sample_name()).
std::string name_of(const CheckedSample&, const std::vector<CheckedSplit>&);
/// What can go so that the defect is none: of the same images all but one, which is a test image where there is one, so
/// that the measure stays; all where labels differ, for nobody knows which is right; the blank ones. In the defect's
/// order.
std::vector<CheckedSample> superfluous(const Defect&, const std::vector<CheckedSplit>&);

/// {kind, samples: [{split, index, test_set, origin, name, label, redundant}], across_splits, labels_differ,
/// similarity?, split?, class?, channel?}
Json to_json(const Defect&, const std::vector<CheckedSplit>&);
/// {kind: "unreadable" or "wrong size", test_set, file, name, reason, reason_text?: {source, args}}
Json to_json(const SkippedFile&);

}  // namespace nw
