// SPDX-License-Identifier: Apache-2.0
// Properties of the data that a document trains on.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/design/choice.hpp"

namespace nw {

/// Properties of the data that a document trains on; known once its source was opened. Zeros: unknown.
struct DataFacts {
  std::int64_t channels = 0, height = 0, width = 0;
  std::int64_t classes = 0;  // number of classes, labels or numeric targets: the network has one output for each
  TargetKind targets = TargetKind::classes;
  std::int64_t train = 0, validation = 0, test = 0;
  // training samples of each class, or with each target above 0.5; empty: not counted
  std::vector<std::int64_t> class_counts = {};
  bool known() const { return channels > 0; }
  bool operator==(const DataFacts&) const = default;
};

}  // namespace nw
