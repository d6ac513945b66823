// SPDX-License-Identifier: Apache-2.0
// Timing of inference calls. Private to engine/predict.
#pragma once
#include "engine/predict/forward.hpp"
#include "engine/predict/speed.hpp"

namespace nw::predicting {

/// Pseudo-random numbers from -1 to 1, the same for every call.
std::vector<float> noise(std::int64_t elements);
/// Times calls for about `seconds`. `goes_on` is called after every call; false: Errc::stopped. The caller sets the
/// device and threads of the result.
Result<InferenceSpeed> time_calls(Forward&, std::span<const float> images, std::int64_t batch, double seconds,
                                  const std::function<bool()>& goes_on);
/// The checkpoint that "best" or "latest" currently refers to; other names are returned unchanged.
Result<std::string> checkpoint_named(const fs::path& run, const std::string& name);

}  // namespace nw::predicting
