// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_comparison.hpp"

#include <cmath>

#include "app/cli/cli.hpp"
#include "engine/predict/evaluation_metrics.hpp"
#include "engine/runs/run_folder.hpp"
#include "kernels/int8.hpp"

namespace nw::cli {
namespace {

Result<Evaluation> evaluation_of(const ComparedRun& r) {
  NW_ASSIGN(const auto predictor, Predictor::open(r.run, r.checkpoint));
  return predictor->evaluate("test");
}

Json interval(double share, std::int64_t of) {
  const auto [low, high] = share_interval(share, of);
  return {low, high};
}

}  // namespace

std::int64_t weight_bytes_of(const fs::path& run, const std::string& checkpoint) {
  std::string name = checkpoint;
  if (checkpoint == "best" || checkpoint == "latest") {
    const auto found = checkpoint == "best" ? best_checkpoint(run) : latest_checkpoint(run);
    if (!found) return 0;
    name = found->name;
  }
  std::error_code error;
  const auto bytes = fs::file_size(run / "checkpoints" / name / "model.safetensors", error);
  return error ? 0 : static_cast<std::int64_t>(bytes);
}

Result<RunComparison> compare_runs(const ComparedRun& before, const ComparedRun& after, double seconds,
                                   const std::string& device, const std::function<void(const char*)>& stage) {
  const auto begin = [&](const char* name) {
    if (stage) stage(name);
  };
  RunComparison c{.bytes_before = weight_bytes_of(before.run, before.checkpoint),
                  .bytes_after = weight_bytes_of(after.run, after.checkpoint)};
  begin("before");
  NW_ASSIGN(const Evaluation first, evaluation_of(before));
  begin("after");
  NW_ASSIGN(const Evaluation second, evaluation_of(after));
  c.kind = first.kind;
  c.before = first.accuracy;
  c.after = second.accuracy;
  if (first.kind == TargetKind::classes) { NW_ASSIGN(c.changes, changed_predictions(first, second)); }
  if (seconds <= 0) return c;
  begin("latency");
  const auto time = [&](const ComparedRun& r) {
    return measure_inference({.run = r.run, .checkpoint = r.checkpoint, .devices = {device}, .seconds = seconds});
  };
  NW_ASSIGN(c.speed_before, time(before));
  NW_ASSIGN(c.speed_after, time(after));
  return c;
}

void show_changes(const RunComparison& c) {
  if (!c.changes)
    return print(fmt::format("test {}: {} before, {} after", measure_name(c.kind), measure_text(c.kind, c.before),
                             measure_text(c.kind, c.after)));
  constexpr std::size_t most = 10;
  const ChangedPredictions& d = *c.changes;
  const auto [low, high] = share_interval(d.accuracy_after, d.samples);
  print(fmt::format("test accuracy: {} before, {} after (95 % interval {} to {}), {} images",
                    percent(d.accuracy_before), percent(d.accuracy_after), percent(low), percent(high),
                    with_thousands(d.samples)));
  print(
      fmt::format("change: {:+.2f} points (95 % interval {:+.2f} to {:+.2f}); McNemar's test p = {:.3g}: {} right only "
                  "before, {} right only after",
                  100 * d.change, 100 * d.change_low, 100 * d.change_high, d.p, d.only_before, d.only_after));
  if (d.flips.empty()) return;
  print(fmt::format("{} images get another class; those that were most certain before:", d.flips.size()));
  std::vector<std::vector<std::string>> rows{{"image", "label", "before", "after", "confidence before", "after"}};
  for (std::size_t i = 0; i < std::min(most, d.flips.size()); ++i) {
    const Flip& f = d.flips[i];
    rows.push_back({std::to_string(f.sample), std::to_string(f.label), std::to_string(f.before),
                    std::to_string(f.after), percent(static_cast<double>(f.confidence_before)),
                    percent(static_cast<double>(f.confidence_after))});
  }
  print_lines(table(rows));
}

void show_speed(const std::vector<InferenceSpeed>& before, const std::vector<InferenceSpeed>& after,
                const char* names[2]) {
  std::vector<std::vector<std::string>> rows{
      {"batch", fmt::format("{} ms", names[0]), fmt::format("{} ms", names[1]), "times as fast"}};
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    rows.push_back({std::to_string(after[i].batch), fmt::format("{:.3f}", before[i].latency_ms),
                    fmt::format("{:.3f}", after[i].latency_ms),
                    fmt::format("{:.2f}", before[i].latency_ms / after[i].latency_ms)});
  if (rows.size() == 1) return;
  print_lines(table(rows));
  if (const auto slower = not_faster(before, after); !slower.empty())
    note(fmt::format("On this processor ({}) {} is not faster with batches of {}", nw::int8::best_kernels().name,
                     names[1], fmt::join(slower, ", ")));
}

Json speeds_as_json(const std::vector<InferenceSpeed>& all) {
  Json rows = Json::array();
  for (const InferenceSpeed& s : all)
    rows.push_back({{"batch", s.batch},
                    {"latency_ms", s.latency_ms},
                    {"slowest_ms", s.slowest_ms},
                    {"images_per_s", s.images_per_s},
                    {"threads", s.threads}});
  return rows;
}

Json changes_as_json(const ChangedPredictions& d, std::size_t most) {
  Json flips = Json::array();
  for (const Flip& f : d.flips) {
    if (flips.size() >= most) break;
    flips.push_back({{"sample", f.sample},
                     {"label", f.label},
                     {"before", f.before},
                     {"after", f.after},
                     {"confidence_before", f.confidence_before},
                     {"confidence_after", f.confidence_after},
                     {"margin", f.margin}});
  }
  return {{"samples", d.samples},
          {"both_right", d.both},
          {"only_before", d.only_before},
          {"only_after", d.only_after},
          {"neither", d.neither},
          {"change", d.change},
          {"change_interval", {d.change_low, d.change_high}},
          {"mcnemar_p", d.p},
          {"flips_in_all", d.flips.size()},
          {"flips", flips}};
}

Json comparison_as_json(const RunComparison& c, std::size_t most_flips) {
  Json all{{"metric", name_of(metric_of(c.kind))},
           {"accuracy", {{"before", c.before}, {"after", c.after}}},
           {"bytes", {{"before", c.bytes_before}, {"after", c.bytes_after}}},
           {"instruction_set", nw::int8::best_kernels().name},
           {"latency", {{"before", speeds_as_json(c.speed_before)}, {"after", speeds_as_json(c.speed_after)}}},
           {"not_faster", not_faster(c.speed_before, c.speed_after)}};
  if (!c.changes) return all;
  all["interval"] = {{"before", interval(c.before, c.changes->samples)},
                     {"after", interval(c.after, c.changes->samples)}};
  all["changes"] = changes_as_json(*c.changes, most_flips);
  return all;
}

void show_trial(const SpeedTrial& t, const char* names[2], bool json) {
  if (!json) return show_speed(t.before, t.after, names);
  print(Json{{"type", "trial"},
             {"instruction_set", nw::int8::best_kernels().name},
             {"latency", {{"before", speeds_as_json(t.before)}, {"after", speeds_as_json(t.after)}}},
             {"not_faster", not_faster(t.before, t.after)}}
            .dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace nw::cli
