// SPDX-License-Identifier: Apache-2.0
// Compatible plug-ins are loaded; an incompatible one is rejected with a sentence that names the cause, the file and
// the action to take.
#include "engine/backend/plugin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "engine/backend/devices.hpp"
#include "engine/monitor/monitor.hpp"

namespace nw {
namespace {
namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Plugin : public testing::Test {
 protected:
  ~Plugin() override { set_plugin_folder(""); }
  fs::path folder(const std::string& which) const { return fs::path(NW_TEST_PLUGINS) / which; }
  std::string refusal(const std::string& which) {
    set_plugin_folder(folder(which));
    const auto found = resolve_devices({"cuda:0"}, 1);
    if (found) return "";
    EXPECT_EQ(found.error().code, Errc::no_device);
    return found.error().str();
  }
};

TEST_F(Plugin, CompatiblePluginProvidesItsDevices) {
  EXPECT_EQ(refusal("good"), "");
  const auto found = resolve_devices({"cuda:1", "cuda:0"}, 2);
  ASSERT_TRUE(static_cast<bool>(found));
  EXPECT_EQ((*found)[0].device->name(), "cuda:1");
  EXPECT_EQ((*found)[1].device->description(), "test GPU");
}
TEST_F(Plugin, CudaWithoutIndexSelectsTheFirstDevice) {
  set_plugin_folder(folder("good"));
  const auto found = resolve_devices({"cuda"}, 1);
  ASSERT_TRUE(static_cast<bool>(found));
  EXPECT_EQ(found->front().device->name(), "cuda:0");
  EXPECT_FALSE(static_cast<bool>(resolve_devices({"cuda", "cuda:0"}, 1)));
}
TEST(DevicesOfAProcess, AreTheGpuOfItsNumber) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(devices_of_process({"cuda"}, 0, 2), Names{"cuda:0"});
  EXPECT_EQ(devices_of_process({"cuda"}, 3, 2), Names{"cuda:1"});
  EXPECT_EQ(devices_of_process({"cuda"}, 1, 0), Names{"cuda"});
  EXPECT_EQ(devices_of_process({"cuda:0"}, 1, 2), Names{"cuda:0"});
  EXPECT_EQ(devices_of_process({"cpu"}, 1, 2), Names{"cpu"});
}
TEST_F(Plugin, UnknownDeviceErrorListsAvailableDevices) {
  set_plugin_folder(folder("good"));
  const auto found = resolve_devices({"cuda:7"}, 1);
  ASSERT_FALSE(static_cast<bool>(found));
  EXPECT_THAT(found.error().str(), AllOf(HasSubstr("cuda:7"), HasSubstr("cuda:0 to cuda:1")));
}
TEST_F(Plugin, MissingDriverIsReported) {
  EXPECT_EQ(refusal("without_device"), "the driver is missing; install it");
  ASSERT_EQ(missing_for_gpus(nullptr).size(), 1u);
}
TEST_F(Plugin, VersionMismatchErrorNamesBothVersions) {
  EXPECT_THAT(refusal("newer"), AllOf(HasSubstr("newer/libnw_cuda.so"), HasSubstr("version 1000"),
                                      HasSubstr(std::to_string(backend_api_version))));
}
TEST_F(Plugin, BackendNameMismatchIsRejected) {
  EXPECT_THAT(refusal("other_name"), AllOf(HasSubstr("\"abacus\""), HasSubstr("\"cuda\"")));
}
TEST_F(Plugin, PluginWithoutBackendIsRejected) { EXPECT_THAT(refusal("null"), HasSubstr("offers no backend")); }
TEST_F(Plugin, WithoutTheSymbolIsRejected) { EXPECT_THAT(refusal("no_symbol"), HasSubstr("netwright_backend")); }

TEST_F(Plugin, FileThatIsNotALibraryIsRejected) {
  const fs::path here = fs::temp_directory_path() / ("nw-plugin-" + std::to_string(::getpid()));
  fs::create_directory(here);
  for (const std::string& bytes : {std::string("not a library"), std::string(),
                                   std::string("\x7f"
                                               "ELF\2\1\1") +
                                       std::string(200, '\0')}) {
    std::ofstream(here / "libnw_cuda.so", std::ios::binary | std::ios::trunc) << bytes;
    const auto opened = open_backend(here / "libnw_cuda.so", "cuda");
    ASSERT_FALSE(static_cast<bool>(opened));
    EXPECT_THAT(opened.error().str(), HasSubstr("cannot be loaded"));
  }
  fs::remove_all(here);
}
TEST_F(Plugin, ThatIsNotInstalledIsReportedAsMissing) {
  EXPECT_THAT(refusal("nothing_here"),
              AllOf(HasSubstr("nothing_here/libnw_cuda.so is missing"), HasSubstr("train on cpu")));
}
TEST_F(Plugin, IsNotLoadedByAProcessThatLoadsNone) {
  const auto found = resolve_devices({"cuda:0"}, 1);
  ASSERT_FALSE(static_cast<bool>(found));
  EXPECT_EQ(found.error().code, Errc::no_device);
  EXPECT_THAT(found.error().str(), HasSubstr("loads no plug-in"));
}
TEST_F(Plugin, WhatSlowsGpusDownIsSaidForGpusOnly) {
  set_plugin_folder(folder("good"));
  const std::vector<Text> gpu = slowed_down_by({{.name = "cuda:0", .device = {}}});
  ASSERT_EQ(gpu.size(), 1u);
  EXPECT_EQ(gpu[0].str(), "the driver is missing; install it") << "what this plug-in says";
  EXPECT_TRUE(slowed_down_by({{.name = "cpu", .device = {}}}).empty());
  EXPECT_TRUE(slowed_down_by({}).empty());
}
TEST_F(Plugin, DevicesOfTwoKindsCannotShareARun) {
  set_plugin_folder(folder("good"));
  const auto found = resolve_devices({"cuda:0", "cpu:0"}, 1);
  ASSERT_FALSE(static_cast<bool>(found));
  EXPECT_EQ(found.error().code, Errc::usage);
}
TEST_F(Plugin, GpusThatCannotTrainAreListedWithTheReason) {
  set_plugin_folder(folder("good"));
  const auto unusable = unusable_gpus(3);
  ASSERT_EQ(unusable.size(), 1u);
  EXPECT_THAT(unusable.at("cuda:2").str(), HasSubstr("cuda:0 to cuda:1"));
}

}  // namespace
}  // namespace nw
