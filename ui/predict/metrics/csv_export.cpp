// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/metrics/csv_export.hpp"

#include <fmt/format.h>

namespace nw::ui {
namespace {

/// A field with separators or quotes is quoted; one that a spreadsheet would run as a formula gets a leading
/// apostrophe.
std::string field(const QString& text) {
  std::string out = text.toStdString();
  if (!out.empty() && std::string_view("=+-@\t\r").find(out.front()) != std::string_view::npos)
    out.insert(out.begin(), '\'');
  if (out.find_first_of(",\"\r\n") == std::string::npos) return out;
  std::string quoted = "\"";
  for (const char c : out) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string predictions_csv(const EvaluationView& view, const QStringList& files) {
  std::string out =
      files.isEmpty() ? "index,true,predicted,confidence,loss,right\n" : "file,true,predicted,confidence,loss,right\n";
  out.reserve(out.size() + view.samples.size() * 40);
  for (const Sample& s : view.samples) {
    const bool known = s.label >= 0;
    out += files.isEmpty() ? std::to_string(s.index) : field(files.value(static_cast<qsizetype>(s.index)));
    out +=
        fmt::format(",{},{},{},{},{}\n", known ? field(view.names.value(s.label)) : "",
                    field(view.names.value(s.predicted)), s.confidence < 0 ? "" : fmt::format("{:.6f}", s.confidence),
                    known && s.loss >= 0 ? fmt::format("{:.6g}", s.loss) : "", known ? (s.wrong() ? "0" : "1") : "");
  }
  return out;
}

}  // namespace nw::ui
