// SPDX-License-Identifier: Apache-2.0
// The GPUs that can train, through the plug-in beside this program. Tests skip with the reason if there is none.
#pragma once
#include <gtest/gtest.h>

#include "engine/backend/plugin.hpp"
#include "engine/core/files.hpp"
#include "kernels/api.hpp"

namespace nw::test {

struct Found {
  std::vector<std::shared_ptr<Device>> all;
  std::shared_ptr<Device> gpu;  // the first
  std::string why_not;          // there is none
};
inline const Found& found() {
  static const Found f = [] {
    const auto backend = open_backend(program_folder() / "libnw_cuda.so", "cuda");
    if (!backend) return Found{{}, nullptr, backend.error().str()};
    const auto devices = (*backend)->devices();
    if (!devices.empty()) return Found{devices, devices.front(), ""};
    const auto missing = (*backend)->missing(0);
    return Found{{}, nullptr, missing.empty() ? "there is no GPU" : missing.front().str()};
  }();
  return f;
}
class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (!found().gpu) GTEST_SKIP() << "SKIPPED: " << found().why_not;
  }
};

}  // namespace nw::test
