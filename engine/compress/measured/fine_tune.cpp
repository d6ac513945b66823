// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/measured/fine_tune.hpp"

#include <algorithm>
#include <cstring>

#include "engine/backend/devices.hpp"
#include "engine/compress/measured/measured_form.hpp"
#include "engine/compress/pruning/prune.hpp"
#include "engine/data/batches/batches.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/train/initial_weights.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/training_data.hpp"

namespace nw::compress {
namespace {

using exchange::Weights;

/// Half a cosine down to 0; no average of weights, for those are not what is changed.
TrainSettings fine_tuning_settings(TrainSettings s, const FineTuning& options) {
  s.epochs = options.epochs;
  s.learning_rate = options.learning_rate > 0 ? options.learning_rate : s.learning_rate / 10;
  s.schedule = ScheduleKind::cosine;
  s.min_learning_rate = s.warmup_epochs = 0;
  s.ema_decay = 0;
  s.swa_start = 0;
  if (options.threads > 0) s.threads = options.threads;
  return s;
}

class FineTuner {
 public:
  FineTuner(Weights start, const ChangeWeights& change) : trained_(std::move(start)), change_(change) {}

  Status open(const fs::path& run, const GraphDoc& network, const FineTuning& options) {
    NW_ASSIGN(definition_, read_run_definition(run));
    NW_ASSIGN(definition_.doc, measured_form(network, fine_tuning_settings(network.settings(), options)));
    NW_ASSIGN(const FlatNetwork flat, flatten(definition_.doc, {.training = false, .batch = 1}));
    NW_TRY(check_weights(flat, trained_));
    NW_ASSIGN(data_, open_training_data(definition_, definition_.data_dir.empty(), true));
    NW_ASSIGN(auto devices, resolve_devices({"cpu"}, settings().threads));
    NW_ASSIGN(replicas_, Replicas::make(definition_.doc, data_.facts, std::move(devices)));
    NW_TRY(replicas_->start_weights(settings().seed));
    computed_ = trained_;
    put_all();
    find_places();
    return replicas_->first().step.health();
  }

  Result<FineTuned> run(const FineTuning& options) {
    const BatchSource source = batches();
    const std::int64_t per_epoch = batches_per_epoch(source);
    Batches all(source, 0, 0, options.epochs);
    FineTuned made{.learning_rate = settings().learning_rate};
    double loss = 0;
    for (std::int64_t step = 0; const BatchSamples* batch = all.next(); ++step) {
      NW_ASSIGN(const double batch_loss, train(*batch, step, per_epoch));
      const std::int64_t done = step % per_epoch + 1;
      loss += (batch_loss - loss) / static_cast<double>(done);
      if (done == per_epoch) made.losses.push_back(loss);
      if (options.progress && !options.progress({step / per_epoch + 1, options.epochs, done, per_epoch, loss}))
        return fail(Errc::stopped, NW_TR("The training was stopped"));
      if (done == per_epoch) loss = 0;
    }
    read_statistics();
    made.weights = std::move(trained_);
    return made;
  }

 private:
  struct Place {
    int value;
    std::string name;
  };
  const TrainSettings& settings() const { return definition_.doc.settings(); }

  BatchSource batches() const {
    return {.maker = &*data_.train,
            .shuffle = true,
            .augment = true,
            .batch = settings().batch,
            .statistics_over = replicas_->statistics_over(),
            .capacity = replicas_->update_capacity(),
            .target_width = replicas_->target_width()};
  }

  void put_all() {
    Replicas::Copy state = replicas_->copy();
    for (const auto& [name, w] : trained_)
      if (const auto at = state.tensors.find(name); at != state.tensors.end())
        std::memcpy(at->second.data(), w.values.data(), std::min(at->second.size(), w.values.size() * sizeof(float)));
    replicas_->put(state);
  }

  void find_places() {
    const Plan& plan = replicas_->plan();
    for (std::size_t v = 0; v < plan.values.size(); ++v) {
      if (plan.values[v].role != Role::weight) continue;
      const std::string name = name_in_files(plan.values[v]);
      if (trained_.contains(name)) places_.push_back({static_cast<int>(v), name});
    }
  }

  /// The batch's mean loss.
  Result<double> train(const BatchSamples& batch, std::int64_t step, std::int64_t per_epoch) {
    NW_TRY(change_(trained_, computed_));
    Executable& on = replicas_->first().step;
    for (const Place& p : places_) on.write(p.value, std::as_bytes(std::span(computed_.at(p.name).values)));
    StepArgs args;
    args.step = step;
    args.epoch = step / per_epoch;
    args.seed = settings().seed;
    args.learning_rate = learning_rate_at(settings(), step, per_epoch);
    NW_ASSIGN(const StepMetrics m, replicas_->train(batch, args));
    if (!m.finite)
      return fail(Errc::not_finite,
                  NW_TR("The loss is not a finite number in step {0}; a lower learning rate may help"), step + 1);
    take_update(on);
    return m.loss_sum / static_cast<double>(std::max<std::int64_t>(1, batch.valid));
  }

  void take_update(Executable& from) {
    for (const Place& p : places_) {
      std::vector<float>& trained = trained_.at(p.name).values;
      const std::vector<float>& computed = computed_.at(p.name).values;
      updated_.resize(trained.size());
      from.read(p.value, std::as_writable_bytes(std::span(updated_)));
      for (std::size_t i = 0; i < updated_.size(); ++i) trained[i] += updated_[i] - computed[i];
    }
  }

  void read_statistics() {
    const Plan& plan = replicas_->plan();
    for (std::size_t v = 0; v < plan.values.size(); ++v) {
      const auto at = trained_.find(name_in_files(plan.values[v]));
      if (plan.values[v].role == Role::buffer && plan.values[v].dtype == DType::f32 && at != trained_.end())
        replicas_->first().step.read(static_cast<int>(v), std::as_writable_bytes(std::span(at->second.values)));
    }
  }

  Weights trained_, computed_;
  const ChangeWeights& change_;
  RunDefinition definition_;
  TrainingData data_;
  std::unique_ptr<Replicas> replicas_;
  std::vector<Place> places_;
  std::vector<float> updated_;
};

}  // namespace

Result<FineTuned> fine_tune(const fs::path& run, const GraphDoc& network, Weights start, const ChangeWeights& change,
                            const FineTuning& options) {
  FineTuner tuner(std::move(start), change);
  NW_TRY(tuner.open(run, network, options));
  return tuner.run(options);
}

}  // namespace nw::compress
