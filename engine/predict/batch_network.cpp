// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/batch_network.hpp"

#include "engine/core/scores.hpp"
#include "engine/predict/forward.hpp"
#include "engine/predict/timing.hpp"

namespace nw {
namespace {

using predicting::Forward;

class RunBatchNetwork final : public BatchNetwork {
 public:
  RunBatchNetwork(RunDefinition d, std::string checkpoint, Forward f)
      : definition_(std::move(d)),
        checkpoint_(std::move(checkpoint)),
        scales_(pixel_scales({definition_.mean, definition_.deviation}, definition_.channels)),
        forward_(std::move(f)) {}

  const RunDefinition& definition() const override { return definition_; }
  const std::string& checkpoint() const override { return checkpoint_; }
  std::int64_t outputs() const override {
    return forward_.compiled.plan.values[static_cast<std::size_t>(forward_.output)].shape.per_sample();
  }
  std::span<const PixelScale> scales() const override { return scales_; }
  std::int64_t memory_bytes() const override { return forward_.memory_bytes(); }
  Status run(std::span<const float> nhwc, std::int64_t count, std::vector<float>& scores) override {
    return forward_.run(nhwc, count, scores);
  }
  std::vector<float> answers(std::span<const float> scores) const override {
    const std::string& activation = forward_.compiled.activation;
    return target_kind(definition_.doc.data()) == TargetKind::classes ? predicting::probabilities(scores, activation)
                                                                      : predicting::answers(scores, activation);
  }

 private:
  RunDefinition definition_;
  std::string checkpoint_;
  std::vector<PixelScale> scales_;
  Forward forward_;
};

}  // namespace

Result<std::string> checkpoint_of(const fs::path& run, const std::string& checkpoint) {
  return predicting::checkpoint_named(run, checkpoint);
}

Result<std::unique_ptr<BatchNetwork>> BatchNetwork::open(const fs::path& run, const Options& o) {
  NW_ASSIGN(RunDefinition definition, predicting::complete_definition(run));
  NW_ASSIGN(std::string name, checkpoint_of(run, o.checkpoint));
  NW_ASSIGN(const auto devices, resolve_devices({"cpu"}, o.threads));
  NW_ASSIGN(Forward forward, Forward::make(definition, devices.front(), o.largest_batch, true));
  NW_TRY(predicting::check_names(run, definition, forward));
  NW_TRY(forward.load(run, name));
  return std::unique_ptr<BatchNetwork>(
      std::make_unique<RunBatchNetwork>(std::move(definition), std::move(name), std::move(forward)));
}

}  // namespace nw
