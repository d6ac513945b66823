// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/run_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "engine/design/graph_diff.hpp"
#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/report_parts.hpp"
#include "engine/predict/report_training.hpp"
#include "engine/predict/study_report.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/search/journal.hpp"

namespace nw {
namespace {

using predicting::escaped;
using predicting::words;
using ReportRows = std::vector<std::vector<std::string>>;

constexpr std::size_t most_epoch_rows = 500;  // the last ones

std::string figure_of(double value, const char* format = "{:.4g}") {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "–";
}

std::string date_of(double unix_seconds) {
  const auto time = static_cast<std::time_t>(unix_seconds);
  std::tm local{};
  if (unix_seconds <= 0 || !::localtime_r(&time, &local)) return "–";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday,
                     local.tm_hour, local.tm_min);
}

std::string run_figures(const RunSummary& s, TargetKind kind) {
  const auto measured = [&](double v) { return std::isfinite(v) ? measure_text(kind, v) : "–"; };
  std::string out = "<div class=\"figures\">";
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::string>>{
           {"Best on validation", measured(s.best_accuracy)},
           {"On the test set", measured(s.test_accuracy)},
           {"Last loss", s.last_loss >= 0 ? figure_of(s.last_loss) : "–"},
           {"Epochs", fmt::format("{} / {}", s.epochs_done, s.epochs)},
           {"Parameters", std::to_string(s.parameters)}})
    out += fmt::format("<div><span class=\"muted\">{}</span><b>{}</b></div>", words(name), value);
  return out + "</div>\n";
}

std::string run_origin(const RunDefinition& d, const RunSummary& s) {
  ReportRows rows{{words("Run"), escaped(s.folder.filename().string())},
                  {words("Status"), words(name_of(s.status))},
                  {words("Begun"), date_of(s.created)},
                  {words("Seconds of training"), figure_of(s.wall_s, "{:.1f}")},
                  {words("Device"), escaped(s.device)},
                  {words("Version"), escaped(d.version)},
                  {words("Hash of the network"), hex(network_hash(d.doc))}};
  if (!d.parent.empty())
    rows.push_back(
        {words("Began with the weights of"),
         escaped(d.parent) + (d.parent_step >= 0 ? fmt::format(", {} {}", words("step"), d.parent_step) : "")});
  if (!d.weights_sha256.empty()) rows.push_back({words("SHA-256 of those weights"), escaped(d.weights_sha256)});
  if (s.gpu_energy_j >= 0) rows.push_back({words("Energy of the GPUs, J"), figure_of(s.gpu_energy_j, "{:.0f}")});
  if (s.cpu_energy_j >= 0) rows.push_back({words("Energy of the processors, J"), figure_of(s.cpu_energy_j, "{:.0f}")});
  return predicting::table_of(rows, "origin");
}

std::string epoch_table(const RunSummary& s) {
  if (s.history.empty()) return {};
  ReportRows rows{{}};
  for (const char* head :
       {"Epoch", "Training loss", "Training accuracy", "Validation loss", "Validation accuracy", "Learning rate"})
    rows[0].push_back(words(head));
  const std::size_t from = s.history.size() > most_epoch_rows ? s.history.size() - most_epoch_rows : 0;
  for (std::size_t i = from; i < s.history.size(); ++i) {
    const EpochFigures& e = s.history[i];
    rows.push_back({std::to_string(e.epoch), figure_of(e.train_loss), figure_of(e.train_accuracy),
                    figure_of(e.validation_loss), figure_of(e.validation_accuracy), figure_of(e.learning_rate)});
  }
  return fmt::format("<h2>{}</h2>\n", words("Epochs")) + predicting::table_of(rows, "epochs");
}

Result<std::string> run_page(const fs::path& run, PageLanguage language) {
  NW_ASSIGN(const RunDefinition d, read_run_definition(run));
  NW_ASSIGN(const RunSummary s, summarize_run(run, d));
  const TargetKind kind = target_kind(d.doc.data());
  const std::string title = s.given_name.empty() ? run.filename().string() : s.given_name;
  return predicting::page_head(title, language == PageLanguage::chinese) +
         fmt::format("<h1>{}</h1>\n<p class=\"muted\">{}</p>\n", escaped(title), words("Report of a run")) +
         run_figures(s, kind) + run_origin(d, s) + predicting::training_curves(recorded_epochs(run), kind) +
         epoch_table(s) + predicting::network_drawing(d) + predicting::data_table(d) + predicting::settings_table(d) +
         "</main>\n</body>\n</html>\n";
}

}  // namespace

Result<std::string> folder_report(const fs::path& folder, PageLanguage language) {
  const fs::path place = fs::absolute(folder).lexically_normal();
  const fs::path named = place.has_filename() ? place : place.parent_path();
  return search::holds_study(named) ? predicting::study_page(named, language) : run_page(named, language);
}

}  // namespace nw
