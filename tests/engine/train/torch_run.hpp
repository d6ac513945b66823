// SPDX-License-Identifier: Apache-2.0
// Trains a template on the weights and batches that tests/reference/make/make_reference.py computes by a formula.
#pragma once
#include <gtest/gtest.h>

#include <cmath>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "engine/parallel/team.hpp"
#include "tests/support/torch_numbers.hpp"

namespace nw {

class TorchRun {
 public:
  TorchRun(const std::string& net, const std::string& backend, int threads, DType precision = DType::f32)
      : TorchRun(net, (backend == "cpu" ? cpu_backend() : reference_backend()).devices().front(), threads, precision) {}
  TorchRun(const std::string& net, std::shared_ptr<Device> device, int threads, DType precision)
      : net_(net), device_(std::move(device)) {
    GraphDoc doc = find_template(net)->make();
    TrainSettings s = doc.settings();
    s.batch = batch;
    s.l2 = colour() ? 5e-4 : 0;
    s.clip_norm = s.clip_value = s.l1 = 0;
    s.precision = precision;
    EXPECT_TRUE(doc.apply({PutSettings{s}}));
    Target target{.batch = batch, .device = device_.get()};
    target.data = {.channels = colour() ? 3 : 1,
                   .height = colour() ? 32 : 28,
                   .width = colour() ? 32 : 28,
                   .classes = 10,
                   .train = batch};
    auto compiled = compile(doc, target);
    EXPECT_TRUE(compiled) << compiled.error().str();
    if (!compiled) return;
    plan_ = std::move(compiled->plan);
    team_ = make_team(threads);
    auto made = device_->prepare(plan_, {.team = team_.get()});
    EXPECT_TRUE(made) << made.error().str();
    if (!made) return;
    run_ = *std::move(made);
    fill_weights();
  }
  bool ready() const { return run_ != nullptr; }
  const Plan& plan() const { return plan_; }
  Executable& executable() { return *run_; }
  std::vector<std::string> choices() const { return run_->choices(); }

  static constexpr std::int64_t batch = 8;
  /// One step on the first `valid` samples of batch `number_of_batch`; returns the mean loss.
  double step(int number, int number_of_batch, std::int64_t valid = batch) {
    static constexpr std::int64_t sample[] = {0, 1, 2, 3, 4, 5, 6, 7};
    feed(std::to_string(number_of_batch));
    StepArgs args;
    args.step = number;
    args.valid = args.global_valid = valid;
    args.learning_rate = net_ == "lenet5" ? 1e-2 : 1e-3;
    args.sample = sample;
    const Status status = run_->run(args);
    EXPECT_TRUE(status) << status.error().str();
    return run_->metrics().loss_sum / static_cast<double>(valid);
  }
  std::vector<float> read(const std::string& name) const {
    const int v = plan_.find(name);
    EXPECT_GE(v, 0) << "there is no " << name;
    std::vector<float> got(
        static_cast<std::size_t>(v < 0 ? 0 : plan_.values[static_cast<std::size_t>(v)].shape.elements()));
    if (v >= 0) run_->read(v, std::as_writable_bytes(std::span(got)));
    return got;
  }
  std::vector<float> gradient(const std::string& weight) const { return read("grad " + weight); }

 private:
  bool colour() const { return net_ == "resnet18-cifar"; }

  static bool is_norm(const std::string& name) {
    return name.find("bn") != std::string::npos || name.find("downsample.1") != std::string::npos;
  }
  static float initial(const Value& w, std::uint32_t hash, std::int64_t i) {
    const double v = 2 * test::unit(hash, i) - 1;
    if (w.shape.rank() >= 2) return static_cast<float>(v / std::sqrt(static_cast<double>(w.shape.per_sample())));
    if (!is_norm(w.name)) return static_cast<float>(v / 10);
    if (w.name.ends_with("weight")) return static_cast<float>((5 + v) / 20);
    if (w.name.find("bn1.") != std::string::npos) return v >= 0 ? 1.5f : -1.5f;
    return static_cast<float>(1 + v / 10);
  }

  void fill_weights() {
    for (std::size_t v = 0; v < plan_.values.size(); ++v) {
      const Value& w = plan_.values[v];
      if (w.role == Role::weight) {
        std::vector<float> data(static_cast<std::size_t>(w.shape.elements()));
        for (std::size_t i = 0; i < data.size(); ++i)
          data[i] = initial(w, test::fnv(w.name), static_cast<std::int64_t>(i));
        run_->write(static_cast<int>(v), std::as_bytes(std::span(data)));
      } else if (w.role == Role::buffer && w.dtype == DType::f32) {
        const std::vector<float> data(static_cast<std::size_t>(w.shape.elements()),
                                      w.name.ends_with("running_var") ? 1.0f : 0.0f);
        run_->write(static_cast<int>(v), std::as_bytes(std::span(data)));
      }
    }
  }

  void feed(const std::string& which) {
    const int images = plan_.find("images"), labels = plan_.find("labels");
    ASSERT_GE(images, 0);
    ASSERT_GE(labels, 0);
    const Shape& s = plan_.values[static_cast<std::size_t>(images)].shape;
    std::vector<float> nhwc(static_cast<std::size_t>(s.elements()));
    const std::uint32_t hash = test::fnv("images" + which);
    std::int64_t i = 0;
    for (std::int64_t n = 0; n < s[0]; ++n)
      for (std::int64_t c = 0; c < s[1]; ++c)
        for (std::int64_t y = 0; y < s[2]; ++y)
          for (std::int64_t x = 0; x < s[3]; ++x, ++i)
            nhwc[static_cast<std::size_t>(((n * s[2] + y) * s[3] + x) * s[1] + c)] =
                static_cast<float>(2 * test::unit(hash, i) - 1);
    run_->write(images, std::as_bytes(std::span(nhwc)));
    std::vector<std::int64_t> classes(batch);
    for (std::size_t n = 0; n < batch; ++n)
      classes[n] =
          static_cast<std::int64_t>(test::unit(test::fnv("labels" + which), static_cast<std::int64_t>(n)) * 10);
    run_->write(labels, std::as_bytes(std::span(classes)));
  }

  std::string net_;
  std::shared_ptr<Device> device_;
  Plan plan_;
  std::unique_ptr<Team> team_;
  std::unique_ptr<Executable> run_;
};

}  // namespace nw
