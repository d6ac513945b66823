// SPDX-License-Identifier: Apache-2.0
// Calls of a network, timed. Private to engine/predict.
#pragma once
#include "engine/predict/forward.hpp"
#include "engine/predict/speed.hpp"

namespace nw::predicting {

/// The same numbers from -1 to 1 every time.
std::vector<float> noise(std::int64_t elements);
/// `goes_on` is asked after every call; false: Errc::stopped. Device and threads are left to the caller.
Result<InferenceSpeed> time_calls(Forward&, std::span<const float> images, std::int64_t batch, double seconds,
                                  const std::function<bool()>& goes_on);
/// What "best" and "latest" stand for now; other names as they are.
Result<std::string> checkpoint_named(const fs::path& run, const std::string& name);

}  // namespace nw::predicting
