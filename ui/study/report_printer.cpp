// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/report_printer.hpp"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <cstdio>
#include <string_view>

#include "ui/study/report_export.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr qint64 most_page_bytes = qint64{64} << 20;

/// For the command line, which prints it: English, as all that it prints.
int refuse(const char* sentence, int code = 1) {
  std::fprintf(stderr, "netwright: %s\n", sentence);
  return code;
}

int convert(bool chinese) {
  QFile in, out;
  if (!in.open(stdin, QIODevice::ReadOnly) || !out.open(stdout, QIODevice::WriteOnly))
    return refuse("stdin or stdout is closed");
  const QByteArray page = in.read(most_page_bytes + 1);
  if (page.isEmpty() || page.size() > most_page_bytes) return refuse("no page of a report, or one above 64 MiB");
  const QByteArray pdf = reportPdf(QString::fromUtf8(page), chinese);
  return out.write(pdf) == pdf.size() && out.flush() ? 0 : refuse("the PDF could not be written");
}

}  // namespace

bool asksForReportPdf(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "--report-pdf"; }

int printReportPdf(int argc, char** argv) {
  const std::string_view language = argc == 3 ? argv[2] : "";
  const bool chinese = language == "zh";
  if (!chinese && language != "en") return refuse("--report-pdf needs en or zh", 2);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  applyTheme(ThemeMode::light);
  if (chinese && QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty())
    return refuse("no font with Chinese characters is installed (in Debian: fonts-noto-cjk)");
  return convert(chinese);
}

}  // namespace nw::ui
