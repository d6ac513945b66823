// SPDX-License-Identifier: Apache-2.0
// A power cut at any moment: what the disk may hold then loads, and nothing that was reported is lost. Plays
// power_cut/power_cut.py: some cuts in a normal run, every cut in each of its states with NETWRIGHT_LONG=1.
#include <gtest/gtest.h>
#include <cstdlib>

#include "tests/app/command.hpp"

namespace nw {
namespace {

class PowerCut : public testing::TestWithParam<const char*> {};

TEST_P(PowerCut, LosesNothingThatWasReported) {
  const Folder place;
  const std::string script = test::source_folder() + "/tests/torture/power_cut/power_cut.py";
  const CommandOutput played =
      Command(place, {"--only", GetParam(), "--cuts", std::getenv("NETWRIGHT_LONG") ? "0" : "12"},
              {.words = {"python3", "-B", script}, .first = {}})
          .wait();
  if (played.code == 77) GTEST_SKIP() << played.out;
  EXPECT_EQ(played.code, 0) << played.out << played.err;
}

INSTANTIATE_TEST_SUITE_P(Of, PowerCut, testing::Values("project", "weights", "queue", "training", "resumed", "study"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace nw
