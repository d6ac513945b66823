// SPDX-License-Identifier: Apache-2.0
// A run of its own, in 8 bits, of a trained run.
#pragma once
#include "engine/compress/calibration.hpp"
#include "engine/compress/measured/fine_tune.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::compress::int8 {

struct MadeRun {
  fs::path run;
  std::string checkpoint;                          // of the trained run
  std::int64_t bytes_before = 0, bytes_after = 0;  // of the files of weights
  std::int64_t calibration_images = 0;
  double learning_rate = 0;    // of the fine-tuning, at first
  std::vector<double> losses;  // mean of each epoch of the fine-tuning
};

/// Calibrates on the run's training images and writes the folder `to`, or a new one among the runs if it is empty: the
/// run's definition with that run as parent, one checkpoint, and the events of a finished run. `checkpoint`: a name,
/// "best" or "latest". With epochs of fine-tuning, the network learns to compute with rounded weights and values in
/// between (fake_quantized.hpp); weights that are exactly 0 before stay so. Errc::bad_input as of quantize(),
/// calibrate() and fine_tune(); Errc::usage: `to` holds a run already.
Result<MadeRun> make_run(const fs::path& run, const std::string& checkpoint, const CalibrationOptions&, fs::path to,
                         const FineTuning& = {});

}  // namespace nw::compress::int8
