// SPDX-License-Identifier: Apache-2.0
// Runs a network in fp32 on images of its training data and measures the ranges of all its layers' outputs.
#pragma once
#include <functional>
#include <vector>

#include "engine/compress/ranges.hpp"
#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"
#include "kernels/api.hpp"

namespace nw {
struct RunDefinition;
}

namespace nw::compress {

struct CalibrationOptions {
  std::int64_t images = 256;  // at most; evenly from the training part
  CalibrationMethod method = CalibrationMethod::mse;
  /// Called after each batch, with the images that are done and all of them; false stops with Errc::stopped.
  std::function<bool(std::int64_t, std::int64_t)> progress{};
};

/// Images, read when they are needed.
struct CalibrationImages {
  std::int64_t count = 0, height = 0, width = 0, channels = 0;
  std::function<Status(std::int64_t image, std::span<std::uint8_t> hwc)> pixels;
};
/// At most `most` images, evenly from the training part of the run's data. Errc::bad_input: the data are not there, or
/// are not of the run's size.
Result<CalibrationImages> calibration_images(const RunDefinition&, std::int64_t most);

/// A network whose weights the caller writes.
struct CalibratedNetwork {
  const GraphDoc& doc;
  std::vector<float> mean, deviation;  // empty: pixels are scaled to 0 to 1 only
  std::function<Status(const Plan&, Executable&)> load;
};
/// By the layers' names; the network's input included. Memory: one batch of 8 images with all layers' outputs, whatever
/// the number of images. A layer whose values are not finite is counted as such, and is no error here.
Result<RangeTable> calibrate(const CalibratedNetwork&, const CalibrationImages&,
                             const std::function<bool(std::int64_t, std::int64_t)>& progress = {});

}  // namespace nw::compress
