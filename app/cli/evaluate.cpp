// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/predict/metrics.hpp"
#include "engine/predict/predictor.hpp"

namespace nw::cli {
namespace {

struct Options {
  std::string run, split = "test", checkpoint = "latest";
  bool json = false;
};

std::string name_of(const std::vector<std::string>& names, std::size_t c) { return c < names.size() ? names[c] : std::to_string(c); }

std::vector<std::string> row_of(const std::string& name, const ClassMetrics& c) {
  const auto three = [](double v) { return fmt::format("{:.3f}", v); };
  return {name, with_thousands(c.support), three(c.precision), three(c.recall), three(c.f1), three(c.roc_auc), three(c.average_precision)};
}

Json json_of(const ClassMetrics& c) {
  return {{"support", c.support}, {"precision", c.precision}, {"recall", c.recall}, {"f1", c.f1}, {"roc_auc", c.roc_auc}, {"average_precision", c.average_precision}};
}

Json json_of(const Metrics& m, const std::vector<std::string>& names) {
  Json classes = Json::array(), bins = Json::array();
  for (std::size_t c = 0; c < m.classes.size(); ++c) {
    classes.push_back(json_of(m.classes[c]));
    classes.back()["name"] = name_of(names, c);
  }
  for (const CalibrationBin& b : m.calibration.bins) bins.push_back({{"from", b.from}, {"to", b.to}, {"count", b.count}, {"confidence", b.confidence}, {"accuracy", b.accuracy}});
  return {{"classes", classes}, {"macro", json_of(m.macro)}, {"weighted", json_of(m.weighted)}, {"top_k", m.top_k},
          {"calibration", {{"bins", bins}, {"expected_error", m.calibration.expected_error}, {"largest_error", m.calibration.largest_error}}}};
}

void print_metrics(const Metrics& m, const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> rows = {{"class", "images", "precision", "recall", "F1", "ROC AUC", "average precision"}};
  for (std::size_t c = 0; c < m.classes.size(); ++c) rows.push_back(row_of(name_of(names, c), m.classes[c]));
  rows.push_back(row_of("mean", m.macro));
  rows.push_back(row_of("mean by images", m.weighted));
  print(table(rows));
  std::string top;
  for (std::size_t k = 1; k < m.top_k.size(); ++k) top += fmt::format(", top {} {}", k + 1, percent(m.top_k[k]));
  print(fmt::format("calibration error {:.4f}{}", m.calibration.expected_error, top));
}

int evaluate(const Options& o) {
  auto predictor = Predictor::open(o.run, o.checkpoint);
  if (!predictor) return report(predictor.error());
  const auto e = (*predictor)->evaluate(o.split);
  if (!e) return report(e.error());
  const std::vector<std::string>& names = (*predictor)->definition().classes;
  const bool known = !e->probability.empty();
  const Metrics m = known ? metrics_of(e->label, e->probability, e->classes) : Metrics{};
  if (o.json) {
    Json all{{"split", o.split}, {"checkpoint", o.checkpoint}, {"accuracy", e->accuracy}, {"loss", e->loss}, {"samples", e->samples}, {"classes", e->classes}, {"confusion", e->confusion}};
    if (known) all["metrics"] = json_of(m, names);
    print(all.dump());
    return 0;
  }
  print(fmt::format("{} accuracy {}, loss {:.4f}, {} images", o.split, percent(e->accuracy), e->loss, with_thousands(e->samples)));
  if (known) print_metrics(m, names);
  return 0;
}

}  // namespace

void add_evaluate(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("evaluate", "Measure a trained network on one split of its data");
  auto o = std::make_shared<Options>();
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
  command->add_option("--split", o->split, "Which part of the data")->check(CLI::IsMember({"train", "validation", "test"}));
  command->add_option("--checkpoint", o->checkpoint, "latest, best, or a checkpoint's name");
  command->add_flag("--json", o->json, "One JSON object, with the confusion matrix (rows: true class) and the metrics of every class");
  command->footer("Example: netwright-cli evaluate RUN_DIR --split test --checkpoint best");
  command->callback([=, &chosen] { chosen = [o] { return evaluate(*o); }; });
}

}  // namespace nw::cli
