// SPDX-License-Identifier: Apache-2.0
// The plan of a network on a device, for tests of what the compiler makes of it.
#pragma once
#include <gtest/gtest.h>

#include "engine/compile/compile.hpp"
#include "kernels/api.hpp"

namespace nw {

inline std::shared_ptr<Device> cpu_device() { return cpu_backend().devices().front(); }

inline Plan planned(const GraphDoc& doc, const Target& target = {}) {
  const auto compiled = compile(doc, target);
  EXPECT_TRUE(compiled) << compiled.error().str();
  return compiled ? compiled->plan : Plan{};
}
/// With batches of 20 images.
inline Plan planned(const GraphDoc& doc, const Device& device, bool training = true, bool every_layer = false) {
  return planned(doc, {.training = training, .batch = 20, .device = &device, .every_layer = every_layer});
}

}  // namespace nw
