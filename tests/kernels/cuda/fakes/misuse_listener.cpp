// SPDX-License-Identifier: Apache-2.0
// A test fails that uses the fake driver in a way that no driver survives.
#include <gtest/gtest.h>

#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::cuda {
namespace {

class MisuseListener final : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo&) override {
    for (const std::string& m : fake_misuses()) ADD_FAILURE() << "the fake driver was misused: " << m;
  }
};
[[maybe_unused]] const bool listens = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new MisuseListener);
  return true;
}();

}  // namespace
}  // namespace nw::cuda
