// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/predict/predictor.hpp"

namespace nw::cli {
namespace {

struct Options {
  std::string run, split = "test", checkpoint = "latest";
  bool json = false;
};

std::vector<std::string> class_row(const Evaluation& e, const std::vector<std::string>& names, std::int64_t c) {
  std::int64_t all = 0;
  for (std::int64_t p = 0; p < e.classes; ++p) all += e.confusion[static_cast<std::size_t>(c * e.classes + p)];
  const std::int64_t right = e.confusion[static_cast<std::size_t>(c * e.classes + c)];
  const std::string name = static_cast<std::size_t>(c) < names.size() ? names[static_cast<std::size_t>(c)] : std::to_string(c);
  return {name, with_thousands(all), with_thousands(right), all > 0 ? percent(static_cast<double>(right) / static_cast<double>(all)) : ""};
}

int evaluate(const Options& o) {
  auto predictor = Predictor::open(o.run, o.checkpoint);
  if (!predictor) return report(predictor.error());
  const auto e = (*predictor)->evaluate(o.split);
  if (!e) return report(e.error());
  if (o.json) {
    print(Json{{"split", o.split}, {"checkpoint", o.checkpoint}, {"accuracy", e->accuracy}, {"loss", e->loss}, {"samples", e->samples}, {"classes", e->classes}, {"confusion", e->confusion}}.dump());
    return 0;
  }
  print(fmt::format("{} accuracy {}, loss {:.4f}, {} images", o.split, percent(e->accuracy), e->loss, with_thousands(e->samples)));
  std::vector<std::vector<std::string>> rows = {{"class", "images", "right", "share"}};
  for (std::int64_t c = 0; c < e->classes; ++c) rows.push_back(class_row(*e, (*predictor)->definition().classes, c));
  print(table(rows));
  return 0;
}

}  // namespace

void add_evaluate(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("evaluate", "Measure a trained network on one split of its data");
  auto o = std::make_shared<Options>();
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
  command->add_option("--split", o->split, "Which part of the data")->check(CLI::IsMember({"train", "validation", "test"}));
  command->add_option("--checkpoint", o->checkpoint, "latest, best, or a checkpoint's name");
  command->add_flag("--json", o->json, "One JSON object, with the confusion matrix (rows: true class)");
  command->footer("Example: netwright-cli evaluate RUN_DIR --split test --checkpoint best");
  command->callback([=, &chosen] { chosen = [o] { return evaluate(*o); }; });
}

}  // namespace nw::cli
