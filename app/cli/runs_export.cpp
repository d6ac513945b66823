// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <set>

#include "app/cli/mlflow.hpp"
#include "app/cli/runs_commands.hpp"
#include "engine/core/csv_field.hpp"

namespace nw::cli {
namespace {

struct RunsExport {
  RunChoice choice;
  std::string csv, epochs_csv, prometheus;
  MlflowTarget mlflow;
  bool force = false;
};

std::vector<std::string> all_names(const std::vector<RunRecord>& runs) {
  std::vector<std::string> names;
  for (const RunField& f : run_fields()) names.emplace_back(f.name);
  std::set<std::string> settings;
  for (const RunRecord& r : runs)
    for (const RecordedSetting& s : r.settings) settings.insert(s.name);
  names.insert(names.end(), settings.begin(), settings.end());
  return names;
}

/// Numbers unrounded; empty: unknown.
std::string csv_number(double v) { return std::isfinite(v) ? fmt::format("{}", v) : ""; }
std::string csv_value(const FieldValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return csv_number(*number);
  const auto* text = std::get_if<std::string>(&value);
  return text ? csv_field(*text) : "";
}
std::string csv_line(const std::vector<std::string>& cells) { return fmt::format("{}\n", fmt::join(cells, ",")); }

std::string runs_as_csv(const std::vector<RunRecord>& runs) {
  const std::vector<std::string> names = all_names(runs);
  std::string text = csv_line(names);
  for (const RunRecord& r : runs) {
    std::vector<std::string> cells;
    for (const std::string& name : names) cells.push_back(csv_value(field_value(r, name)));
    text += csv_line(cells);
  }
  return text;
}

std::string epochs_as_csv(const std::vector<RunRecord>& runs) {
  std::string text = csv_line(
      {"run", "epoch", "train_loss", "train_accuracy", "validation_loss", "validation_accuracy", "learning_rate"});
  for (const RunRecord& r : runs)
    for (const EpochFigures& e : r.summary.history)
      text += csv_line({csv_field(r.title()), std::to_string(e.epoch), csv_number(e.train_loss),
                        csv_number(e.train_accuracy), csv_number(e.validation_loss), csv_number(e.validation_accuracy),
                        csv_number(e.learning_rate)});
  return text;
}

/// A label's value in Prometheus' text format, version 0.0.4: backslash, quotation mark and line feed are escaped.
std::string label_value(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\\' ? "\\\\" : c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(1, c);
  return out;
}

/// One gauge for each quantity that is a number, with a line for each run in which it is known.
std::string as_prometheus(const std::vector<RunRecord>& runs) {
  std::string text;
  for (const RunField& f : run_fields()) {
    std::string lines;
    for (const RunRecord& r : runs)
      if (const FieldValue value = f.value(r); std::holds_alternative<double>(value))
        lines += fmt::format("netwright_run_{}{{run=\"{}\",project=\"{}\",status=\"{}\"}} {}\n", f.name,
                             label_value(r.summary.folder.filename().string()), label_value(r.summary.name),
                             name_of(r.summary.status), std::get<double>(value));
    if (!lines.empty())
      text += fmt::format("# HELP netwright_run_{0} {1}\n# TYPE netwright_run_{0} gauge\n{2}", f.name, f.help, lines);
  }
  return text;
}

Status write(const std::string& file, const std::string& text, bool force) {
  std::error_code ignored;
  if (!force && fs::exists(fs::symlink_status(file, ignored)))
    return fail(Errc::bad_input, NW_TR("{0} exists; choose another name, or replace it with --force"), file);
  NW_TRY(save_file(file, text));
  note(fmt::format("{}: {}", file, bytes_text(static_cast<std::int64_t>(text.size()))));
  return {};
}

Status write_all(const RunsExport& o, const std::vector<RunRecord>& runs) {
  if (!o.csv.empty()) NW_TRY(write(o.csv, runs_as_csv(runs), o.force));
  if (!o.epochs_csv.empty()) NW_TRY(write(o.epochs_csv, epochs_as_csv(runs), o.force));
  if (!o.prometheus.empty()) NW_TRY(write(o.prometheus, as_prometheus(runs), o.force));
  return o.mlflow.url.empty() ? Status() : send_to_mlflow(o.mlflow, runs);
}

int export_runs(const RunsExport& o) {
  if (o.csv.empty() && o.epochs_csv.empty() && o.prometheus.empty() && o.mlflow.url.empty())
    return report(
        fail(Errc::usage, NW_TR("name what to write: --csv, --epochs or --prometheus with a file, or --mlflow "
                                "with the address of a server")));
  const auto runs = o.choice.runs();
  if (!runs) return report(runs.error());
  const Status written = write_all(o, *runs);
  return written ? 0 : report(written.error());
}

}  // namespace

void add_runs_export(CLI::App& runs, Chosen& chosen) {
  auto* command = runs.add_subcommand("export", "Write runs as tables for other programs, or send them to MLflow");
  auto o = std::make_shared<RunsExport>();
  o->choice.add_to(*command);
  command->add_option("--csv", o->csv, "CSV file with one row for each run: results and all settings");
  command->add_option("--epochs", o->epochs_csv, "CSV file with one row for each epoch of each run");
  command->add_option("--prometheus", o->prometheus,
                      "Prometheus text file, for the textfile collector of its node exporter");
  command->add_option("--mlflow", o->mlflow.url,
                      "Address of an MLflow server, which gets the runs with all their metrics");
  command->add_option("--experiment", o->mlflow.experiment,
                      "With --mlflow: the experiment; default: each project's name");
  command->add_flag("--force", o->force, "Replace files that exist");
  command->footer("Example: netwright-cli runs export --where lenet --csv runs.csv");
  command->callback([=, &chosen] { chosen = [o] { return export_runs(*o); }; });
}

}  // namespace nw::cli
