// SPDX-License-Identifier: GPL-3.0-or-later
// netwright [FILE|RUN_DIR] [--template NAME]: the window. netwright --report-pdf en|zh: a filter of netwright-cli's.
#include "ui/shell/window/application.hpp"
#include "ui/study/report_printer.hpp"

int main(int argc, char** argv) {
  if (nw::ui::asksForReportPdf(argc, argv)) return nw::ui::printReportPdf(argc, argv);
  return nw::ui::runApplication(argc, argv);
}
