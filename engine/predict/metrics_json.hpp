// SPDX-License-Identifier: Apache-2.0
// Metrics as JSON, for the command line and the messages of the helper process.
#pragma once
#include <string>

#include "engine/core/json.hpp"
#include "engine/predict/metrics.hpp"

namespace nw {

/// {classes: [{name, support, precision, recall, f1, roc_auc, average_precision}], macro, weighted, top_k, calibration}
Json to_json(const Metrics&, const std::vector<std::string>& names);
/// {x, y, threshold}, each a list; an infinite threshold is null.
Json to_json(const Curve&);
/// {threshold, right_yes, wrong_yes, wrong_no, right_no}, each a list.
Json to_json(const std::vector<Decisions>&);
/// The class's name, or its index if it has no name.
std::string name_of_class(const std::vector<std::string>& names, std::size_t c);

}  // namespace nw
