// SPDX-License-Identifier: Apache-2.0
// What runs that are compared have trained, and a network with dropout for them.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "engine/io/safetensors.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {

/// The template with a dropout in place of its first activation.
struct DropoutTrial : Trial {
  explicit DropoutTrial(const Change& change) : Trial(change) {
    GraphDoc& doc = request.definition.doc;
    for (const auto& [id, node] : doc.graph().nodes) {
      if (node.type != "ReLU") continue;
      Node dropout = node;
      dropout.type = "Dropout";
      dropout.attrs = {{"p", 0.3}};
      if (!doc.apply({PutNode{"", id, dropout}})) std::abort();
      return;
    }
    ADD_FAILURE() << "no activation";
  }
};

/// Bytes of a file of a checkpoint; step -1: the latest. Empty: it cannot be read.
inline std::string bytes_of(const fs::path& run, const char* file, std::int64_t step = -1) {
  const auto name = step < 0 ? latest_checkpoint(run)->name : checkpoint_name(step);
  const auto bytes = read_file(run / "checkpoints" / name / file, std::uint64_t{1} << 30);
  return bytes ? *bytes : "";
}
/// Weights and optimizer of the latest checkpoint.
inline std::string state_of(const fs::path& run) {
  return bytes_of(run, "model.safetensors") + bytes_of(run, "optimizer.safetensors");
}

/// Over the steps of all records, each of which has the mean of those that fell into its time. For batches of one size.
inline double sum_of_penalties(const std::vector<Steps>& records) {
  double sum = 0;
  for (const Steps& r : records) sum += r.penalty * static_cast<double>(r.count);
  return sum;
}

/// The float tensors of a file of a checkpoint; step -1: the latest.
inline std::map<std::string, std::vector<float>> tensors_of(const fs::path& run, const char* file,
                                                            std::int64_t step = -1) {
  const auto name = step < 0 ? latest_checkpoint(run)->name : checkpoint_name(step);
  const auto opened = SafetensorsFile::open(run / "checkpoints" / name / file);
  EXPECT_TRUE(opened);
  std::map<std::string, std::vector<float>> all;
  for (const TensorInfo& t : opened->header().tensors) {
    if (t.dtype != "F32") continue;
    std::vector<float>& values = all[t.name];
    values.resize(t.bytes() / sizeof(float));
    EXPECT_TRUE(opened->read(t, std::as_writable_bytes(std::span(values))));
  }
  return all;
}

/// Augmentation, dropout, averaged weights, accumulation, clipping and a schedule.
inline Trial::Change everything(std::int64_t threads, std::int64_t epochs = 8) {
  return [=](TrainSettings& s, DataChoice& d) {
    s.epochs = epochs;
    s.threads = threads;
    s.batch = 8;
    s.accumulate = 2;
    s.ema_decay = 0.9;
    s.schedule = ScheduleKind::one_cycle;
    s.clip_norm = 1;
    s.random_crop = true;
    s.crop_padding = 2;
    s.transforms = {default_transform(*find_transform("RandomRotation"))};
    s.augment_strength = 0.7;
    s.keep_checkpoints = 1000;
    d.synthetic_train = 160;
    d.synthetic_test = 32;
  };
}

}  // namespace nw
