// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compress_int8.hpp"

#include <unistd.h>

#include <algorithm>

#include "app/cli/cli.hpp"
#include "app/cli/fine_tuning_text.hpp"
#include "app/cli/run_comparison.hpp"
#include "engine/compress/int8/make_run.hpp"
#include "engine/exchange/proof_parts.hpp"

namespace nw::cli {
namespace {

bool show_progress(std::int64_t done, std::int64_t images) {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (terminal)
    std::fprintf(stderr, "\r\033[KCalibrating: %lld of %lld images%s", static_cast<long long>(done),
                 static_cast<long long>(images), done < images ? "" : "\r\033[K");
  return true;
}

const char* columns[2] = {"fp32", "int8"};

void show(const compress::int8::MadeRun& made, const RunComparison& c) {
  print(fmt::format("run:  {}", printable(made.run.string())));
  print(fmt::format("size: {}", size_text(made.bytes_after, made.bytes_before)));
  show_losses(made.learning_rate, made.losses);
  show_changes(c);
  show_speed(c.speed_before, c.speed_after, columns);
}

void show_json(const compress::int8::MadeRun& made, const RunComparison& c) {
  Json all = comparison_as_json(c, c.changes ? c.changes->flips.size() : 0);
  all["type"] = "int8";
  all["run"] = made.run.string();
  all["checkpoint"] = made.checkpoint;
  all["calibration_images"] = made.calibration_images;
  all["bytes"] = {{"before", made.bytes_before}, {"after", made.bytes_after}};
  if (!made.losses.empty()) all["fine_tuning"] = fine_tuning_json(made.learning_rate, made.losses);
  all["latency"] = {{"fp32", speeds_as_json(c.speed_before)}, {"int8", speeds_as_json(c.speed_after)}};
  print(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

/// What it would bring in speed, of a run that is not kept.
static int try_int8(const Int8Command& o) {
  const exchange::ScratchFolder scratch;
  if (scratch.path.empty()) return report(fail(Errc::disk, NW_TR("There is no folder for temporary files")));
  compress::CalibrationOptions few = o.calibration;
  few.images = std::min<std::int64_t>(few.images, 16);  // the time does not depend on the ranges
  const auto made = compress::int8::make_run(o.run, o.checkpoint, few, scratch.path / "trial", {});
  if (!made) return report(made.error());
  SpeedTrial trial;
  const auto time = [&](const std::string& run, const std::string& checkpoint) {
    return measure_inference({.run = run, .checkpoint = checkpoint, .devices = {one_core}, .seconds = o.seconds});
  };
  auto before = time(o.run, made->checkpoint), after = time(made->run.string(), "best");
  if (!before || !after) return report(before ? after.error() : before.error());
  show_trial({*std::move(before), *std::move(after)}, columns, o.json);
  return 0;
}

int compress_int8(Int8Command o) {
  if (o.trial) return try_int8(o);
  if (!o.json) {
    o.calibration.progress = show_progress;
    o.fine_tuning.progress = show_fine_tuning;
  }
  const auto made = compress::int8::make_run(o.run, o.checkpoint, o.calibration, o.to, o.fine_tuning);
  if (!made) return report(made.error());
  const auto c = compare_runs({o.run, made->checkpoint}, {made->run.string(), "best"}, o.seconds, all_cores);
  if (!c) return report(c.error());
  o.json ? show_json(*made, *c) : show(*made, *c);
  return 0;
}

}  // namespace nw::cli
