// SPDX-License-Identifier: Apache-2.0
// netwright-cli sensitivity: what pruning would cost, before anybody prunes.
#include <memory>

#include "app/cli/cli.hpp"
#include "app/cli/prune_scores.hpp"
#include "engine/compress/measured/sensitivity.hpp"
#include "engine/exchange/trained_network.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::cli {
namespace {

struct SensitivityCommand {
  std::string run, checkpoint = "best", criterion = "l1";
  compress::MeasuredNetwork::Options measured;
  double at_most = 0.2;  // points
  bool json = false;
};

Result<compress::Sensitivities> measure(const SensitivityCommand& o) {
  NW_ASSIGN(const exchange::TrainedNetwork trained, exchange::trained_run(o.run, o.checkpoint));
  NW_ASSIGN(const auto network, compress::MeasuredNetwork::open(o.run, trained.weights, o.measured));
  const compress::ChannelGroups groups = compress::find_channel_groups(network->network());
  NW_ASSIGN(const auto scores, prune_scores(*network, groups, o.criterion));
  std::int64_t tenths = 0;
  return compress::measure_sensitivities(*network, groups, scores, [&](std::int64_t done, std::int64_t all) {
    if (o.json) print(Json{{"type", "progress"}, {"done", done}, {"of", all}}.dump());
    if (!o.json && done * 10 / all > tenths) note(fmt::format("{} of {} measurements", done, all));
    tenths = done * 10 / all;
    return true;
  });
}

/// In points of accuracy.
std::string change(const compress::MeasuredAnswers& before, const compress::MeasuredAnswers& after) {
  return fmt::format("{:+.2f}", 100 * (after.accuracy() - before.accuracy()));
}

std::string shares_text(const std::map<std::string, double>& shares) {
  std::string text;
  for (const auto& [layer, share] : shares) text += fmt::format(" --layer {}={:.3g}", layer, share);
  return text;
}

/// "layer, channels, of, loss", and of networks that name classes "accuracy, points".
std::vector<std::vector<std::string>> rows_of(const compress::Sensitivities& all) {
  std::vector<std::vector<std::string>> rows{{"layer", "channels", "of", "loss"}};
  if (all.has_classes) rows.front().insert(rows.front().end(), {"accuracy", "points"});
  for (const compress::Sensitivity& s : all.groups)
    for (const compress::SensitivityPoint& p : s.points) {
      rows.push_back({fmt::format("{}", fmt::join(s.layers, ", ")), std::to_string(p.kept), std::to_string(s.channels),
                      fmt::format("{:.4g}", p.answers.loss)});
      if (all.has_classes)
        rows.back().insert(rows.back().end(), {percent(p.answers.accuracy()), change(all.whole, p.answers)});
    }
  return rows;
}

void show(const SensitivityCommand& o, const compress::Sensitivities& all) {
  print_lines(table(rows_of(all)));
  const std::string loss = fmt::format("loss {:.4g}, {} images", all.whole.loss, all.whole.images);
  if (!all.has_classes) return print("whole network: " + loss);
  print(fmt::format("whole network: {}, {}", percent(all.whole.accuracy()), loss));
  const auto shares = compress::suggested_shares(all, o.at_most / 100);
  if (shares.empty())
    print(fmt::format("No layer loses channels for at most {:.3g} points.", o.at_most));
  else
    print(fmt::format("At most {:.3g} points for each layer alone: netwright-cli compress {}{} -o FILE", o.at_most,
                      o.run, shares_text(shares)));
}

Json json_of(const compress::MeasuredAnswers& a) {
  return {{"images", a.images}, {"correct", a.correct}, {"accuracy", a.accuracy()}, {"loss", a.loss}};
}

void show_json(const SensitivityCommand& o, const compress::Sensitivities& all) {
  Json groups = Json::array();
  for (const compress::Sensitivity& s : all.groups) {
    Json points = Json::array();
    for (const compress::SensitivityPoint& p : s.points) {
      points.push_back(json_of(p.answers));
      points.back()["kept"] = p.kept;
    }
    groups.push_back({{"layers", s.layers}, {"channels", s.channels}, {"points", std::move(points)}});
  }
  print(Json{{"type", "sensitivity"},
             {"whole", json_of(all.whole)},
             {"groups", std::move(groups)},
             {"suggested", compress::suggested_shares(all, o.at_most / 100)}}
            .dump(-1, ' ', false, Json::error_handler_t::replace));
}

int sensitivity(const SensitivityCommand& o) {
  const auto all = measure(o);
  if (!all) return report(all.error());
  if (o.json)
    show_json(o, *all);
  else
    show(o, *all);
  return 0;
}

}  // namespace

void add_sensitivity(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "sensitivity", "Measure what a trained network loses when channels of one layer are removed; writes nothing");
  auto o = std::make_shared<SensitivityCommand>();
  command->add_option("RUN_DIR", o->run, "Folder of a trained run")->required();
  add_criterion(*command, o->criterion);
  command
      ->add_option("--images", o->measured.images,
                   "Images of the validation part (or test part) for each measurement, at most")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{10'000'000}))
      ->capture_default_str();
  command
      ->add_option("--at-most", o->at_most, "Suggest shares of channels that cost at most so many points of accuracy")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  command->add_option("--checkpoint", o->checkpoint, "best, latest, or the name of a checkpoint");
  command->add_option("--threads", o->measured.threads, "Threads; default: all cores")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1024}));
  command->add_flag("--json", o->json, "Print JSON lines: progress, and one object of the type sensitivity");
  command->footer("Example: netwright-cli sensitivity runs/2026-11-21-lenet5-a7 --at-most 0.1");
  command->callback([=, &chosen] { chosen = [o] { return sensitivity(*o); }; });
}

}  // namespace nw::cli
