// SPDX-License-Identifier: Apache-2.0
// The model of gpu_model.txt reproduces what others have published within 30 %, before it may judge this program.
#include "tests/kernels/cuda/proof/gpu_model.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace nw::proof {
namespace {

constexpr double within = 0.3;
/// A range at an address that is only compared.
cuda::FakeRange range(std::uintptr_t at, std::size_t bytes) {
  return cuda::FakeRange::of(reinterpret_cast<const void*>(at), bytes);
}

/// A kernel or product that reads and writes so many bytes of its own.
Cost work(double read, double written, double operations, double blocks = 0) {
  Cost c{blocks > 0 ? "nw_relu_f32" : "multiply"};
  c.blocks = blocks;
  c.threads = blocks * 256;
  c.read = read;
  c.written = written;
  c.operations = operations;
  c.loads = 1;
  c.reads = {range(1, 1)};
  return c;
}
void expect_published(double predicted, double published, const char* what) {
  EXPECT_NEAR(predicted, published, within * published) << what;
  std::printf("%s: %.1f us by the model, %.1f us published (%+.0f %%)\n", what, predicted, published,
              100 * (predicted / published - 1));
}

/// fast.cu (github.com/pranjalssh/fast.cu, README): cuBLAS, bf16, on an H100 SXM.
TEST(GpuModel, ReproducesPublishedProductsOfLargeMatrices) {
  const GpuModel h100 = gpu_model("h100");
  for (const auto& [n, us] : {std::pair{8192.0, 1378.0}, std::pair{6144.0, 626.0}})
    expect_published(microseconds(h100, {work(2 * 2 * n * n, 2 * n * n, 2 * n * n * n)}, DType::bf16), us,
                     "product of bf16 matrices by cuBLAS on an H100");
}
/// Guo, Zadouri and Dao, "Getting Memory-bound Kernels to Speed-of-Light" (2025): 3.01 TB/s on an H100, and 1.89 TB/s
/// of the same bytes by a kernel that reads them twice.
TEST(GpuModel, ReproducesPublishedSoftmaxOfLongRows) {
  const GpuModel h100 = gpu_model("h100");
  const double bytes = 16384.0 * 131072 * 4;
  expect_published(microseconds(h100, {work(bytes, bytes, 0, 4096)}, DType::f32), 2 * bytes / 3.01e6,
                   "softmax of 16384 rows of 131072 floats on an H100");
  expect_published(microseconds(h100, {work(2 * bytes, bytes, 0, 4096)}, DType::f32), 2 * bytes / 1.89e6,
                   "the same by torch.compile, which reads twice");
}
/// MLCommons, training results v3.0, NVIDIA's dgxh100_ngc23.04_mxnet/resnet: 56,050 images per second on 8 H100. That
/// program fuses more, and exchanges gradients; the model counts our launches and bytes.
TEST(GpuModel, ReproducesPublishedTrainingOfResnet50) {
  std::ifstream in(std::string(NW_SOURCE_DIR) + "/tests/kernels/cuda/proof/launch_budgets.txt");
  double us = 0;
  for (std::string key, rest; in >> key && std::getline(in, rest);)
    if (key == "resnet50/fp16/256") {
      double launches = 0, read = 0, written = 0, operations = 0, loads = 0;
      std::istringstream(rest) >> launches >> read >> written >> operations >> loads >> us;
    }
  expect_published(us, 256 / (56050.0 / 8) * 1e6, "256 images of ResNet-50 in fp16 on an H100");
}
TEST(GpuModel, TheLongestOfTheCostsOfALaunchCounts) {
  const GpuModel h100 = gpu_model("h100"), h200 = gpu_model("h200");
  const std::vector<Cost> moves = {work(1e9, 1e9, 0, 4096)}, multiplies = {work(1e6, 1e6, 1e13)};
  EXPECT_GT(microseconds(h100, moves, DType::f32), 1.3 * microseconds(h200, moves, DType::f32));
  EXPECT_EQ(microseconds(h100, multiplies, DType::f16), microseconds(h200, multiplies, DType::f16));
  EXPECT_NEAR(microseconds(h100, multiplies, DType::tf32) / microseconds(h100, multiplies, DType::f16), 2, 0.01);
  Cost deep = work(1e3, 1e3, 0, 1);
  deep.loads = 500;
  EXPECT_GT(microseconds(h100, {deep}, DType::f32), 500 * h100.l2_latency);
}
/// What a launch wrote, the next one reads from L2, unless too much was touched meanwhile.
TEST(GpuModel, BytesTouchedShortlyBeforeComeFromL2) {
  const GpuModel h100 = gpu_model("h100");
  Cost writer = work(0, 16e6, 0, 4096), reader = work(16e6, 0, 0, 4096), between = work(60e6, 0, 0, 4096);
  writer.writes = reader.reads = {range(1000, 16000000)};
  between.reads = {range(100000000, 60000000)};
  const auto only = [&](const Cost& c) { return microseconds(h100, {c}, DType::f32); };
  const double near = microseconds(h100, {writer, reader}, DType::f32) - only(writer),
               far = microseconds(h100, {writer, between, reader, between}, DType::f32) -
                     microseconds(h100, {writer, between, between}, DType::f32);
  EXPECT_LT(near, 16e6 / h100.l2_per_us + 2);
  EXPECT_GT(far, 16e6 / h100.memory_per_us);
}

}  // namespace
}  // namespace nw::proof
