// SPDX-License-Identifier: Apache-2.0
// The network whose outputs another one learns. Private to engine/train.
#pragma once
#include <memory>

#include "engine/backend/devices.hpp"
#include "engine/data/batches/batches.hpp"
#include "engine/design/distillation.hpp"
#include "engine/train/training_data.hpp"

namespace nw {

/// One thread at a time.
class Teacher {
 public:
  /// Opens the teacher's checkpoint on the device, for samples of `data`'s training part, `batch` at a time.
  /// Errc::bad_input: the run is not there, its weights have changed, or it has other images or classes.
  static Result<std::unique_ptr<Teacher>> open(const Distillation&, const TrainingData&, const ResolvedDevice&,
                                               std::int64_t batch);
  virtual ~Teacher() = default;
  /// Mixes the teacher's outputs to the batch's images, augmented and mixed as they are for the training, into its
  /// targets. `strength`: the present Augmentation::strength.
  virtual Status teach(BatchSamples&, double strength) = 0;
  virtual std::int64_t memory_bytes() const = 0;
};

}  // namespace nw
