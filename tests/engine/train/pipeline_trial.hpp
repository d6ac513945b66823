// SPDX-License-Identifier: Apache-2.0
// Small networks that are trained as a pipeline and on one device.
#pragma once
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/train/trained_state.hpp"
#include "tests/support/net_text.hpp"

namespace nw {

/// Batch norm, two skip connections, a branch of its own on one of them, and dropout.
inline const char* const residual =
    "images: Input 1x28x28; stem: Conv2d out_channels=6 kernel_size=3x3 stride=2x2 padding=1x1 <- images; "
    "stem_relu: ReLU <- stem; conv1: Conv2d out_channels=6 kernel_size=3x3 padding=1x1 <- stem_relu; "
    "bn1: BatchNorm2d <- conv1; relu1: ReLU <- bn1; "
    "conv2: Conv2d out_channels=6 kernel_size=3x3 padding=1x1 <- relu1; bn2: BatchNorm2d <- conv2; "
    "add1: Add <- bn2, stem_relu; relu2: ReLU <- add1; "
    "conv3: Conv2d out_channels=6 kernel_size=3x3 padding=1x1 <- relu2; "
    "bn3: BatchNorm2d <- conv3; short: Conv2d out_channels=6 kernel_size=1x1 <- stem_relu; add2: Add <- bn3, short; "
    "relu3: ReLU <- add2; pool: GlobalAvgPool2d <- relu3; flat: Flatten <- pool; drop: Dropout p=0.2 <- flat; "
    "fc: Linear <- drop; loss: CrossEntropy <- fc";

struct Division {
  std::vector<std::string> devices;
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  std::int64_t stages = 0;
};
inline const Division one_device{{"cpu"}};

/// Micro-batches of 13, of which the last of an update has 11, and the last update of an epoch is short.
inline Trial::Change divided(const Division& d) {
  return [=](TrainSettings& s, DataChoice& data) {
    s.batch = 50;
    s.micro_batches = 4;
    s.devices = d.devices;
    s.parallel = Parallelism::model;
    s.pipeline = d.schedule;
    s.stages = d.stages;
    s.clip_norm = 1;
    s.ema_decay = 0.9;
    s.random_crop = true;
    s.crop_padding = 2;
    data.synthetic_train = 213;
    data.synthetic_test = 60;
  };
}

struct PipelineTrial : Trial {
  PipelineTrial(const std::string& network, const Change& change)
      : Trial(change, network == residual ? "mlp" : network) {
    if (network != residual) return;
    const GraphDoc settings = request.definition.doc;
    request.definition.doc = test::net(residual);
    test::edit(request.definition.doc, {PutSettings{settings.settings()}, PutData{settings.data()}});
  }
  /// Puts layers on stages.
  void place(const std::map<std::string, std::int64_t>& stages) {
    GraphDoc& doc = request.definition.doc;
    for (const auto& [name, stage] : stages) {
      const NodeId id = test::id_of(doc, name);
      Node node = doc.graph().nodes.at(id);
      node.pipeline_stage = stage;
      test::edit(doc, {PutNode{"", id, node}});
    }
  }
};

/// The stages of both replicas, of two stages each, are in the last epoch's times, each with times of its own.
inline void expect_times_of_two_replicas(PipelineTrial& trained) {
  const auto times = trained.sink.all<RankTimes>();
  ASSERT_FALSE(times.empty());
  const std::vector<RankUse>& ranks = times.back().ranks;
  ASSERT_EQ(ranks.size(), 4U);
  std::set<double> different;
  for (int i = 0; i < 4; ++i) {
    const RankUse& r = ranks[static_cast<std::size_t>(i)];
    EXPECT_EQ(r.rank, i);
    EXPECT_GT(*r.compute_s, 0) << i;
    EXPECT_LE(*r.compute_s + *r.communication_s + *r.wait_s, r.seconds * 1.01) << i;
    different.insert(*r.compute_s);
  }
  EXPECT_EQ(different.size(), 4U);
}

inline void expect_the_same(PipelineTrial& one, PipelineTrial& other) {
  EXPECT_EQ(state_of(one.request.run), state_of(other.request.run));
  const auto a = one.sink.all<EpochEnd>(), b = other.sink.all<EpochEnd>();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].train_loss, b[i].train_loss);
    EXPECT_EQ(a[i].train_accuracy, b[i].train_accuracy);
    EXPECT_EQ(a[i].validation_loss, b[i].validation_loss);
    EXPECT_EQ(a[i].step, b[i].step);
  }
  const auto s = one.sink.all<Steps>(), t = other.sink.all<Steps>();
  ASSERT_FALSE(s.empty() || t.empty());
  EXPECT_EQ(s.back().grad_norm, t.back().grad_norm);
}

}  // namespace nw
