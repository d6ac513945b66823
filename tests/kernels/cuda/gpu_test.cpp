// SPDX-License-Identifier: Apache-2.0
// Resources of a driver are released to the driver that created them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cuda/gpu.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"

namespace nw::test {
namespace {

int contexts = 0, modules = 0;

cuda::DriverApi counting_border() {
  cuda::DriverApi b = cuda::fake_driver_api();
  contexts = modules = 0;
  b.driver.context_retain = [](cuda::DriverContext* c, int) {
    static int context = 0;
    return ++contexts, *c = &context, 0;
  };
  b.driver.context_release = [](int) { return --contexts, 0; };
  b.driver.module_load = [](cuda::DriverModule* m, const void*) {
    static int module = 0;
    return ++modules, *m = &module, 0;
  };
  b.driver.module_unload = [](cuda::DriverModule) { return --modules, 0; };
  return b;
}

TEST(CudaGpu, ReleasesResourcesToTheDriverTableThatAllocatedThem) {
  const cuda::DriverApi first = counting_border(), none;
  cuda::use_driver_api(&first);
  const std::int64_t before = cuda::fake_bytes();
  auto gpu = std::make_unique<cuda::Gpu>(0, 0);
  ASSERT_TRUE(static_cast<bool>(gpu->use()));
  int code = 0;
  cuda::DriverStream stream = nullptr;
  ASSERT_EQ(first.driver.stream_make(&stream, 0), 0);
  auto memory = gpu->take(1000, stream, code), pinned = gpu->take_pinned(1000, code);
  ASSERT_TRUE(memory && pinned);
  EXPECT_EQ(contexts, 1);
  EXPECT_EQ(modules, 1);
  EXPECT_EQ(cuda::fake_bytes(), before + 2000);
  cuda::use_driver_api(&none);  // as after a test with another driver API table
  memory.reset();
  pinned.reset();
  gpu.reset();
  cuda::use_driver_api(&cuda::fake_driver_api());
  EXPECT_EQ(contexts, 0);
  EXPECT_EQ(modules, 0);
  EXPECT_EQ(cuda::fake_bytes(), before);
  first.driver.stream_drop(stream);
}

std::string sentence(int code) { return cuda::driver_error(code, "cuda:0", "step 7").str(); }

TEST(CudaErrors, MemoryErrorsLostDevicesAndOthersAreToldApart) {
  cuda::use_driver_api(&cuda::fake_driver_api());
  for (const int code : {cuda::error_ecc, cuda::error_nvlink, cuda::error_contained})
    EXPECT_THAT(sentence(code), testing::HasSubstr("memory error that it cannot correct")) << code;
  for (const int code : cuda::errors_of_a_lost_device)
    EXPECT_THAT(sentence(code), testing::HasSubstr("is no longer accessible")) << code;
  for (const int code : {700, 717, 719, 720, 721})  // faults of kernels
    EXPECT_THAT(sentence(code), testing::HasSubstr("stopped working")) << code;
}

}  // namespace
}  // namespace nw::test
