// SPDX-License-Identifier: Apache-2.0
// A run's network, forward only, with a checkpoint's weights. Private to engine/predict.
#pragma once
#include <optional>

#include "engine/backend/devices.hpp"
#include "engine/compile/compile.hpp"
#include "engine/compress/int8/runner.hpp"
#include "engine/core/scores.hpp"
#include "engine/data/batches/inputs.hpp"
#include "engine/parallel/team.hpp"
#include "engine/predict/predictor.hpp"

namespace nw {
class SafetensorsFile;
struct TensorInfo;
}  // namespace nw

namespace nw::predicting {

inline constexpr std::int64_t batch_images = 64;

/// Plan, executable and thread team of one network on one device. One thread at a time. Only the scores can be read,
/// unless the object was made by with_every_layer or with_gradients.
struct Forward {
  Compiled compiled;
  std::shared_ptr<Team> team;
  std::shared_ptr<const Device> device;
  // computes the scores where the checkpoint is of an 8-bit network; layers, filters and gradients are then those of
  // the same weights in fp32
  std::unique_ptr<compress::int8::Runner> int8;
  std::unique_ptr<Executable> executable;  // last member, destroyed first
  int images = -1, output = -1;
  std::int64_t batch = batch_images;
  /// Of the loss, for predicting::loss_of(); `this` must outlive it.
  LossForm loss_form() const {
    return {compiled.label_smoothing, compiled.focal_gamma,
            compiled.class_weights.empty() ? compiled.pos_weight : compiled.class_weights};
  }
  /// What a sample counts in the mean loss: the weight of its class.
  double weight_of(std::int64_t label) const {
    return compiled.class_weights.empty() ? 1 : loss_form().weight_of(label);
  }
  int seed = -1;  // with_gradients: the gradient with respect to the scores

  static Result<Forward> make(const RunDefinition&, const std::string& backend);
  /// Prepares the run's network on the device, for up to `batch` images at a time. `lean`: in as little memory as the
  /// scores need.
  static Result<Forward> make(const RunDefinition&, const ResolvedDevice&, std::int64_t batch, bool lean = false);
  /// The same network with the same weights, in which every layer's output can be read. It must not outlive this
  /// object.
  Result<Forward> with_every_layer(const RunDefinition&) const;
  /// The same network with the backward pass (compile_gradients). It must not outlive this object.
  Result<Forward> with_gradients(const RunDefinition&) const;
  Status load(const fs::path& run, const std::string& checkpoint);
  std::int64_t memory_bytes() const { return executable->memory_bytes() + (int8 ? int8->memory_bytes() : 0); }
  /// Runs the first `count` ≤ batch images of `inputs`. Scores: (count, classes).
  Status run(const StepInputs& inputs, std::int64_t count, std::vector<float>& scores);
  /// Runs normalized images in host layout.
  Status run(std::span<const float> nhwc, std::int64_t count, std::vector<float>& scores);
  /// Runs samples of a data set, at most `batch` of them.
  Status run(const BatchBuilder&, std::span<const std::int64_t> samples, std::vector<float>& scores);

 private:
  using Compile = Result<Compiled> (*)(const GraphDoc&, Target);
  Result<Forward> beside(const RunDefinition&, Compile) const;
  Status prepare(const RunDefinition&, Executable* weights_from, Compile);
  Status load_int8(const fs::path& run, const SafetensorsFile& model);

  bool reads_all_values_ = false;  // including the step's inputs: with_every_layer, with_gradients
};

/// A run's definition with the size and normalization of its images; Errc::bad_input: it has none.
Result<RunDefinition> complete_definition(const fs::path& run);
/// Predictions are named by their number. Labels and numbers have a name for each output; a network may have more
/// scores than there are classes.
Status check_names(const fs::path& run, const RunDefinition& definition, const Forward& forward);

/// The input of the last layer with weights in the last run: (count, numbers), in memory order. The Forward object must
/// be made by with_every_layer.
Result<std::vector<float>> features_in(const Forward&, std::int64_t count);

}  // namespace nw::predicting
