// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "kernels/result.hpp"

namespace nw::cli {

/// The page of a report (engine/predict/run_report.hpp) as a PDF in one language, "en" or "zh". Text is laid out by
/// `netwright`, the window's program, without a display, since this program links no Qt. Errc::other: it is not
/// installed here or failed, with what it said.
Result<std::string> report_pdf(const std::string& page, const std::string& language);

}  // namespace nw::cli
