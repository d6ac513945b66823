// SPDX-License-Identifier: Apache-2.0
// netwright-cli changed-predictions: a compressed run beside the one that it was made of.
#include <memory>

#include "app/cli/cli.hpp"
#include "app/cli/run_comparison.hpp"
#include "engine/exchange/file_answers.hpp"

namespace nw::cli {
namespace {

struct ChangedCommand {
  ComparedRun before, after;
  double seconds = 0.5;
  std::int64_t most = 10'000;
  bool from_files = false, json = false;
};

/// The changed images, as the network takes them.
Result<exchange::ProofImages> images_of(const ComparedRun& r, const std::vector<Flip>& flips) {
  NW_ASSIGN(const auto predictor, Predictor::open(r.run, r.checkpoint));
  NW_ASSIGN(const auto data, predictor->data());
  const auto& set = data->set_of("test");
  exchange::ProofImages images{.hwc = {},
                               .count = std::ssize(flips),
                               .height = set->height(),
                               .width = set->width(),
                               .channels = set->channels(),
                               .from = "test"};
  const auto each = static_cast<std::size_t>(set->bytes());
  images.hwc.resize(each * flips.size());
  for (std::size_t i = 0; i < flips.size(); ++i)
    NW_TRY(set->pixels(flips[i].sample, std::span(images.hwc).subspan(i * each, each)));
  return images;
}

/// How many of the flips both files repeat.
Result<std::int64_t> repeated(const ChangedCommand& o, const std::vector<Flip>& flips) {
  if (flips.empty()) return 0;
  NW_ASSIGN(const exchange::ProofImages images, images_of(o.before, flips));
  NW_ASSIGN(const auto before, exchange::classes_of_exported_file(o.before.run, o.before.checkpoint, images));
  NW_ASSIGN(const auto after, exchange::classes_of_exported_file(o.after.run, o.after.checkpoint, images));
  std::int64_t same = 0;
  for (std::size_t i = 0; i < flips.size(); ++i) same += before[i] == flips[i].before && after[i] == flips[i].after;
  return same;
}

/// Of the files: how many flips they repeat, or why there are none.
struct FromFiles {
  std::int64_t repeated = -1;
  Text problem;
};
FromFiles from_files(const ChangedCommand& o, const RunComparison& c) {
  const auto same = c.changes ? repeated(o, c.changes->flips) : Result<std::int64_t>(0);
  return same ? FromFiles{*same, {}} : FromFiles{-1, same.error().what};
}

void tell_stage(const char* stage) { print(Json{{"type", "stage"}, {"stage", stage}}.dump()); }

void show(const ChangedCommand& o, const RunComparison& c, const FromFiles& files) {
  print(fmt::format("size: {} of {} bytes", with_thousands(c.bytes_after), with_thousands(c.bytes_before)));
  show_changes(c);
  const char* names[2] = {"before", "after"};
  show_speed(c.speed_before, c.speed_after, names);
  if (!o.from_files) return;
  if (files.repeated < 0)
    note("Not computed from exported files: " + files.problem.str());
  else
    print(fmt::format("{} of {} changed predictions are those of the exported files", files.repeated,
                      c.changes ? c.changes->flips.size() : 0));
}

int changed_predictions_of(const ChangedCommand& o) {
  const auto c =
      compare_runs(o.before, o.after, o.seconds, one_core, o.json ? tell_stage : std::function<void(const char*)>());
  if (!c) return report(c.error());
  FromFiles files;
  if (o.from_files) {
    if (o.json) tell_stage("files");
    files = from_files(o, *c);
  }
  if (!o.json) return show(o, *c, files), 0;
  Json all = comparison_as_json(*c, static_cast<std::size_t>(o.most));
  all["type"] = "changed_predictions";
  if (o.from_files && files.repeated >= 0) all["repeated_by_files"] = files.repeated;
  if (o.from_files && files.repeated < 0) all["files_problem"] = files.problem.str();
  print(all.dump(-1, ' ', false, Json::error_handler_t::replace));
  return 0;
}

}  // namespace

void add_changed_predictions(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "changed-predictions",
      "Compare a smaller run with the one that it was made of: images that get another class, size and latency");
  auto o = std::make_shared<ChangedCommand>();
  command->add_option("BEFORE", o->before.run, "Folder of the run before")->required();
  command->add_option("AFTER", o->after.run, "Folder of the run after")->required();
  command->add_option("--checkpoint-before", o->before.checkpoint, "best, latest, or the name of a checkpoint");
  command->add_option("--checkpoint-after", o->after.checkpoint, "best, latest, or the name of a checkpoint");
  command->add_option("--seconds", o->seconds, "Time of each measurement of latency; 0: none are made")
      ->check(CLI::Range(0.0, 60.0))
      ->capture_default_str();
  command->add_option("--most", o->most, "--json: changed images that are listed, at most")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000}))
      ->capture_default_str();
  command->add_flag("--from-files", o->from_files,
                    "Export both runs as ONNX and compute the changed images from the files, too");
  command->add_flag("--json", o->json, "Print JSON lines: stages, and one object of the type changed_predictions");
  command->footer("Example: netwright-cli changed-predictions runs/lenet5 runs/lenet5-half --from-files");
  command->callback([=, &chosen] { chosen = [o] { return changed_predictions_of(*o); }; });
}

}  // namespace nw::cli
