// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/core/path_text.hpp"
#include "engine/data/dataset.hpp"
#include "engine/predict/label_issues.hpp"

namespace nw::cli {
namespace {

struct SuspectsOptions {
  std::string run, checkpoint = "latest", split = "train";
  std::size_t most = 300;
  double sure = 0;
  bool json = false;
};

std::string class_name(const std::vector<std::string>& names, std::int64_t c) {
  return c >= 0 && c < static_cast<std::int64_t>(names.size()) ? names[static_cast<std::size_t>(c)] : std::to_string(c);
}

Json json_of(const LabelIssue& s, const Dataset& set, bool test_set) {
  return {{"index", s.sample},
          {"test_set", test_set},
          {"name", path_to_text(sample_name(test_set, set.origin(s.sample)))},
          {"label", s.label},
          {"predicted", s.predicted},
          {"confidence", s.confidence},
          {"loss", s.loss}};
}

int suspects(const SuspectsOptions& o) {
  auto predictor = Predictor::open(o.run, o.checkpoint);
  if (!predictor) return report(predictor.error());
  const auto e = (*predictor)->evaluate(o.split);
  if (!e) return report(e.error());
  const auto data = (*predictor)->data();
  if (!data) return report(data.error());
  const Dataset& set = *(*data)->set_of(o.split);
  const bool test_set = &set != (*data)->data.train.get();
  const std::vector<std::string>& names = names_of(*e, (*predictor)->definition());
  const auto found = find_label_issues(*e, o.most, static_cast<float>(o.sure));
  std::vector<std::vector<std::string>> rows = {{"image", "label", "predicted", "confidence", "loss"}};
  for (const LabelIssue& s : found) {
    if (o.json)
      print(json_of(s, set, test_set).dump(-1, ' ', false, Json::error_handler_t::replace));
    else
      rows.push_back({path_to_text(sample_name(test_set, set.origin(s.sample))), class_name(names, s.label),
                      class_name(names, s.predicted), percent(static_cast<double>(s.confidence)),
                      fmt::format("{:.3f}", s.loss)});
  }
  if (!o.json) print_lines(table(rows));
  const Status finite = check_finite(*e);
  return finite ? 0 : report(finite.error());
}

}  // namespace

void add_suspects(CLI::App& data, Chosen& chosen) {
  auto* command = data.add_subcommand(
      "suspects", "List samples whose label may be wrong: predicted as another class, largest loss first");
  auto o = std::make_shared<SuspectsOptions>();
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
  command->add_option(
      "--checkpoint", o->checkpoint,
      "latest, best, or a checkpoint's name; an early one finds more where the network has memorized its "
      "training images");
  command->add_option("--split", o->split, "Split of the data")->check(CLI::IsMember({"train", "validation", "test"}));
  command->add_option("--most", o->most, "Maximum number of samples to list")->check(CLI::Range(1, 1'000'000));
  command->add_option("--sure", o->sure, "Minimum probability of the other class")->check(CLI::Range(0.0, 1.0));
  command->add_flag("--json", o->json, "Print JSON lines");
  command->footer("Example: netwright-cli data suspects RUN_DIR --most 100");
  command->callback([=, &chosen] { chosen = [o] { return suspects(*o); }; });
}

}  // namespace nw::cli
