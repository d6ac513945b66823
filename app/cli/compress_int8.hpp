// SPDX-License-Identifier: Apache-2.0
// compress --int8.
#pragma once
#include <string>

#include "engine/compress/calibration.hpp"
#include "engine/compress/measured/fine_tune.hpp"

namespace CLI {
class App;
}

namespace nw::cli {

struct Int8Command {
  std::string run, to, checkpoint = "best";
  compress::CalibrationOptions calibration{};
  compress::FineTuning fine_tuning{};  // with rounded weights and values
  double seconds = 0.5;                // of each measurement of latency; 0: none
  bool trial = false;                  // only the latency, of a run that is not kept
  bool json = false;
};

/// Makes the run, evaluates and times both. Returns the exit code.
int compress_int8(Int8Command);

}  // namespace nw::cli
