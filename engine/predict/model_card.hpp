// SPDX-License-Identifier: Apache-2.0
// A model card in Markdown (Mitchell et al., "Model Cards for Model Reporting", 2019): what the network is, what it was
// trained and evaluated on, what it reached, where it comes from.
#pragma once
#include "engine/predict/report.hpp"

namespace nw {

/// The card as UTF-8, ends with a newline. All text from the run or its data is escaped: names cannot start headings,
/// links, images or HTML. Classes beyond the first 50 are counted only.
std::string model_card(const ReportContent&);

/// Text that Markdown shows as it is, on one line.
std::string markdown_text(std::string_view);

}  // namespace nw
