// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/measured/measured_network.hpp"

#include <algorithm>
#include <cstring>

#include "engine/backend/devices.hpp"
#include "engine/compress/pruning/prune.hpp"
#include "engine/data/batches/batches.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/training_data.hpp"

namespace nw::compress {
namespace {

using exchange::NamedWeight;
using exchange::Weights;

constexpr std::int64_t largest_batch = 64;

/// As the run trains it, but in fp32, in one batch an update, and with every layer trained.
Result<GraphDoc> measured_form(GraphDoc doc) {
  TrainSettings s = doc.settings();
  s.precision = DType::f32;
  s.accumulate = s.micro_batches = 1;
  s.parallel = Parallelism::data;
  s.batch = std::min(s.batch, largest_batch);
  Edit edit{PutSettings{s}};
  const auto unfreeze = [&](const std::string& scope, const Graph& graph) {
    for (const auto& [id, node] : graph.nodes) {
      Node trained = node;
      trained.frozen = false;
      trained.frozen_epochs = 0;
      trained.lr_scale = 1;
      if (trained != node) edit.push_back(PutNode{scope, id, std::move(trained)});
    }
  };
  unfreeze("", doc.graph());
  for (const auto& [name, block] : doc.blocks()) unfreeze(name, block.graph);
  NW_ASSIGN(const Edit undo, doc.apply(edit));
  (void)undo;
  return doc;
}

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class OpenNetwork final : public MeasuredNetwork {
 public:
  explicit OpenNetwork(Weights weights) : weights_(std::move(weights)) {}
  Status open(const fs::path& run, const Options&);

  const FlatNetwork& network() const override { return network_; }
  const Weights& weights() const override { return weights_; }
  bool has_classes() const override { return data_.facts.targets != TargetKind::values; }
  Result<MeasuredAnswers> answers(const Weights&, Part) override;
  Status gradients(const std::function<bool(const Weights&)>& take) override;

 private:
  void put(const Weights&);
  BatchSource batches(const BatchBuilder&, bool augment) const;
  const std::optional<BatchBuilder>& maker(Part) const;
  Status read_gradient(Weights&) const;

  Options options_;
  Weights weights_;
  FlatNetwork network_;
  RunDefinition definition_;
  TrainingData data_;
  std::unique_ptr<Replicas> replicas_;
  Replicas::Copy state_;
};

Status OpenNetwork::open(const fs::path& run, const Options& options) {
  options_ = options;
  NW_ASSIGN(definition_, read_run_definition(run));
  NW_ASSIGN(definition_.doc, measured_form(std::move(definition_.doc)));
  NW_ASSIGN(network_, flatten(definition_.doc, {.training = false, .batch = 1}));
  NW_TRY(check_weights(network_, weights_));
  NW_ASSIGN(data_, open_training_data(definition_, definition_.data_dir.empty(), true));
  NW_ASSIGN(auto devices, resolve_devices({"cpu"}, options.threads, options.backend));
  NW_ASSIGN(replicas_, Replicas::make(definition_.doc, data_.facts, std::move(devices)));
  NW_TRY(replicas_->start_weights(definition_.doc.settings().seed));
  state_ = replicas_->copy();
  put(weights_);
  return replicas_->first().step.health();
}

void OpenNetwork::put(const Weights& weights) {
  for (const auto& [name, weight] : weights)
    if (const auto at = state_.tensors.find(name); at != state_.tensors.end()) at->second = bytes_of(weight.values);
  replicas_->put(state_);
}

BatchSource OpenNetwork::batches(const BatchBuilder& maker, bool augment) const {
  return {.maker = &maker,
          .shuffle = true,  // a part of them is looked at
          .augment = augment,
          .batch = definition_.doc.settings().batch,
          .statistics_over = augment ? replicas_->statistics_over() : 0,
          .capacity = replicas_->update_capacity(),
          .target_width = replicas_->target_width()};
}

const std::optional<BatchBuilder>& OpenNetwork::maker(Part part) const {
  if (part == Part::training) return data_.train;
  return data_.validation ? data_.validation : data_.test;
}

Result<MeasuredAnswers> OpenNetwork::answers(const Weights& weights, Part part) {
  const auto& from = maker(part);
  if (!from) return fail(Errc::bad_input, NW_TR("The data have neither a validation part nor a test part"));
  put(weights);
  Batches all(batches(*from, false), 0, 0, 1);
  MeasuredAnswers sum;
  double weight = 0;
  while (const BatchSamples* batch = sum.images < options_.images ? all.next() : nullptr) {
    NW_ASSIGN(const StepMetrics m, replicas_->evaluate(*batch));
    sum.loss += m.loss_sum;
    sum.correct += m.correct;
    sum.images += batch->valid;
    weight += replicas_->loss_weight(*batch);
  }
  sum.loss /= std::max(weight, 1e-30);
  put(weights_);
  return sum;
}

// A learning rate of zero leaves the weights as they are; running statistics and the optimizer's state change, and are
// put back.
Status OpenNetwork::gradients(const std::function<bool(const Weights&)>& take) {
  Batches all(batches(*data_.train, true), 0, 0, 1);
  StepArgs args;
  args.seed = definition_.doc.settings().seed;
  Weights gradient;
  Status ended;
  for (std::int64_t seen = 0; ended && seen < options_.images; ++args.step) {
    const BatchSamples* batch = all.next();
    if (!batch) break;
    seen += batch->valid;
    NW_ASSIGN(const StepMetrics m, replicas_->train(*batch, args));
    if (!m.finite) return fail(Errc::not_finite, NW_TR("The loss of the network is not a finite number"));
    NW_TRY(read_gradient(gradient));
    if (!take(gradient)) ended = fail(Errc::stopped, NW_TR("The measurement was stopped"));
  }
  put(weights_);
  return ended;
}

Status OpenNetwork::read_gradient(Weights& gradient) const {
  const Replicas::First first = replicas_->first();
  const Plan& plan = replicas_->plan();
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    const int from = v.role == Role::weight ? plan.find("grad " + v.name) : -1;
    if (from < 0) continue;
    NamedWeight& to = gradient[v.name];
    to.dims = exchange::sizes_of(v.shape);
    to.values.resize(static_cast<std::size_t>(v.shape.elements()));
    first.step.read(from, std::as_writable_bytes(std::span(to.values)));
  }
  return first.step.health();
}

}  // namespace

Result<std::unique_ptr<MeasuredNetwork>> MeasuredNetwork::open(const fs::path& run, Weights weights,
                                                               const Options& options) {
  auto made = std::make_unique<OpenNetwork>(std::move(weights));
  NW_TRY(made->open(run, options));
  return std::unique_ptr<MeasuredNetwork>(std::move(made));
}

}  // namespace nw::compress
