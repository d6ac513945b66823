// SPDX-License-Identifier: Apache-2.0
// Outputs of the layers of a project's network for one image, as small grey images and statistics: with initial weights
// or with those of a run.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/compile/compile.hpp"
#include "engine/core/files.hpp"

namespace nw {

inline constexpr std::int64_t output_picture_side = 48;

struct OutputImage {
  std::string name;  // the layer's dotted name
  Shape shape;       // without the batch
  std::vector<std::uint8_t>
      grey;  // side × side: the first four feature maps of an image, or the first values of a vector
  double least = 0, mean = 0, most = 0, deviation = 0,
         zeros = 0;  // over all values of the layer; zeros: fraction of exact zeros
};

struct OutputRequest {
  DataFacts data;
  std::span<const float> nhwc;     // one normalized image in host layout
  std::vector<std::string> names;  // requested layers; unknown names are omitted from the result
  fs::path run;                    // empty: initial weights with the document's seed
  std::string checkpoint;
};
Result<std::vector<OutputImage>> output_images(const GraphDoc&, const OutputRequest&);

}  // namespace nw
