// SPDX-License-Identifier: GPL-3.0-or-later
// netwright [FILE|RUN_DIR] [--template NAME]: the window. --report-pdf en|zh: a filter of netwright-cli's;
// --thumbnail SIDE FILE PNG: a project's or run.json's picture for file managers. --key-card en|zh FILE: the card of
// keys and gestures.
#include "ui/shell/help/key_card.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/shell/window/thumbnailer.hpp"
#include "ui/study/report_printer.hpp"

int main(int argc, char** argv) {
  if (nw::ui::asksForReportPdf(argc, argv)) return nw::ui::printReportPdf(argc, argv);
  if (nw::ui::asksForThumbnail(argc, argv)) return nw::ui::makeThumbnail(argc, argv);
  if (nw::ui::asksForKeyCard(argc, argv)) return nw::ui::writeKeyCard(argc, argv);
  return nw::ui::runApplication(argc, argv);
}
