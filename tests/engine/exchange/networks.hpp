// SPDX-License-Identifier: Apache-2.0
// Networks with weights, and what they compute.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/design/draft.hpp"
#include "engine/exchange/export_onnx.hpp"
#include "tests/engine/exchange/tiny_model.hpp"

namespace nw::exchange {

/// The document with initial weights and statistics that differ from 0 and 1.
inline ExportSource source_of(const GraphDoc& doc) {
  ExportSource s{.name = "network", .doc = doc};
  const auto flat = flatten(doc, {.training = false, .batch = 1});
  EXPECT_TRUE(flat) << flat.error().str();
  if (!flat) return s;
  const auto weights = initial_weights(*flat, 3);
  EXPECT_TRUE(weights);
  s.weights = *weights;
  for (auto& [name, w] : s.weights) {
    const auto extra = noise(std::ssize(w.values), static_cast<std::uint32_t>(name.size()));
    for (std::size_t i = 0; i < w.values.size(); ++i)
      w.values[i] += name.ends_with("running_var") ? 0.5F + 0.4F * extra[i] : 0.1F * extra[i];
  }
  return s;
}

inline std::vector<float> outputs(const GraphDoc& doc, const Weights& weights, std::int64_t count = 2) {
  const auto flat = flatten(doc, {.training = false, .batch = 1});
  const auto each = flat->layers[static_cast<std::size_t>(flat->input)].shape.per_sample();
  const auto scores = run_network(doc, weights, noise(count * each), count);
  EXPECT_TRUE(scores) << scores.error().str();
  return scores ? *scores : std::vector<float>{};
}

/// Largest difference of the outputs relative to the largest output.
inline double relative(const std::vector<float>& a, const std::vector<float>& b) {
  double diff = 0, largest = 1e-6;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    diff = std::max(diff, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    largest = std::max(largest, std::abs(static_cast<double>(b[i])));
  }
  return a.size() == b.size() ? diff / largest : INFINITY;
}

/// Stride 1 and dilation 2: its output_padding is as large as the stride, which onnxruntime refuses.
inline AttrMap transposed(std::vector<std::int64_t> padding, std::vector<std::int64_t> output_padding, bool bias) {
  return {{"out_channels", std::int64_t{3}},
          {"kernel_size", std::vector<std::int64_t>{2, 2}},
          {"stride", std::vector<std::int64_t>{1, 1}},
          {"dilation", std::vector<std::int64_t>{2, 2}},
          {"padding", std::move(padding)},
          {"output_padding", std::move(output_padding)},
          {"bias", bias}};
}

}  // namespace nw::exchange
