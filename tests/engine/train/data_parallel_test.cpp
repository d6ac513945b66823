// SPDX-License-Identifier: Apache-2.0
// Data parallelism: networks on 2 and 4 devices have the losses of one device, step by step, also where the last batch
// leaves a device with few samples and another one with none. Batch norm takes its statistics over all devices.
#include <gtest/gtest.h>

#include "engine/train/loss_history.hpp"
#include "tests/engine/train/trained_state.hpp"
#include "tests/support/sanitized.hpp"

namespace nw {
namespace {

constexpr std::int64_t full_batches = test::sanitized ? 1 : 4;

/// Devices add the same products in another order, so the losses of the first two steps differ by the rounding of
/// single precision. Later a rounded number may be on the other side of zero at a ReLU, or lose a maximum: in networks
/// of many layers each step enlarges the difference. `later`: of all other steps and the test, relative.
struct Network {
  const char* name;
  double learning_rate, later;
};
constexpr double rounding = 2e-6;
const Network networks[] = {{"lenet5", 1e-2, rounding}, {"resnet18-cifar", 3e-4, 2e-4}, {"vgg13-cifar", 3e-4, 2e-4}};

/// Batches of 16 and a last one of 10, which four devices divide as 4, 4, 2 and 0.
Trial::Change on(const std::vector<std::string>& devices, const Network& n) {
  return [&](TrainSettings& s, DataChoice& d) {
    d.synthetic_set = n.name == std::string("lenet5") ? "digits" : "shapes";
    d.synthetic_train = 16 * full_batches + 10;
    d.synthetic_test = 16;
    d.validation_fraction = 0;
    s.batch = 16;
    s.epochs = 1;
    s.learning_rate = n.learning_rate;
    s.sync_batch_norm = true;
    s.devices = devices;
  };
}

struct Losses {
  std::vector<float> steps;
  double test = 0;
};
Losses losses(const std::vector<std::string>& devices, const Network& n) {
  Trial t(on(devices, n), n.name);
  const auto done = t.run();
  EXPECT_TRUE(done) << done.error().str();
  const auto history = read_loss_history(t.request.run);
  return {history ? history->loss : std::vector<float>{}, done ? done->ended.test_loss : -1};
}

void expect_the_losses_of_one_device(const Network& n) {
  const Losses one = losses({"cpu"}, n);
  ASSERT_EQ(std::ssize(one.steps), full_batches + 1);
  for (const auto& devices : {std::vector<std::string>{"cpu:0", "cpu:1"}, {"cpu:0", "cpu:1", "cpu:2", "cpu:3"}}) {
    if (test::sanitized && devices.size() == 2) continue;  // the others take a minute
    const Losses many = losses(devices, n);
    ASSERT_EQ(many.steps.size(), one.steps.size());
    for (std::size_t i = 0; i < one.steps.size(); ++i)
      EXPECT_NEAR(many.steps[i], one.steps[i], (i < 2 ? rounding : n.later) * one.steps[i])
          << devices.size() << " devices, step " << i + 1;
    EXPECT_NEAR(many.test, one.test, n.later * one.test) << devices.size() << " devices, test";
  }
}

TEST(DataParallel, LeNet5HasTheLossesOfOneDevice) { expect_the_losses_of_one_device(networks[0]); }
TEST(DataParallel, ResNet18HasTheLossesOfOneDevice) { expect_the_losses_of_one_device(networks[1]); }
TEST(DataParallel, Vgg13HasTheLossesOfOneDevice) { expect_the_losses_of_one_device(networks[2]); }

}  // namespace
}  // namespace nw
