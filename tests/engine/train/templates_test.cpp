// SPDX-License-Identifier: Apache-2.0
// Every template can learn: a few steps on one small batch of random images reduce its loss.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/initial_weights.hpp"
#include "tests/support/torch_numbers.hpp"

namespace nw {
namespace {

constexpr std::int64_t batch = 4;

class EveryTemplate : public testing::TestWithParam<const Template*> {
 protected:
  /// The template's own network and optimizer, compiled for the CPU.
  void build() {
    GraphDoc doc = GetParam()->make();
    TrainSettings s = doc.settings();
    s.batch = batch;
    ASSERT_TRUE(doc.apply({PutSettings{s}}));
    rate_ = s.optimizer.name() == "sgd" ? 0.01 : 0.001;
    Target target;
    device_ = cpu_backend().devices().front();
    target.device = device_.get();
    target.batch = batch;
    target.data = {.channels = colour() ? 3 : 1,
                   .height = moons() ? 1 : side(),
                   .width = side(),
                   .classes = classes(),
                   .targets = target_kind(doc.data()),
                   .train = batch};
    auto compiled = compile(doc, target);
    ASSERT_TRUE(compiled) << compiled.error().str();
    plan_ = compiled->plan;
    team_ = make_team(2);
    auto made = device_->prepare(plan_, {.team = team_.get()});
    ASSERT_TRUE(made) << made.error().str();
    run_ = std::move(*made);
    for (std::size_t v = 0; v < plan_.values.size(); ++v) start(static_cast<int>(v));
  }
  void start(int v) {
    const Value& w = plan_.values[static_cast<std::size_t>(v)];
    if (w.dtype != DType::f32 || (w.role != Role::weight && w.role != Role::buffer)) return;
    std::vector<float> data(static_cast<std::size_t>(w.shape.elements()));
    ASSERT_TRUE(initial_values(w, 1, data));
    run_->write(v, std::as_bytes(std::span(data)));
  }
  void feed() {
    const int images = plan_.find("images"), labels = plan_.find("labels"), targets = plan_.find("targets");
    ASSERT_GE(images, 0);
    ASSERT_GE(std::max(labels, targets), 0);
    std::vector<float> pixels(
        static_cast<std::size_t>(plan_.values[static_cast<std::size_t>(images)].shape.elements()));
    for (std::size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = static_cast<float>(4 * test::unit(7, static_cast<std::int64_t>(i)) - 2);
    run_->write(images, std::as_bytes(std::span(pixels)));
    const std::int64_t wanted[batch] = {0, 1, 2 % classes(), 3 % classes()};
    const std::vector<float> odd = {0, 1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0};  // three labels or three numbers per sample
    if (labels >= 0) run_->write(labels, std::as_bytes(std::span(wanted)));
    if (targets >= 0)
      run_->write(targets, std::as_bytes(std::span(odd).first(static_cast<std::size_t>(
                               plan_.values[static_cast<std::size_t>(targets)].shape.elements()))));
  }
  double loss_of_step(std::int64_t step) {
    const std::int64_t sample[batch] = {0, 1, 2, 3};
    StepArgs args;
    args.step = step;
    args.valid = args.global_valid = batch;
    args.learning_rate = rate_;
    args.sample = sample;
    const Status status = run_->run(args);
    EXPECT_TRUE(status) << status.error().str();
    EXPECT_TRUE(run_->metrics().finite);
    return run_->metrics().loss_sum / batch;
  }

  std::int64_t parameters() const {
    std::int64_t n = 0;
    for (const Value& v : plan_.values) n += v.role == Role::weight ? v.shape.elements() : 0;
    return n;
  }
  bool moons() const { return GetParam()->name == "mlp-moons"; }
  bool shapes() const { return GetParam()->name.starts_with("shapes"); }
  bool colour() const { return GetParam()->data != "MNIST" && !moons(); }
  bool photos() const { return GetParam()->data.empty(); }
  std::int64_t side() const { return photos() ? 224 : colour() ? 32 : moons() ? 2 : 28; }
  std::int64_t classes() const {
    return GetParam()->name == "mlp-binary" || moons() ? 2 : shapes() ? 3 : photos() ? 1000 : 10;
  }

  std::shared_ptr<Device> device_;
  Plan plan_;
  std::unique_ptr<Team> team_;
  std::unique_ptr<Executable> run_;
  double rate_ = 0;
};

TEST_P(EveryTemplate, Learns) {
  if (photos() && !std::getenv("NETWRIGHT_LONG"))
    GTEST_SKIP() << "photos of 224 pixels need minutes: run with NETWRIGHT_LONG=1";
#ifdef NW_SANITIZED
  if (photos()) GTEST_SKIP() << "photos of 224 pixels need hours under a sanitizer";
#endif
  ASSERT_NO_FATAL_FAILURE(build());
  feed();
  const double first = loss_of_step(0);
  double last = first;
  const int steps = photos() ? 4 : parameters() < 1'000'000 ? 40 : 6;
  for (int step = 1; step < steps; ++step) last = loss_of_step(step);
  EXPECT_NEAR(first, std::log(static_cast<double>(classes())), shapes() ? 2.0 : 1.2) << "new weights know nothing";
  EXPECT_LT(last, 0.9 * first);
}

std::vector<const Template*> every() {
  std::vector<const Template*> all;
  for (const Template& t : all_templates()) all.push_back(&t);
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, EveryTemplate, testing::ValuesIn(every()), [](const auto& info) {
  std::string name(info.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace nw
