// SPDX-License-Identifier: Apache-2.0
// One network on every device of a run: compiled, prepared, stepped together. A batch is split in contiguous shares, rank by
// rank; the plan's reduce steps make all replicas take the same update, so rank 0 speaks for all.
#pragma once
#include <memory>
#include <vector>

#include "engine/backend/devices.hpp"
#include "engine/io/safetensors.hpp"
#include "engine/train/batches.hpp"

namespace nw {

class Replicas {
 public:
  /// `doc`'s settings give the global batch. Compiles for training and, sharing weights, for evaluation.
  static Result<std::unique_ptr<Replicas>> make(const GraphDoc& doc, const DataFacts&, std::vector<FoundDevice>);
  ~Replicas();

  int world() const { return static_cast<int>(ranks_.size()); }
  std::int64_t share() const { return share_; }                    // samples of a full batch on one device
  std::int64_t capacity() const { return share_ * world(); }       // what a Batch needs room for
  std::int64_t image_elements() const;
  std::int64_t target_width() const;                               // 0: labels
  std::int64_t parameters() const;
  std::int64_t memory_bytes() const;                               // over all devices
  std::vector<std::string> choices() const;

  Status start_weights(std::uint64_t seed);
  /// One update on all devices. `args`: step, epoch, seed, learning rate; the rest is filled in here.
  Result<StepMetrics> train(const Batch&, StepArgs args);
  /// Forward only, running statistics; sums over the batch.
  Result<StepMetrics> evaluate(const Batch&);
  /// "conv2 (conv2d)": the first step of the network whose numbers are not finite on this batch; empty: none was found.
  std::string find_not_finite(const Batch&, StepArgs args);

  /// Tensors as files hold them: weights and buffers under PyTorch's names; "momentum conv1.weight" and so on.
  std::vector<TensorSource> model() const;
  std::vector<TensorSource> optimizer() const;
  /// Every tensor must be there in its shape; all replicas get it.
  Status restore(const SafetensorsFile& model, const SafetensorsFile& optimizer);

 private:
  struct Rank;
  Replicas() = default;
  Status prepare(const GraphDoc&, const DataFacts&, std::vector<FoundDevice>);
  Status prepare_rank(Rank&, const GraphDoc&, const DataFacts&, const Device&);
  Status on_all(const std::function<Status(Rank&)>&);
  Status load(Rank&, Executable&, const Compiled&, const Batch&, bool images) const;
  Status load_images(Rank&, Executable&, int value, const Batch&) const;
  StepArgs args_for(Rank&, const Batch&, StepArgs) const;
  std::vector<TensorSource> tensors(bool optimizer) const;
  Status restore_tensors(const SafetensorsFile&, bool optimizer);

  std::int64_t share_ = 0;
  std::vector<std::unique_ptr<Communicator>> communicators_;   // empty with one device
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::unique_ptr<Team> threads_;                              // one per device; the caller is rank 0
};

}  // namespace nw
