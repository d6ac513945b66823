// SPDX-License-Identifier: Apache-2.0
// One network on two devices: whether their results agree, layer by layer, and which device is faster.
#pragma once
#include "engine/predict/speed.hpp"

namespace nw {

struct LayerDifference {
  std::string layer;   // dotted name
  double largest = 0;  // largest absolute difference of corresponding numbers
  double scale = 0;    // largest absolute value on the first device
  bool finite = true;  // all values are finite on both devices
  double relative() const { return scale > 0 ? largest / scale : largest; }
};

struct DeviceResult {
  InferenceSpeed speed;  // in batches of comparison_batch
  double loss = 0, accuracy = 0;
};

struct DeviceComparison {
  DeviceResult first, second;
  std::int64_t images = 0, otherwise = 0;  // images compared; images with different predicted classes
  double tolerance = 0;
  std::vector<LayerDifference> layers;  // in the order of computation, for the first batch
  // the first layer beyond the tolerance or with a non-finite value; -1: none
  int diverging = -1;
};

struct DeviceComparisonRequest {
  fs::path run;
  std::string checkpoint = "best", split = "test";
  std::string first = "cpu", second = "reference";  // as parsed by inference_device()
  std::int64_t images = 512;                        // upper limit
  double tolerance = 1e-3;                          // relative to the largest absolute value of a layer
  double seconds = 1;                               // duration of the timing on each device
};
inline constexpr std::int64_t comparison_batch = 64;

Result<DeviceComparison> compare_devices(const DeviceComparisonRequest&);
/// Index of the first layer whose relative difference exceeds `tolerance` or which is not finite; -1: none.
int first_diverging(const std::vector<LayerDifference>&, double tolerance);
/// An HTML page in the style of engine/predict/report.hpp.
std::string html_report(const DeviceComparison&, const std::string& run_name);

}  // namespace nw
