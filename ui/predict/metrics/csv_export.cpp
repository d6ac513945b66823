// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/metrics/csv_export.hpp"

#include <fmt/format.h>

#include "engine/core/csv_field.hpp"

namespace nw::ui {
namespace {

std::string field(const QString& text) { return csv_field(text.toStdString()); }

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
