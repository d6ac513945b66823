// SPDX-License-Identifier: Apache-2.0
// Names of devices and links, and the times of messages and sums on a link.
#include <gtest/gtest.h>

#include "engine/scaling/exchange.hpp"
#include "tests/engine/scaling/setups.hpp"

namespace nw::scaling {
namespace {

TEST(DeviceCounts, ANumberAndAKind) {
  for (const auto& [text, count, name] : {std::tuple("8xH100", 8, "H100"), std::tuple("a100", 1, "A100"),
                                          std::tuple("2XCPU", 2, "cpu"), std::tuple("4096xV100", 4096, "V100")}) {
    const auto read = read_device_count(text);
    ASSERT_TRUE(read) << text << ": " << read.error().str();
    EXPECT_EQ(read->count, count) << text;
    EXPECT_EQ(read->name, name) << text;
  }
}

TEST(DeviceCounts, AnythingElseIsRefusedInOneSentence) {
  for (const char* text : {"", "8", "x", "8x", "xH100", "0xH100", "-1xH100", "4097xH100", "8x8xH100", "8xH101",
                           "8 x H100", "99999999999999999999xH100", "1.5xH100", "H100\n", "8xH100 "}) {
    const auto read = read_device_count(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, Errc::usage) << text;
  }
  for (const char* many : {"4097xH100", "99999999999999999999xH100"})
    EXPECT_NE(read_device_count(many).error().str().find("4096"), std::string::npos) << many << ": the most";
  EXPECT_NE(read_device_count("8xP100").error().str().find("H100"), std::string::npos) << "the devices that there are";
}

TEST(Devices, EachRecordIsWholeAndComputesInFp32) {
  for (const DeviceFigures& d : published_devices()) {
    EXPECT_GT(d.peak(DType::f32), 1e12) << d.name;
    EXPECT_GE(std::max({d.tf32, d.bf16, d.fp16}), d.fp32) << d.name;
    EXPECT_GT(d.memory_bytes_per_s, 1e11) << d.name;
    EXPECT_GT(d.memory_bytes, 10'000'000'000) << d.name;
    EXPECT_GT(d.power_w, 0) << d.name;
    EXPECT_TRUE(find_link({}, d)) << d.name;
    EXPECT_EQ(find_device(d.name), &d);
  }
}

TEST(Devices, ThisComputersProcessorIsMeasured) {
  const auto cpu = planned_device("cpu");
  ASSERT_TRUE(cpu);
  EXPECT_GT(cpu->figures.fp32, 1e8);
  EXPECT_GT(cpu->figures.memory_bytes_per_s, 1e7);
  EXPECT_EQ(cpu->figures.memory_bytes, cpu->device->memory_bytes());
  EXPECT_FALSE(cpu->figures.overlaps);
}

TEST(Links, NvlinkIsTheDevicesOwn) {
  EXPECT_EQ(find_link("nvlink", *find_device("H100"))->name, "nvlink4");
  EXPECT_EQ(find_link("nvlink", *find_device("A100"))->name, "nvlink3");
  EXPECT_EQ(find_link("", *find_device("L4"))->name, "pcie4");
  for (const char* wrong : {"nvlink", "memory", "nvlink4", "token-ring", "ethernet", "NVLINK"}) {
    const auto link = find_link(wrong, *find_device("L4"));
    ASSERT_FALSE(link) << wrong;
    EXPECT_EQ(link.error().code, Errc::usage);
  }
  EXPECT_EQ(find_link("ethernet10", *find_device("L4"))->bytes_per_s, 1.25e9);
}

constexpr LinkFigures plain{"plain", 1e-3, 1e9, 0.5, 0};

TEST(Links, ARingSendsTwoTimesAllButOneNth) {
  for (const double n : {2.0, 3.0, 8.0, 100.0}) {
    const double bytes = 1e9;
    EXPECT_NEAR(ring_all_reduce_s(plain, n, bytes), 2 * (n - 1) * 1e-3 + 2 * (n - 1) / n * bytes / 0.5e9, 1e-9);
    EXPECT_NEAR(2 * scatter_or_gather_s(plain, n, bytes), ring_all_reduce_s(plain, n, bytes), 1e-9);
  }
  EXPECT_EQ(ring_all_reduce_s(plain, 1, 1e9), 0);
  EXPECT_EQ(all_reduce_s(plain, 1, 1e9), 0);
  EXPECT_EQ(scatter_or_gather_s(plain, 1, 1e9), 0);
}

TEST(Links, FewBytesGoThroughATree) {
  EXPECT_NEAR(all_reduce_s(plain, 64, 8), 2 * 6 * 1e-3, 1e-6);
  EXPECT_NEAR(all_reduce_s(plain, 64, 1e10), ring_all_reduce_s(plain, 64, 1e10), 1e-9);
}

const std::vector<ReadyGradient> three{{1, 30e6}, {2, 30e6}, {3, 30e6}};
constexpr LinkFigures fast{"fast", 0, 30e6, 1, 0};  // a bucket of 30 MB takes a second on two devices

TEST(Exchange, HidesBehindTheBackwardPass) {
  const Exchange hidden = exchange_of(three, 3, fast, 2, 2, true);
  EXPECT_NEAR(hidden.total_s, 3, 1e-9);
  EXPECT_NEAR(hidden.exposed_s, 1, 1e-9) << "only that of the last gradient";
  const Exchange after = exchange_of(three, 3, fast, 2, 2, false);
  EXPECT_NEAR(after.exposed_s, 3, 1e-9);
}

TEST(Exchange, WaitsForTheLinkAndJoinsSmallGradients) {
  constexpr LinkFigures slow{"slow", 0, 15e6, 1, 0};
  EXPECT_NEAR(exchange_of(three, 3, slow, 2, 2, true).exposed_s, 1 + 6 - 3, 1e-9);
  const std::vector<ReadyGradient> small(10, {1, 3e6});
  constexpr LinkFigures late{"late", 1, 1e12, 1, 0};
  EXPECT_NEAR(exchange_of(small, 1, late, 2, 2, true).total_s, 2 * 2, 1e-3) << "27 MB and the rest: two sums";
  EXPECT_EQ(exchange_of({}, 1, slow, 2, 2, true).exposed_s, 0);
}

}  // namespace
}  // namespace nw::scaling
