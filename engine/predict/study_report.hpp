// SPDX-License-Identifier: Apache-2.0
// The page of a study. Private to engine/predict.
#pragma once
#include "engine/predict/run_report.hpp"

namespace nw::predicting {

Result<std::string> study_page(const fs::path& study, PageLanguage);

}  // namespace nw::predicting
