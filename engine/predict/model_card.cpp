// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/model_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "engine/compile/compile.hpp"
#include "engine/core/files.hpp"
#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/metrics_json.hpp"
#include "engine/runs/epochs.hpp"

namespace nw {
namespace {

using Rows = std::vector<std::vector<std::string>>;
constexpr std::size_t most_classes = 50, most_in_matrix = 20;

/// A table whose first row is its head; cells are Markdown already.
std::string table_of(const Rows& rows) {
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& cell : rows[i]) out += "| " + cell + " ";
    out += "|\n";
    if (i > 0) continue;
    for (std::size_t c = 0; c < rows[0].size(); ++c) out += "|---";
    out += "|\n";
  }
  return out + "\n";
}

std::string numbers(const std::vector<float>& all) {
  std::string text;
  for (const float v : all) text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", v);
  return text;
}

std::string date_of(double unix_seconds) {
  const auto seconds = static_cast<std::time_t>(unix_seconds);
  std::tm parts{};
  char text[32];
  if (unix_seconds <= 0 || !::gmtime_r(&seconds, &parts) || std::strftime(text, sizeof text, "%Y-%m-%d", &parts) == 0)
    return "unknown";
  return text;
}

std::string network_part(const RunDefinition& run) {
  const Analysis a =
      analyse(run.doc, target_without_data(run.doc, run.channels, run.height, run.width, run.classes.size()));
  const TrainSettings& s = run.doc.settings();
  return "## Network\n\n" + table_of({{"property", "value"},
                                      {"input", fmt::format("{}×{}×{} pixels (channels, height, width)", run.channels,
                                                            run.height, run.width)},
                                      {"layers", std::to_string(a.expanded.size())},
                                      {"parameters", std::to_string(a.parameters)},
                                      {"multiply-adds for an image", std::to_string(a.multiply_adds)},
                                      {"optimizer", markdown_text(s.optimizer.name())},
                                      {"learning rate", fmt::format("{:g}", s.learning_rate)},
                                      {"batch", std::to_string(s.batch)},
                                      {"epochs planned", std::to_string(s.epochs)},
                                      {"seed", std::to_string(s.seed)}});
}

std::string data_part(const ReportContent& c) {
  const RunDefinition& run = *c.run;
  Rows rows{{"property", "value"},
            {"data", markdown_text(c.data)},
            {"hash of the data", hex(run.data_hash)},
            {"hash of the split", run.split_hash ? hex(run.split_hash) : "unknown"},
            {"classes", std::to_string(run.classes.size())}};
  if (!run.mean.empty()) rows.push_back({"mean of each channel", numbers(run.mean)});
  if (!run.deviation.empty()) rows.push_back({"standard deviation of each channel", numbers(run.deviation)});
  return "## Data\n\nPixels from 0 to 255 are divided by 255, then normalized for each channel.\n\n" + table_of(rows);
}

std::string results_part(const ReportContent& c) {
  const Evaluation& e = *c.evaluation;
  Rows rows{{"measure", "value"},
            {measure_name(e.kind), measure_text(e.kind, e.accuracy)},
            {"loss", figure_text("{:.4f}", e.loss)},
            {"samples", std::to_string(e.samples)}};
  if (e.not_finite > 0) rows.push_back({"samples whose outputs are not finite numbers", std::to_string(e.not_finite)});
  if (const EpochEnd* best = best_epoch(c.epochs))
    rows.push_back({"best epoch, on the validation set",
                    fmt::format("{} ({})", best->epoch, measure_text(e.kind, compared_accuracy(*best)))});
  return fmt::format("## Results\n\nOn the {} set, checkpoint {}.\n\n", markdown_text(c.split),
                     markdown_text(c.checkpoint)) +
         table_of(rows);
}

std::string classes_part(const ReportContent& c) {
  const Metrics m = metrics_of(*c.evaluation);
  if (m.classes.empty()) return {};
  Rows rows{{"class", "images", "precision", "recall", "F1"}};
  for (std::size_t k = 0; k < std::min(m.classes.size(), most_classes); ++k) {
    const ClassMetrics& one = m.classes[k];
    rows.push_back({markdown_text(name_of_class(c.run->classes, k)), std::to_string(one.support),
                    figure_text("{:.3f}", one.precision), figure_text("{:.3f}", one.recall),
                    figure_text("{:.3f}", one.f1)});
  }
  const std::string left = m.classes.size() > most_classes
                               ? fmt::format("{} more classes are not listed.\n\n", m.classes.size() - most_classes)
                               : "";
  return table_of(rows) + left;
}

std::string confusion_part(const ReportContent& c) {
  const Evaluation& e = *c.evaluation;
  const auto classes = static_cast<std::size_t>(std::max<std::int64_t>(0, e.classes));
  if (classes == 0 || classes > most_in_matrix || e.confusion.size() != classes * classes) return {};
  const std::vector<std::string>& names = names_of(e, *c.run);
  Rows rows{{"true class \\ predicted"}};
  for (std::size_t k = 0; k < classes; ++k) rows[0].push_back(markdown_text(name_of_class(names, k)));
  for (std::size_t t = 0; t < classes; ++t) {
    rows.push_back({markdown_text(name_of_class(names, t))});
    for (std::size_t k = 0; k < classes; ++k) rows.back().push_back(std::to_string(e.confusion[t * classes + k]));
  }
  return "### Confusion matrix\n\n" + table_of(rows);
}

std::string provenance_part(const ReportContent& c) {
  const RunDefinition& run = *c.run;
  Rows rows{{"property", "value"},
            {"run", markdown_text(c.run_name)},
            {"begun", date_of(run.created)},
            {"program", "Netwright " + markdown_text(run.version)}};
  if (!run.parent.empty()) rows.push_back({"began with the weights of", markdown_text(run.parent)});
  return "## Provenance\n\n" + table_of(rows);
}

}  // namespace

std::string markdown_text(std::string_view text) {
  static constexpr std::string_view marks = R"(\`*_{}[]()#+-.!|<>&~^$)";
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += ' ';
      continue;
    }
    if (marks.find(c) != marks.npos) out += '\\';
    out += c;
  }
  return out;
}

std::string model_card(const ReportContent& c) {
  return fmt::format("# {}\n\n", markdown_text(c.run->name)) + network_part(*c.run) + data_part(c) + results_part(c) +
         classes_part(c) + confusion_part(c) + provenance_part(c);
}

}  // namespace nw
