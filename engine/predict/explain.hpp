// SPDX-License-Identifier: Apache-2.0
// Attribution: how much each pixel, or each position of a layer's maps, contributes to a class score.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/result.hpp"

namespace nw {

enum class ExplainMethod : std::uint8_t {
  // Selvaraju et al., arXiv 1610.02391: maps weighted by their mean gradient; negative sums become 0
  grad_cam,
  grad_cam_plus_plus,  // Chattopadhyay et al., arXiv 1710.11063: each position's gradient is weighted separately
  saliency,            // Simonyan et al., arXiv 1312.6034: absolute gradient, the maximum over a pixel's channels
  // Sundararajan et al., arXiv 1703.01365: the gradient along the path from black; sums to the change of the score
  integrated_gradients,
  // Zeiler & Fergus, arXiv 1311.2901: the decrease of the score when a patch is covered with the mean colour
  occlusion,
};
/// "grad-cam", "grad-cam++", "saliency", "integrated-gradients", "occlusion".
Result<ExplainMethod> explain_method(std::string_view name);
std::string_view name_of(ExplainMethod);

struct ExplainOptions {
  ExplainMethod method = ExplainMethod::grad_cam;
  std::int64_t target = -1;  // the class to explain; -1: the predicted one
  std::string layer;         // Grad-CAM: the layer of the maps; empty: the last one larger than 1×1
  std::int64_t steps = 64;   // integrated gradients: points of the path
  // occlusion: side in pixels; 0: a quarter of the image's shorter side. Moved by half of it
  std::int64_t patch = 0;
};

struct Explanation {
  std::int64_t height = 0, width = 0;  // of the image
  std::vector<float> weight;           // (H,W); negative: evidence against the class
  std::int64_t target = 0;
  std::string layer;  // Grad-CAM: the layer of the maps
  double score = 0;   // of the class, before softmax or sigmoid
};

}  // namespace nw
