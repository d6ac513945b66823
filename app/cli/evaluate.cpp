// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <span>

#include "app/cli/cli.hpp"
#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/metrics_json.hpp"
#include "engine/predict/model_card.hpp"
#include "engine/predict/report.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/runs/events.hpp"

namespace nw::cli {
namespace {

struct EvaluateOptions {
  std::string run, split = "test", checkpoint = "latest", report, card;
  bool json = false;
};

std::vector<std::string> row_of(const std::string& name, const ClassMetrics& c) {
  const auto three = [](double v) { return figure_text("{:.3f}", v); };
  return {name,        with_thousands(c.support), three(c.precision),        three(c.recall),
          three(c.f1), three(c.roc_auc),          three(c.average_precision)};
}

void print_metrics(const Metrics& m, const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> rows = {
      {"class", "images", "precision", "recall", "F1", "ROC AUC", "average precision"}};
  for (std::size_t c = 0; c < m.classes.size(); ++c) rows.push_back(row_of(name_of_class(names, c), m.classes[c]));
  rows.push_back(row_of("mean", m.macro));
  rows.push_back(row_of("mean by images", m.weighted));
  print_lines(table(rows));
  if (m.top_k.empty()) return print(fmt::format("calibration error {:.4f}", m.calibration.expected_error));
  std::string top;
  for (std::size_t k = 1; k < m.top_k.size(); ++k) top += fmt::format(", top {} {}", k + 1, percent(m.top_k[k]));
  print(fmt::format("calibration error {:.4f}{}", m.calibration.expected_error, top));
}

void print_values(const std::vector<ValueMetrics>& all, const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> rows = {
      {"value", "mean", "deviation", "mean absolute error", "root mean squared error", "R²"}};
  const auto four = [](double v) { return figure_text("{:.4g}", v); };
  for (std::size_t k = 0; k < all.size(); ++k)
    rows.push_back({name_of_class(names, k), four(all[k].mean), four(all[k].deviation),
                    four(all[k].mean_absolute_error), four(all[k].root_mean_squared_error), four(all[k].r2)});
  print_lines(table(rows));
}

Json json_of(const EvaluateOptions& o, const Evaluation& e, const std::vector<std::string>& names) {
  Json all{{"split", o.split},
           {"checkpoint", o.checkpoint},
           {"metric", name_of(metric_of(e.kind))},
           {"accuracy", e.accuracy},
           {"loss", e.loss},
           {"cross_entropy", e.cross_entropy},
           {"not_finite", e.not_finite},
           {"samples", e.samples},
           {"classes", e.classes},
           {"confusion", e.confusion}};
  if (!e.names.empty()) all["class_names"] = e.names;
  if (e.kind == TargetKind::values)
    all["values"] = to_json(values_of(e), names);
  else if (!e.probability.empty())
    all["metrics"] = to_json(metrics_of(e), names);
  return all;
}

/// Files that are created before the evaluation, so that one that cannot be written is said at once.
struct Pages {
  std::optional<AtomicFile> report, card;
};

Result<std::optional<AtomicFile>> page_at(const std::string& path) {
  if (path.empty()) return std::optional<AtomicFile>();
  NW_ASSIGN(AtomicFile file, AtomicFile::create(path));
  return std::optional<AtomicFile>(std::move(file));
}

Status write(AtomicFile& file, const std::string& page) {
  NW_TRY(file.write(std::as_bytes(std::span(page))));
  return file.commit();
}

Status write_pages(const EvaluateOptions& o, Predictor& p, const Evaluation& e, Pages& pages) {
  if (!pages.report && !pages.card) return {};
  NW_ASSIGN(const auto data, p.data());
  const std::string name = fs::path(o.run).lexically_normal().filename().string();
  const ReportContent content{&p.definition(),        name, o.checkpoint,          o.split,
                              data->data.description, &e,   data->set_of(o.split), recorded_epochs(o.run)};
  if (pages.card) NW_TRY(write(*pages.card, model_card(content)));
  if (!pages.report) return {};
  NW_ASSIGN(const std::string page, html_report(content));
  return write(*pages.report, page);
}

void print_evaluation(const EvaluateOptions& o, const Evaluation& e, const std::vector<std::string>& names,
                      double smoothing) {
  const std::string plain =
      smoothing > 0 ? fmt::format(" with label smoothing {:g}, cross-entropy {:.4f}", smoothing, e.cross_entropy) : "";
  print(fmt::format("{} {} {}, loss {}{}, {} images", o.split, measure_name(e.kind), measure_text(e.kind, e.accuracy),
                    figure_text("{:.4f}", e.loss), plain, with_thousands(e.samples)));
  if (e.kind == TargetKind::values)
    print_values(values_of(e), names);
  else if (!e.probability.empty())
    print_metrics(metrics_of(e), names);
}

int evaluate(const EvaluateOptions& o) {
  auto html = page_at(o.report), card = page_at(o.card);
  if (!html) return report(html.error());
  if (!card) return report(card.error());
  Pages pages{*std::move(html), *std::move(card)};
  auto predictor = Predictor::open(o.run, o.checkpoint);
  if (!predictor) return report(predictor.error());
  const auto e = (*predictor)->evaluate(o.split);
  if (!e) return report(e.error());
  if (const Status written = write_pages(o, **predictor, *e, pages); !written) return report(written.error());
  const std::vector<std::string>& names = (*predictor)->definition().classes;
  const Status finite = check_finite(*e);
  if (o.json)
    print(with_old_keys(json_of(o, *e, names), {{"metric", "measure"}}).dump());
  else
    print_evaluation(o, *e, names, (*predictor)->label_smoothing());
  return finite ? 0 : report(finite.error());
}

}  // namespace

void add_evaluate(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("evaluate", "Evaluate a trained network on one split of its data");
  auto o = std::make_shared<EvaluateOptions>();
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
  command->add_option("--split", o->split, "Split of the data")->check(CLI::IsMember({"train", "validation", "test"}));
  command->add_option("--checkpoint", o->checkpoint, "latest, best, or a checkpoint's name");
  command->add_option("--report", o->report,
                      "Write a report (one HTML file, both languages) with metrics, curves and images");
  command->add_option("--card", o->card, "Write a model card in Markdown: network, data, results, provenance");
  command->add_flag("--json", o->json,
                    "One JSON object, with the confusion matrix (rows: true class) and the metrics of every class");
  command->footer("Example: netwright-cli evaluate RUN_DIR --split test --checkpoint best");
  command->callback([=, &chosen] { chosen = [o] { return evaluate(*o); }; });
}

}  // namespace nw::cli
