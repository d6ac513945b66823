// SPDX-License-Identifier: Apache-2.0
// The weights that a loss gives its targets, as its attributes write them: nothing, "balanced", or a number for each
// score, "1, 2.5, 0.5".
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/design/data_facts.hpp"
#include "engine/design/layer_type.hpp"

namespace nw {

inline constexpr std::string_view balanced_weights = "balanced";
inline constexpr double least_target_weight = 1e-6, largest_target_weight = 1e6;

/// The numbers of a list; empty for "" and "balanced". Errc::usage: it is neither.
Result<std::vector<double>> listed_weights(std::string_view written);
/// An attribute for such weights.
Field target_weights_field(std::string name, Text label, Text help);
/// Why a network with this number of scores cannot have these weights; empty: it can.
Text refuse_weights(const std::string& written, std::int64_t scores);

/// Weights of classes, one for each score; empty: all are 1. "balanced": samples / (classes * samples of the class), as
/// scikit-learn's compute_class_weight, over the classes that the training part has; a class without samples has 1.
std::vector<double> class_weights(const std::string& written, const DataFacts&, std::int64_t scores);
/// Weights of targets that are 1, one for each score; empty: all are 1. "balanced": the number of the other samples
/// over that of these, as PyTorch proposes for `pos_weight`.
std::vector<double> positive_weights(const std::string& written, const DataFacts&, std::int64_t scores);

}  // namespace nw
