// SPDX-License-Identifier: Apache-2.0
// What Replicas hold for each device. Private to replicas*.cpp.
#pragma once
#include <map>

#include "engine/data/batches/batch.hpp"
#include "engine/train/replicas.hpp"

namespace nw {

/// What one device takes of a batch.
struct Replicas::Share final : StepInputs {
  const Replicas* all = nullptr;
  Rank* rank = nullptr;
  const Batch* batch = nullptr;
  std::int64_t offset = 0;  // its first sample in the batch
  Status make(std::int64_t first, std::int64_t count, std::span<float> nhwc) const override {
    return batch->make(offset + first, count, nhwc);
  }
  const PixelsInPlace* pixels_from = nullptr;  // null: images have to be made
  Status load(Executable&) const override;
  const std::uint8_t* pixels(std::int64_t i) const override {
    return pixels_from ? pixels_from->set.pixels(batch->samples[static_cast<std::size_t>(offset + i)]) : nullptr;
  }
  std::span<const PixelScale> pixel_scales() const override {
    return pixels_from ? std::span<const PixelScale>(pixels_from->scales) : std::span<const PixelScale>();
  }
};

struct Replicas::Rank {
  int rank = 0;
  std::shared_ptr<const Device> device;
  std::unique_ptr<Team> team;
  Communicator* communicator = nullptr;
  Compiled training, evaluation;
  std::unique_ptr<Executable> train, evaluate;
  // of its share, where the device neither makes them nor offers a place for them
  std::vector<float> images;
  std::vector<Share> shares;                                       // of the steps at hand
  std::map<const BatchMaker*, std::shared_ptr<KeptSamples>> kept;  // data that lies on the device
};

inline bool is_model(const Value& v) { return v.role == Role::weight || v.role == Role::buffer; }

}  // namespace nw
