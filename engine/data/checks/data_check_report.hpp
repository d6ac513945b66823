// SPDX-License-Identifier: Apache-2.0
// The result of a data check, for printing, sending and excluding.
#pragma once
#include "engine/core/json.hpp"
#include "engine/data/checks/data_check.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"

namespace nw {

/// Training, validation and test splits without the excluded samples.
std::vector<CheckedSplit> checked_splits(const OpenedData&, const Splits&);
/// The training and the test set whole.
std::vector<CheckedSplit> checked_splits(const OpenedData&);

/// The sample's name in projects and messages (sample_name()).
std::string name_of(const CheckedSample&, const std::vector<CheckedSplit>&);
/// What can go so that the defect is none: of the same images all but one, which is a test image where there is one, so
/// that the measure stays; all where labels differ, for nobody knows which is right; the blank ones. In the defect's
/// order.
std::vector<CheckedSample> superfluous(const Defect&, const std::vector<CheckedSplit>&);

/// {kind, samples: [{part, index, test_set, origin, name, label, superfluous}], across, contradicts, likeness?, part?,
/// class?, channel?}
Json to_json(const Defect&, const std::vector<CheckedSplit>&);
/// {kind: "unreadable" or "wrong size", test_set, file, name, why}
Json to_json(const SkippedFile&);

}  // namespace nw
