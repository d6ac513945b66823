// SPDX-License-Identifier: GPL-3.0-or-later
// Which devices the lanes of a network get.
#include "ui/design/lanes/lane_devices.hpp"

#include <gtest/gtest.h>

namespace nw::ui {
namespace {
using Names = std::vector<std::string>;

std::vector<DeviceInfo> threeGpus() {
  std::vector<DeviceInfo> all;
  for (const char* name : {"cpu", "cuda:0", "cuda:1", "cuda:2"}) all.push_back({.name = name});
  return all;
}

TEST(LaneDevices, AreGpusWhereGpusWereChosen) {
  EXPECT_EQ(laneDevices({"cuda:1"}, threeGpus(), 2), (Names{"cuda:1", "cuda:0"}));
  EXPECT_EQ(laneDevices({"cuda:0", "cuda:2"}, threeGpus(), 3), (Names{"cuda:0", "cuda:2", "cuda:1"}));
  EXPECT_EQ(laneDevices({"cuda:0", "cuda:1", "cuda:2"}, threeGpus(), 2), (Names{"cuda:0", "cuda:1"}));
}

TEST(LaneDevices, ArePartsOfTheProcessorOtherwise) {
  EXPECT_EQ(laneDevices({"cpu"}, threeGpus(), 2), (Names{"cpu:0", "cpu:1"}));
  EXPECT_EQ(laneDevices({}, threeGpus(), 2), (Names{"cpu:0", "cpu:1"}));
  EXPECT_EQ(laneDevices({"cuda:0"}, threeGpus(), 4), (Names{"cpu:0", "cpu:1", "cpu:2", "cpu:3"}));
}

TEST(LaneDevices, AreUsable) {
  std::vector<DeviceInfo> known = threeGpus();
  known[2].usable = false;
  EXPECT_EQ(laneDevices({"cuda:0"}, known, 2), (Names{"cuda:0", "cuda:2"}));
}

}  // namespace
}  // namespace nw::ui
