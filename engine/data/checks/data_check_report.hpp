// SPDX-License-Identifier: Apache-2.0
// The result of a data check in a form for printing, JSON and excluding samples.
#pragma once
#include "engine/core/json.hpp"
#include "engine/data/checks/data_check.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"

namespace nw {

/// Training, validation and test splits without the excluded samples.
std::vector<CheckedSplit> checked_splits(const OpenedData&, const Splits&);
/// The whole training set and the whole test set.
std::vector<CheckedSplit> checked_splits(const OpenedData&);

/// The sample's name in projects and messages (sample_name()).
std::string name_of(const CheckedSample&, const std::vector<CheckedSplit>&);
/// The samples whose exclusion removes the defect, in the defect's order. Equal images: all but one; a test image is
/// retained if there is one, so that the test result stays comparable. Different labels: all, because the correct label
/// is unknown. Blank images: all.
std::vector<CheckedSample> superfluous(const Defect&, const std::vector<CheckedSplit>&);

/// {kind, samples: [{split, index, test_set, origin, name, label, redundant}], across_splits, labels_differ,
/// similarity?, split?, class?, channel?}
Json to_json(const Defect&, const std::vector<CheckedSplit>&);
/// {kind: "unreadable" or "wrong size", test_set, file, name, reason, reason_text?: {source, args}}
Json to_json(const SkippedFile&);

}  // namespace nw
