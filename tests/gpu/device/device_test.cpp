// SPDX-License-Identifier: Apache-2.0
// Tests that need a real GPU, through the plug-in beside this program: every kernel against the reference
// implementation, CUDA graphs against single launches, bitwise reproducibility. Skips with the reason if no GPU can
// train.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "engine/core/json.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/cuda/driver_api.hpp"
#include "tests/gpu/device/on_device.hpp"
#include "tests/kernels/case_runner.hpp"
#include "tests/kernels/lenet_plan.hpp"

namespace nw::test {
namespace {

class Kernels : public OnDevice, public testing::WithParamInterface<std::string> {};
TEST_P(Kernels, AgreeWithTheReferenceOverRandomShapes) {
  Step asked;
  asked.kernel = GetParam();
  if (const Text why = found().gpu->supports(Plan{}, asked); !why.empty()) GTEST_SKIP() << why.str();
  Rng rng(static_cast<unsigned>(std::hash<std::string>{}(GetParam())));
  const int cases = cases_of(GetParam());
  for (int i = 0; i < cases && !HasFatalFailure(); ++i) {
    const KernelCase c = generator_of(GetParam())(rng);
    SCOPED_TRACE(fmt::format("case {} batch {} valid {}", i, c.batch, c.valid));
    expect_close(c, run_case(c, GetParam(), *found().gpu, 1),
                 run_case(c, GetParam(), *device_of(reference_backend()), 1));
  }
}
std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const auto& [name, generate] : generators()) names.push_back(name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Device, Kernels, testing::ValuesIn(kernels()), [](const auto& info) { return info.param; });

struct Learned {
  std::vector<double> losses;
  std::vector<float> weights, buffers;
  bool operator==(const Learned&) const = default;
};
Learned learn(const TinyPlan& tiny, const Device& device, int steps, bool eagerly = false) {
  Bench b(tiny, device, 1, nullptr, nullptr, false, eagerly);
  initialise(b);
  Learned l;
  for (int i = 0; i < steps; ++i) {
    load_digits(b, i * tiny.plan.batch);
    StepArgs a = args_for(i % 7 == 3 ? tiny.plan.batch - 1 : tiny.plan.batch);
    a.step = i;
    a.learning_rate = 0.02;
    a.seed = 42;
    EXPECT_TRUE(static_cast<bool>(b.executable().run(a)));
    l.losses.push_back(b.executable().metrics().loss_sum);
  }
  EXPECT_TRUE(b.guards_intact());
  l.weights = weights_of(b);
  l.buffers = weights_of(b, Role::buffer);
  return l;
}
/// Fewer samples when the kit itself is tested, on a fake device.
std::int64_t samples() { return std::getenv("NETWRIGHT_KIT_QUICK") ? 8 : 64; }
TinyPlan lenet_plan() {
  NetBuilder n = lenet(samples());
  n.train("sgd", sgd_attrs());
  return n.tiny;
}
TinyPlan resnet_plan(bool adam = true) {
  NetBuilder n = small_resnet(samples());
  n.train(adam ? "adam" : "sgd", adam ? adam_attrs() : sgd_attrs(), 0.5);
  return n.tiny;
}

TEST_F(OnDevice, GraphReplayOnAGpuGivesTheSameBytesAsSingleLaunches) {
  EXPECT_EQ(learn(lenet_plan(), *found().gpu, 20, true), learn(lenet_plan(), *found().gpu, 20));
  EXPECT_EQ(learn(resnet_plan(), *found().gpu, 20, true), learn(resnet_plan(), *found().gpu, 20));
}
TEST_F(OnDevice, AHundredStepsGiveTheSameBytesTwice) {
  EXPECT_EQ(learn(lenet_plan(), *found().gpu, 100), learn(lenet_plan(), *found().gpu, 100));
  EXPECT_EQ(learn(resnet_plan(), *found().gpu, 100), learn(resnet_plan(), *found().gpu, 100));
}
TEST_F(OnDevice, WholeStepsMatchTheReference) {
  for (const TinyPlan& tiny : {lenet_plan(), resnet_plan(false)}) {
    const Learned got = learn(tiny, *found().gpu, 5), wanted = learn(tiny, *device_of(reference_backend()), 5);
    for (std::size_t i = 0; i < got.losses.size(); ++i)
      EXPECT_NEAR(got.losses[i], wanted.losses[i], 1e-3 * wanted.losses[i]) << "step " << i;
    EXPECT_LT(relative_distance(got.weights, wanted.weights), 1e-3);
  }
}

// The device's properties in cuDNN's JSON format, which a build on a machine without this device needs.
TEST_F(OnDevice, DevicePropertiesAreWrittenToAFileOnRequest) {
  struct Property {
    const char* name;
    int attribute, scale;
  };
  constexpr Property properties[] = {{"regsPerBlock", 12, 1},
                                     {"multiProcessorCount", 16, 1},
                                     {"warpSize", 10, 1},
                                     {"maxSharedMemoryPerBlock", 8, 1},
                                     {"maxSharedMemoryPerBlockOptin", 97, 1},
                                     {"reservedSharedMemoryPerBlock", 111, 1},
                                     {"maxRegistersPerSM", 82, 1},
                                     {"maxCtasPerSM", 106, 1},
                                     {"maxThreadsPerBlock", 1, 1},
                                     {"maxThreadsPerSM", 39, 1},
                                     {"isTccDriver", 35, 1},
                                     {"supportCoopLaunch", 95, 1},
                                     {"smClockRateKHz", 13, 1},
                                     {"memClockRateKHz", 36, 1},
                                     {"l2CacheSize", 38, 1}};
  const cuda::DriverTable& d = cuda::system_driver_api().driver;
  int device = 0;
  ASSERT_EQ(d.device_get(&device, 0), 0);
  const auto ask = [&](int attribute) {
    int value = 0;
    EXPECT_EQ(d.device_attribute(&value, attribute, device), 0) << "attribute " << attribute;
    return value;
  };
  Json j{{"maxBlockSize", {ask(2), ask(3), ask(4)}},
         {"maxGridSize", {ask(5), ask(6), ask(7)}},
         {"deviceVer", 100 * ask(75) + 10 * ask(76)},
         {"cudaDeviceId", 0}};
  for (const Property& p : properties) j[p.name] = p.scale * ask(p.attribute);
  int version = 0;
  EXPECT_EQ(d.driver_version(&version), 0);
  j["driverVer"] = version;
  j["totalGlobalMem"] = found().gpu->memory_bytes();
  j["deviceName"] = found().gpu->description();
  if (const char* out = std::getenv("NETWRIGHT_KIT_OUT"))
    std::ofstream(std::filesystem::path(out) / "device.json") << j.dump(1) << "\n";
}

}  // namespace
}  // namespace nw::test
