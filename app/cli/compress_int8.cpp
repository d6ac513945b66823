// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compress_int8.hpp"

#include <unistd.h>

#include <optional>

#include "app/cli/cli.hpp"
#include "engine/compress/int8/make_run.hpp"
#include "engine/predict/changed_predictions.hpp"
#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/speed.hpp"
#include "kernels/int8.hpp"

namespace nw::cli {
namespace {

bool show_progress(std::int64_t done, std::int64_t images) {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (terminal)
    std::fprintf(stderr, "\r\033[KCalibrating: %lld of %lld images%s", static_cast<long long>(done),
                 static_cast<long long>(images), done < images ? "" : "\r\033[K");
  return true;
}

Result<Evaluation> evaluation_of(const fs::path& run, const std::string& checkpoint) {
  NW_ASSIGN(const auto predictor, Predictor::open(run, checkpoint));
  return predictor->evaluate("test");
}

struct Costs {
  compress::int8::MadeRun made;
  TargetKind kind = TargetKind::classes;
  double before = 0, after = 0;  // the measure of the targets
  std::optional<ChangedPredictions> changes;
  std::vector<InferenceSpeed> fp32, int8;
};

Status compare(const Int8Command& o, Costs& c) {
  NW_ASSIGN(const Evaluation before, evaluation_of(o.run, c.made.checkpoint));
  NW_ASSIGN(const Evaluation after, evaluation_of(c.made.run, "best"));
  c.kind = before.kind;
  c.before = before.accuracy;
  c.after = after.accuracy;
  if (before.kind != TargetKind::classes) return {};
  NW_ASSIGN(c.changes, changed_predictions(before, after));
  return {};
}

Status time_both(const Int8Command& o, Costs& c) {
  if (o.seconds <= 0) return {};
  SpeedRequest request{.run = o.run, .checkpoint = c.made.checkpoint, .seconds = o.seconds};
  NW_ASSIGN(c.fp32, measure_inference(request));
  request.run = c.made.run;
  request.checkpoint = "best";
  NW_ASSIGN(c.int8, measure_inference(request));
  return {};
}

std::string size_text(const compress::int8::MadeRun& m) {
  return fmt::format("{} of {} bytes ({:.3f}x)", with_thousands(m.bytes_after), with_thousands(m.bytes_before),
                     m.bytes_before > 0 ? static_cast<double>(m.bytes_after) / static_cast<double>(m.bytes_before) : 0);
}

void show_flips(const Costs& c) {
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

void show_speed(const Costs& c) {
  std::vector<std::vector<std::string>> rows{{"batch", "fp32 ms", "int8 ms", "times as fast"}};
  std::string slower;
  for (std::size_t i = 0; i < c.int8.size(); ++i) {
    const double ratio = c.fp32[i].latency_ms / c.int8[i].latency_ms;
    rows.push_back({std::to_string(c.int8[i].batch), fmt::format("{:.3f}", c.fp32[i].latency_ms),
                    fmt::format("{:.3f}", c.int8[i].latency_ms), fmt::format("{:.2f}", ratio)});
    if (ratio < 1.05) slower += fmt::format("{}{}", slower.empty() ? "" : ", ", c.int8[i].batch);
  }
  if (rows.size() == 1) return;
  print_lines(table(rows));
  if (!slower.empty())
    note(fmt::format("On this processor ({}) 8 bits are not faster with batches of {}", nw::int8::best_kernels().name,
                     slower));
}

void show(const Costs& c) {
  print(fmt::format("run:  {}", printable(c.made.run.string())));
  print(fmt::format("size: {}", size_text(c.made)));
  if (c.changes)
    show_flips(c);
  else
    print(fmt::format("test {}: {} before, {} after", measure_name(c.kind), measure_text(c.kind, c.before),
                      measure_text(c.kind, c.after)));
  show_speed(c);
}

Json json_of(const std::vector<InferenceSpeed>& all) {
  Json rows = Json::array();
  for (const InferenceSpeed& s : all)
    rows.push_back({{"batch", s.batch},
                    {"latency_ms", s.latency_ms},
                    {"slowest_ms", s.slowest_ms},
                    {"images_per_s", s.images_per_s},
                    {"threads", s.threads}});
  return rows;
}

Json json_of(const ChangedPredictions& d) {
  Json flips = Json::array();
  for (const Flip& f : d.flips)
    flips.push_back({{"sample", f.sample},
                     {"label", f.label},
                     {"before", f.before},
                     {"after", f.after},
                     {"confidence_before", f.confidence_before},
                     {"confidence_after", f.confidence_after}});
  return {{"samples", d.samples},
          {"both_right", d.both},
          {"only_before", d.only_before},
          {"only_after", d.only_after},
          {"neither", d.neither},
          {"change", d.change},
          {"change_interval", {d.change_low, d.change_high}},
          {"mcnemar_p", d.p},
          {"flips", flips}};
}

void show_json(const Costs& c) {
  Json all{{"type", "int8"},
           {"run", c.made.run.string()},
           {"checkpoint", c.made.checkpoint},
           {"calibration_images", c.made.calibration_images},
           {"bytes", {{"before", c.made.bytes_before}, {"after", c.made.bytes_after}}},
           {"metric", name_of(metric_of(c.kind))},
           {"accuracy", {{"before", c.before}, {"after", c.after}}},
           {"instruction_set", nw::int8::best_kernels().name},
           {"latency", {{"fp32", json_of(c.fp32)}, {"int8", json_of(c.int8)}}}};
  if (c.changes) all["changes"] = json_of(*c.changes);
  print(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

int compress_int8(Int8Command o) {
  if (!o.json) o.calibration.progress = show_progress;
  const auto made = compress::int8::make_run(o.run, o.checkpoint, o.calibration, o.to);
  if (!made) return report(made.error());
  Costs costs{.made = *made};
  if (const Status done = compare(o, costs); !done) return report(done.error());
  if (const Status done = time_both(o, costs); !done) return report(done.error());
  o.json ? show_json(costs) : show(costs);
  return 0;
}

}  // namespace nw::cli
