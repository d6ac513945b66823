// SPDX-License-Identifier: Apache-2.0
// An element kernel and a layer that the product does not have, added as docs/adding.md describes: one row defines the
// kernel of every backend, its test cases and its checks, and a network with the layer trains.
#include <gtest/gtest.h>

#include <random>

#include "engine/compile/compile.hpp"
#include "kernels/catalogue.hpp"
#include "tests/kernels/case_runner.hpp"
#include "tests/support/instruction_set.hpp"
#include "tests/support/net_text.hpp"

namespace nw::test {
namespace {

TEST(Toy, ItsKernelsAreInTheCatalogue) {
  ASSERT_NE(find_kernel("softsign"), nullptr);
  ASSERT_NE(find_kernel("softsign_grad"), nullptr);
  EXPECT_EQ(find_kernel("softsign_grad")->inputs, "dy x");
}

TEST(Toy, EveryInstructionSetAgreesWithTheReference) {
  for (const char* set : {"portable", "avx2", "avx512"})
    for (const char* kernel : {"softsign", "softsign_grad"}) {
      SCOPED_TRACE(fmt::format("{} on {}", kernel, set));
      const UseInstructionSet use(set);
      Rng rng(5);
      for (int i = 0; i < 5; ++i) {
        const KernelCase c = generator_of(kernel)(rng);
        expect_close(c, run_case(c, kernel, *device_of(cpu_backend()), 1),
                     run_case(c, kernel, *device_of(reference_backend()), 1));
      }
    }
}

/// A network with the layer; its targets are a learnable function of its images.
class ToyNet {
 public:
  explicit ToyNet(const Backend& backend) : device_(device_of(backend)) {
    GraphDoc doc =
        net("images: Input 1x4x4; flat: Flatten; a: Linear out_features=12; s: Softsign; b: Linear out_features=1; "
            "loss: MSE");
    TrainSettings settings;
    settings.optimizer.set("momentum", 0.9);
    edit(doc, {PutSettings{settings}});
    auto compiled = compile(doc, {.batch = batch, .device = device_.get()});
    EXPECT_TRUE(compiled) << compiled.error().str();
    if (!compiled) return;
    plan_ = std::move(compiled->plan);
    auto made = device_->prepare(plan_, {.team = &team_});
    EXPECT_TRUE(made) << made.error().str();
    run_ = *std::move(made);
    fill();
  }
  bool ready() const { return run_ != nullptr; }
  double step() {
    const StepArgs args{.valid = batch, .global_valid = batch, .learning_rate = 0.05};
    EXPECT_TRUE(run_->run(args));
    return run_->metrics().loss_sum / static_cast<double>(batch);
  }

 private:
  static constexpr std::int64_t batch = 32;
  void fill() {
    const std::vector<float> images = noise(batch * 16, 3);
    std::vector<float> targets;
    for (std::int64_t n = 0; n < batch; ++n)
      targets.push_back(0.5f * images[static_cast<std::size_t>(n) * 16] -
                        0.3f * images[static_cast<std::size_t>(n) * 16 + 5]);
    for (std::size_t v = 0; v < plan_.values.size(); ++v) {
      const Value& value = plan_.values[v];
      const auto write = [&](const std::vector<float>& data) {
        run_->write(static_cast<int>(v), std::as_bytes(std::span(data)));
      };
      if (value.name == "images") write(images);
      if (value.name == "targets") write(targets);
      if (value.role == Role::weight) write(noise(value.shape.elements(), static_cast<unsigned>(v), 0.3f));
    }
  }
  std::shared_ptr<Device> device_;
  TestTeam team_{1};
  Plan plan_;
  std::unique_ptr<Executable> run_;
};

TEST(Toy, ANetworkWithItsLayerTrainsOnBothBackends) {
  ASSERT_NE(find_layer("Softsign"), nullptr);
  for (const Backend* backend : {&reference_backend(), &cpu_backend()}) {
    SCOPED_TRACE(backend->name);
    ToyNet toy(*backend);
    ASSERT_TRUE(toy.ready());
    const double first = toy.step();
    double last = first;
    for (int i = 0; i < 200; ++i) last = toy.step();
    EXPECT_LT(last, first / 10) << "the layer does not learn";
  }
}

}  // namespace
}  // namespace nw::test
