// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compress_int8.hpp"

#include <unistd.h>

#include "app/cli/cli.hpp"
#include "app/cli/compressed_outcome.hpp"
#include "engine/compress/int8/make_run.hpp"
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

struct Costs {
  compress::int8::MadeRun made;
  Outcome outcome;
  std::vector<InferenceSpeed> fp32, int8;
};

Status time_both(const Int8Command& o, Costs& c) {
  if (o.seconds <= 0) return {};
  SpeedRequest request{.run = o.run, .checkpoint = c.made.checkpoint, .seconds = o.seconds};
  NW_ASSIGN(c.fp32, measure_inference(request));
  request.run = c.made.run;
  request.checkpoint = "best";
  NW_ASSIGN(c.int8, measure_inference(request));
  return {};
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
  print(fmt::format("size: {}", size_text(c.made.bytes_after, c.made.bytes_before)));
  show_losses(c.made.learning_rate, c.made.losses);
  show_outcome(c.outcome);
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

void show_json(const Costs& c) {
  Json all{{"type", "int8"},
           {"run", c.made.run.string()},
           {"checkpoint", c.made.checkpoint},
           {"calibration_images", c.made.calibration_images},
           {"bytes", {{"before", c.made.bytes_before}, {"after", c.made.bytes_after}}},
           {"instruction_set", nw::int8::best_kernels().name},
           {"latency", {{"fp32", json_of(c.fp32)}, {"int8", json_of(c.int8)}}}};
  if (!c.made.losses.empty()) all["fine_tuning"] = fine_tuning_json(c.made.learning_rate, c.made.losses);
  add_outcome(all, c.outcome);
  print(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

int compress_int8(Int8Command o) {
  if (!o.json) {
    o.calibration.progress = show_progress;
    o.fine_tuning.progress = show_fine_tuning;
  }
  const auto made = compress::int8::make_run(o.run, o.checkpoint, o.calibration, o.to, o.fine_tuning);
  if (!made) return report(made.error());
  const auto outcome = compare_runs(o.run, made->checkpoint, made->run);
  if (!outcome) return report(outcome.error());
  Costs costs{.made = *made, .outcome = *outcome};
  if (const Status done = time_both(o, costs); !done) return report(done.error());
  o.json ? show_json(costs) : show(costs);
  return 0;
}

}  // namespace nw::cli
