// SPDX-License-Identifier: Apache-2.0
// Large data sets are stored on the device chunk by chunk: one is read while the other is copied, the watchdog waits
// for slow disks but not for a device that hangs, and what was stored is what was read.
#include <gmock/gmock.h>
#include <unistd.h>

#include <thread>

#include "kernels/cuda/chunked_upload.hpp"
#include "kernels/cuda/samples.hpp"
#include "tests/kernels/cuda/fakes/fake_gpus.hpp"

namespace nw::test {
namespace {

using testing::HasSubstr;

constexpr std::int64_t image_bytes = 1 << 20;
constexpr std::int64_t each_chunk = static_cast<std::int64_t>(cuda::ChunkedUpload::chunk_bytes) / image_bytes;

/// Images of 1 MiB; sample i differs from sample i - 1.
class LargeSet {
 public:
  explicit LargeSet(std::int64_t count) : count_(count), image_(image_bytes + count) {
    for (std::size_t i = 0; i < image_.size(); ++i) image_[i] = static_cast<std::uint8_t>(i * 2654435761u >> 11);
  }
  const std::uint8_t* image(std::int64_t i) const { return image_.data() + i; }
  SampleSet set() const {
    SampleSet s{.identity = this, .count = count_, .height = 1024, .width = 1024, .channels = 1};
    s.pixels = [this](std::int64_t i) {
      if (i % each_chunk == 0) cuda::fake_moment({"read"});
      if (i % each_chunk == 0) std::this_thread::sleep_for(delay);
      return image(i);
    };
    s.label = [](std::int64_t i) { return i * 7 % 10; };
    s.scales.assign(1, {0.5F, 0.5F});
    return s;
  }
  std::chrono::milliseconds delay{0};  // before each chunk

 private:
  const std::int64_t count_;
  std::vector<std::uint8_t> image_;
};

struct Stored {
  std::shared_ptr<Device> gpu;
  std::unique_ptr<Bench> bench;
  std::shared_ptr<DeviceSamples> samples;
  Status ended;
  explicit Stored(const LargeSet& set, cuda::FakeFault fault = {}) : gpu(fake_gpu()) {
    NetBuilder n = lenet(2);
    n.train("sgd", sgd_attrs());
    bench = std::make_unique<Bench>(n.tiny, *gpu, 1);
    cuda::fake_timeline();
    if (fault.at_call >= 0) cuda::fake_driver_api(fault);
    auto kept = bench->executable().keep(set.set());
    if (kept)
      samples = *kept;
    else
      ended = kept.error();
  }
  const cuda::SampleSource& source() const { return static_cast<const cuda::CudaSamples&>(*samples).source(); }
};

class Keep : public testing::TestWithParam<bool> {
 protected:
  Keep() { cuda::fake_late(GetParam()); }
  ~Keep() override { cuda::fake_late(false); }
};
TEST_P(Keep, StoresEveryByteOfALargeSet) {
  constexpr std::int64_t count = 3 * each_chunk + 5;
  const LargeSet set(count);
  const Stored stored(set);
  ASSERT_NE(stored.samples, nullptr);
  const auto& at = stored.source();
  for (std::int64_t i = 0; i < count; ++i) {
    ASSERT_EQ(std::memcmp(at.pixels + i * image_bytes, set.image(i), image_bytes), 0) << "sample " << i;
    EXPECT_EQ(at.labels[i], i * 7 % 10);
  }
}
INSTANTIATE_TEST_SUITE_P(PromptOrLate, Keep, testing::Bool(),
                         [](const auto& info) { return info.param ? "Late" : "Prompt"; });

TEST(KeepOverlap, AChunkIsReadWhileTheOneBeforeIsCopied) {
  const LargeSet set(4 * each_chunk);
  const Stored stored(set);
  std::vector<std::string> order;
  for (const cuda::FakeMoment& m : cuda::fake_timeline())
    if (order.size() < 12) order.push_back(m.what);
  EXPECT_THAT(order, testing::ElementsAre("read", "copy", "record", "read", "copy", "record", "host", "read", "copy",
                                          "record", "host", "read"))
      << "the host waits for a chunk only before it fills the same memory again";
}

TEST(KeepOverlap, EachChunkThatHasArrivedIsAMarkForTheWatchdog) {
  (void)fake_gpu();
  cuda::Gpu gpu(0, 0);
  ASSERT_TRUE(static_cast<bool>(gpu.use()));
  const auto& d = cuda::driver_api().driver;
  cuda::DriverStream stream = nullptr;
  ASSERT_EQ(d.stream_make(&stream, cuda::stream_non_blocking), 0);
  std::int32_t received = 0;
  {
    const cuda::Watched guard({.device = "cuda:0", .doing = "storing the data set", .mark = &received});
    std::vector<std::byte> to(5);
    cuda::ChunkedUpload upload(gpu, stream, {2, 1}, received);  // two bytes at once
    ASSERT_TRUE(static_cast<bool>(upload.copy(to.data(), 5, 1, [](auto, auto, std::byte*) {})));
    EXPECT_EQ(received, 1) << "the last two are on their way";
    ASSERT_TRUE(static_cast<bool>(upload.wait()));
  }
  EXPECT_EQ(received, 3);
  d.stream_drop(stream);
}

void expect_outlives(std::chrono::milliseconds delay, const char* patience) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto store = [&] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", patience, 1);
    LargeSet set(2 * each_chunk);
    set.delay = delay;
    const Stored stored(set);
    ::_exit(stored.samples ? 0 : 1);
  };
  EXPECT_EXIT(store(), testing::ExitedWithCode(0), "");
}
// The whole takes many times as long as the device may be silent, and so does each chunk.
TEST(KeepDeathTest, ASlowDiskIsNotTakenForADeviceThatHangs) { expect_outlives(std::chrono::milliseconds(1500), "0.2"); }

TEST(KeepDeathTest, ADeviceThatHangsIsReportedWithTheSampleItReached) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto store = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "0.2", 1);
    const LargeSet set(4 * each_chunk);
    ::alarm(20);
    const Stored stored(set, {.at_call = 14, .code = cuda::fake_hangs});
  };
  EXPECT_EXIT(store(), testing::ExitedWithCode(static_cast<int>(Errc::no_device)),
              "cuda:0 does not respond \\(storing the data set, sample 32 of 64\\)");
}

// Without room for it, in the device's memory or in pinned memory, the set is copied step by step instead.
TEST(KeepFaults, NoMemoryMeansThatTheSetIsNotStored) {
  const LargeSet set(2);
  int not_stored = 0;
  for (std::int64_t call = 0; call < 60; ++call) {
    const Stored stored(set, {.at_call = call, .code = cuda::error_out_of_memory});
    cuda::fake_driver_api();
    not_stored += stored.ended && !stored.samples;
  }
  EXPECT_EQ(not_stored, 9) << "asking for free memory; pixels, labels and two chunks, with two calls each";
}

}  // namespace
}  // namespace nw::test
