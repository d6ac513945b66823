// SPDX-License-Identifier: Apache-2.0
// Whole steps of a small compiled network in a precision: launch by launch, as a graph and many at once, over inputs of
// the host and over a set stored on the device, on one device and on several. For fake GPUs and for real ones.
#pragma once
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "engine/compile/compile.hpp"
#include "engine/compile/shard_update.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/initial_weights.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw::precision_steps {

inline constexpr std::int64_t batch = 4, side = 8, channels = 3, count = 23;
inline constexpr int steps = 19, world = 4;  // more steps than one launch has (StepGraphs)
/// A scale with which gradients of this network overflow in fp16; halved a few times they do not.
inline constexpr double overflowing_scale = 0x1p23;

/// How far a step's loss may be from that in fp32, relative.
inline double distance_of(DType t) {
  return t == DType::bf16 ? 0.04 : t == DType::f16 ? 0.006 : t == DType::tf32 ? 0.003 : 1e-4;
}

/// Batch norm, a residual, dropout, pooling and clipping: every kind of kernel takes part.
inline Plan compiled(DType type, const Device& device, std::int64_t samples = batch, int ranks = 1) {
  GraphDoc doc = test::net(
      "images: Input 3x8x8; a: Conv2d out_channels=8 padding=1 bias=false; an: BatchNorm2d; ar: ReLU; b: Conv2d "
      "out_channels=8 padding=1; bg: GELU; sum: Add <- bg, ar; p: MaxPool2d; d: Dropout p=0.2; flatten: Flatten; fc: "
      "Linear out_features=10; loss: CrossEntropy");
  TrainSettings settings = doc.settings();
  settings.precision = type;
  settings.clip_norm = 1;
  test::edit(doc, {PutSettings{settings}});
  auto made = compile(doc, {.batch = samples, .world = ranks, .device = &device});
  EXPECT_TRUE(made) << made.error().str();
  return std::move(made->plan);
}
inline void start_weights(test::Bench& b) {
  for (std::size_t v = 0; v < b.plan().values.size(); ++v) {
    const Value& value = b.plan().values[v];
    if ((value.role != Role::weight && value.role != Role::buffer) || value.dtype != DType::f32) continue;
    std::vector<float> data(static_cast<std::size_t>(value.shape.elements()));
    EXPECT_TRUE(initial_values(value, 1, data));
    b.write_bytes(static_cast<int>(v), data);
  }
}

/// u8 images by a formula; the same as inputs from the host, without a transform.
class Images {
 public:
  Images() {
    for (std::int64_t i = 0; i < count * each; ++i) bytes_.push_back(static_cast<std::uint8_t>(i * 2654435761u >> 13));
  }
  SampleSet set() const {
    SampleSet s{.identity = this, .count = count, .height = side, .width = side, .channels = channels};
    s.pixels = [this](std::int64_t i) { return bytes_.data() + i * each; };
    s.label = [](std::int64_t i) { return i * 7 % 10; };
    s.scales.assign(channels, {0.5F, 0.5F});
    s.crop_padding = 1;
    s.mirror = true;
    s.crop_op = 3;
    s.flip_op = 4;
    return s;
  }
  const std::uint8_t* image(std::int64_t i) const { return bytes_.data() + i * each; }
  static constexpr std::int64_t each = side * side * channels;

 private:
  std::vector<std::uint8_t> bytes_;
};
inline const Images& all_images() {
  static const Images& all = *new Images;
  return all;
}

struct Kept final : StepInputs {
  std::shared_ptr<DeviceSamples> samples;
  Status images(std::int64_t, std::int64_t, std::span<float>) const override {
    return fail(Errc::other, NW_TR("the device makes the images"));
  }
  const DeviceSamples* kept() const override { return samples.get(); }
};
struct FromHost final : StepInputs {
  std::vector<std::int64_t> order, classes;
  explicit FromHost(const std::vector<std::int64_t>& o) : order(o) {
    for (const std::int64_t i : order) classes.push_back(i * 7 % 10);
  }
  Status images(std::int64_t first, std::int64_t n, std::span<float> nhwc) const override {
    for (std::int64_t s = 0; s < n; ++s)
      for (std::int64_t q = 0; q < Images::each; ++q)
        nhwc[static_cast<std::size_t>(s * Images::each + q)] =
            static_cast<float>(all_images().image(order[static_cast<std::size_t>(first + s)])[q]) / 128 - 1;
    return {};
  }
  std::span<const std::int64_t> labels() const override { return classes; }
};

struct Learned {
  std::vector<double> losses, norms;
  std::vector<bool> skipped;
  std::vector<float> weights, buffers;
  double scale = 0;
  std::int64_t good_steps = 0;
  bool operator==(const Learned&) const = default;
};

/// The samples of a step from `first` on; a device of four has a quarter of them.
inline std::vector<std::int64_t> order_of(std::int64_t step, std::int64_t samples, std::int64_t first) {
  std::vector<std::int64_t> order;
  for (std::int64_t n = 0; n < samples; ++n) order.push_back((step * world * batch + first + n) * 11 % count);
  return order;
}

enum class Way { eager, graph, at_once };
struct How {
  Way way = Way::graph;
  bool kept = false;
  double loss_scale = 0;  // 0: as it begins
};

class Session {
 public:
  Session(const Plan& plan, const Device& device, const How& how, Communicator* c = nullptr)
      : how_(how), team_(1), bench_(plan, prepare(plan, device, c)) {
    start_weights(bench_);
    if (how.kept) kept_.samples = *bench_.executable().keep(all_images().set());
    if (how.loss_scale > 0) bench_.executable().set_loss_scale({how.loss_scale, 0});
  }
  Learned learn(std::int64_t share = batch, std::int64_t first = 0, std::int64_t global = 0) {
    std::vector<StepArgs> args;
    for (std::int64_t i = 0; i < steps; ++i) add_args(i, share, first, global, args);
    std::vector<StepMetrics> results(steps);
    if (how_.way == Way::at_once) { EXPECT_TRUE(static_cast<bool>(bench_.executable().run_many(args, results))); }
    for (std::size_t i = 0; i < steps && how_.way != Way::at_once; ++i) {
      EXPECT_TRUE(static_cast<bool>(bench_.executable().run(args[i])));
      results[i] = bench_.executable().metrics();
    }
    return learned(results);
  }

 private:
  std::unique_ptr<Executable> prepare(const Plan& plan, const Device& device, Communicator* c) {
    auto made = device.prepare(plan, {.team = &team_, .communicator = c, .profile = how_.way == Way::eager});
    EXPECT_TRUE(made) << made.error().str();
    return std::move(*made);
  }
  void add_args(std::int64_t i, std::int64_t share, std::int64_t first, std::int64_t global,
                std::vector<StepArgs>& all) {
    orders_.push_back(std::make_unique<std::vector<std::int64_t>>(order_of(i, share, first)));
    loaded_.push_back(std::make_unique<FromHost>(*orders_.back()));
    StepArgs a = test::args_for(global == 0 && i % 5 == 4 ? share - 1 : share);
    if (global > 0) a.global_valid = global;
    a.step = i;
    a.epoch = i / 4;
    a.seed = 42;
    a.learning_rate = 0.02 + 0.001 * static_cast<double>(i);
    a.sample = orders_.back()->data();
    a.inputs = how_.kept ? static_cast<const StepInputs*>(&kept_) : loaded_.back().get();
    all.push_back(a);
  }
  Learned learned(const std::vector<StepMetrics>& results) {
    Learned l;
    for (const StepMetrics& m : results) {
      EXPECT_TRUE(m.finite);
      l.losses.push_back(m.loss_sum);
      l.norms.push_back(m.grad_norm);
      l.skipped.push_back(m.skipped);
    }
    l.weights = all_of(Role::weight);
    l.buffers = all_of(Role::buffer);
    l.scale = bench_.executable().loss_scale().scale;
    l.good_steps = bench_.executable().loss_scale().good_steps;
    EXPECT_TRUE(bench_.executable().health());
    return l;
  }
  std::vector<float> all_of(Role role) const {
    std::vector<float> all;
    for (std::size_t i = 0; i < bench_.plan().values.size(); ++i) {
      if (bench_.plan().values[i].role != role || bench_.plan().values[i].dtype != DType::f32) continue;
      const auto one = bench_.read(static_cast<int>(i));
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

  const How how_;
  test::TestTeam team_;
  test::Bench bench_;
  Kept kept_;
  std::vector<std::unique_ptr<std::vector<std::int64_t>>> orders_;
  std::vector<std::unique_ptr<FromHost>> loaded_;
};

/// Trains in one of the ways; a test on fakes chooses the libraries first.
using Learn = std::function<Learned(const How&)>;
inline Learned learn(DType type, const Device& device, const How& how) {
  return Session(compiled(type, device), device, how).learn();
}

inline void expect_near_fp32(DType type, const Learn& trained) {
  const auto reference = reference_backend().devices().front();
  const Learned wanted = learn(DType::f32, *reference, {}), got = trained({});
  for (std::size_t i = 0; i < steps; ++i)
    EXPECT_NEAR(got.losses[i], wanted.losses[i], distance_of(type) * wanted.losses[i]) << "step " << i;
}

inline void expect_same_bytes_in_every_way(const Learn& trained) {
  for (const bool kept : {false, true}) {
    SCOPED_TRACE(kept ? "stored set" : "inputs of the host");
    const Learned graph = trained({Way::graph, kept});
    EXPECT_EQ(trained({Way::eager, kept}), graph) << "launch by launch";
    EXPECT_EQ(trained({Way::at_once, kept}), graph) << "many at once";
  }
}

/// Only fp16 has a loss scale.
inline void expect_same_scale_in_every_way(DType type, const Learn& trained) {
  const bool scales = type == DType::f16;
  for (const bool kept : {false, true}) {
    const Learned graph = trained({Way::graph, kept, overflowing_scale});
    EXPECT_EQ(graph.scale > 0, scales);
    const auto skipped = std::count(graph.skipped.begin(), graph.skipped.end(), true);
    EXPECT_EQ(skipped > 0, scales) << "the scale must overflow at first";
    EXPECT_LT(skipped, steps) << "and fit in the end";
    EXPECT_EQ(trained({Way::eager, kept, overflowing_scale}), graph);
    EXPECT_EQ(trained({Way::at_once, kept, overflowing_scale}), graph);
  }
}

/// Of each rank. Several devices train at the same time, each on its thread. `sharded`: each keeps a part of the
/// optimizer's state.
inline std::vector<Learned> learn_on_all(DType type, const std::vector<std::shared_ptr<Device>>& devices,
                                         double loss_scale, bool sharded = false) {
  const auto ranks = static_cast<int>(devices.size());
  auto communicators = make_local_communicators(ranks);
  std::vector<Learned> all(devices.size());
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < devices.size(); ++r)
    threads.emplace_back([&, r] {
      Plan plan = compiled(type, *devices[r], batch, ranks);
      if (sharded) shard_update(plan, static_cast<int>(r), ranks);
      Session session(plan, *devices[r], {.loss_scale = loss_scale}, communicators[r].get());
      all[r] = session.learn(batch, static_cast<std::int64_t>(r) * batch, ranks * batch);
    });
  for (std::thread& t : threads) t.join();
  return all;
}

/// The same on each device, and near those of one device with the whole batch.
inline void expect_ranks_train_as_one(DType type, const std::vector<std::shared_ptr<Device>>& devices) {
  const auto ranks = learn_on_all(type, devices, 0);
  const std::int64_t whole = std::ssize(devices) * batch;
  const Learned one = Session(compiled(type, *devices.front(), whole), *devices.front(), {}).learn(whole, 0, whole);
  for (const Learned& l : ranks) EXPECT_EQ(l, ranks.front());
  const double off = std::max(distance_of(type), 1e-3);
  for (std::size_t i = 0; i < steps; ++i) EXPECT_NEAR(ranks[0].losses[i], one.losses[i], off * one.losses[i]) << i;
}
/// What devices that each keep a part of the optimizer's state have trained.
inline void expect_ranks_with_parts_train_the_same_bytes(DType type,
                                                         const std::vector<std::shared_ptr<Device>>& devices) {
  for (const double scale : {0.0, overflowing_scale}) {
    const auto parts = learn_on_all(type, devices, scale, true);
    for (const Learned& l : parts) EXPECT_EQ(l, parts.front());
    EXPECT_EQ(parts, learn_on_all(type, devices, scale));
  }
}
inline void expect_ranks_skip_the_same_steps(const std::vector<std::shared_ptr<Device>>& devices) {
  const auto ranks = learn_on_all(DType::f16, devices, overflowing_scale);
  for (const Learned& l : ranks) EXPECT_EQ(l, ranks.front());
  EXPECT_THAT(ranks[0].skipped, testing::Contains(true));
  EXPECT_THAT(ranks[0].skipped, testing::Contains(false));
}

}  // namespace nw::precision_steps
