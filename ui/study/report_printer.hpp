// SPDX-License-Identifier: GPL-3.0-or-later
// `netwright --report-pdf en|zh`: the page of a report on stdin becomes a PDF on stdout, without a display. This is how
// netwright-cli, which links no Qt, writes one.
#pragma once

namespace nw::ui {

/// Whether these are the arguments of that call.
bool asksForReportPdf(int argc, char** argv);
/// Makes the program's QApplication; returns the exit code: 0; 1 after a sentence on stderr; 2 for another language.
int printReportPdf(int argc, char** argv);

}  // namespace nw::ui
