// SPDX-License-Identifier: Apache-2.0
#include "engine/train/replicas.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>

#include "engine/design/data_facts.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/first_failure.hpp"
#include "engine/train/initial_weights.hpp"
#include "engine/train/not_finite.hpp"
#include "engine/train/replicas_rank.hpp"
#include "engine/train/without_throwing.hpp"
#include "kernels/fill_inputs.hpp"
#include "kernels/step_gate.hpp"

namespace nw {
// Runs `work` for all devices at once, each on its thread. A failing device wakes those that wait for it. Returns the
// first error by rank; an error caused by the failure of another device only if there is no other.
Status Replicas::on_all(const std::function<Status(Rank&)>& work) {
  std::vector<Status> done(ranks_.size());
  threads_->run([&](int index) {
    const auto r = static_cast<std::size_t>(index);
    done[r] = without_throwing([&] { return work(*ranks_[r]); });
    if (!done[r] && ranks_[r]->communicator) ranks_[r]->communicator->abort();
  });
  Status failure = first_failure(done);
  if (!failure && processes_ && failure.error().code == Errc::stopped)
    if (const auto why = processes_->lost()) return *why;
  return failure;
}

std::int64_t Replicas::target_width() const {
  const Plan& plan = ranks_.front()->training.plan;
  const int targets = plan.find("targets");
  return targets < 0 ? 0 : plan.values[static_cast<std::size_t>(targets)].shape.per_sample();
}

std::int64_t Replicas::parameters() const {
  std::int64_t count = 0;
  for (const Value& v : all_values().values)
    if (v.role == Role::weight) count += v.shape.elements();
  return count;
}

Pipeline* Replicas::pipeline() const { return ranks_.empty() ? nullptr : ranks_.front()->pipeline.get(); }

std::int64_t Replicas::memory_bytes() const {
  std::int64_t bytes = 0;
  const int each = pipeline() ? pipeline()->stages_here() : 1;
  for (int device = 0; device < each * static_cast<int>(ranks_.size()); ++device) bytes += memory_bytes_of(device);
  return bytes;
}

std::int64_t Replicas::memory_bytes_of(int device) const {
  const int each = pipeline() ? pipeline()->stages_here() : 1, stage = device % each;
  const Rank& r = *ranks_[static_cast<std::size_t>(device / each)];
  std::int64_t bytes = r.pipeline ? r.pipeline->memory_bytes_of(stage + (spread_ ? spread_->stage : 0)) : 0;
  if (r.updates) bytes += r.updates->of_stage(stage).memory_bytes();
  if (stage > 0) return bytes;
  if (!r.updates) bytes += r.train->memory_bytes();
  for (const auto* e : {&r.evaluate, &r.update}) bytes += *e ? (*e)->memory_bytes() : 0;
  return bytes;
}

double Replicas::reduce_seconds() const { return communicators_.empty() ? 0 : communicators_.front()->seconds(); }

int Replicas::threads() const {
  int sum = 0;
  for (const auto& r : ranks_) sum += r->pipeline ? r->pipeline->threads() : r->team->size();
  return sum;
}

bool Replicas::own_memory() const { return ranks_.front()->device->name().starts_with("cuda"); }

const Plan& Replicas::plan() const { return ranks_.front()->training.plan; }

std::int64_t Replicas::statistics_over() const {
  if (!has_batch_norm_) return 0;
  return own_statistics_ ? share_ : capacity();
}

std::vector<StepTime> Replicas::step_times() const { return ranks_.front()->train->step_times(); }

std::vector<std::string> Replicas::choices() const {
  return pipeline() ? pipeline()->choices() : ranks_.front()->train->choices();
}

Status Replicas::start_weights(std::uint64_t seed) {
  const Plan& plan = ranks_.front()->training.plan;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (!is_model(v)) continue;
    std::vector<std::byte> bytes(bytes_of(v));  // counters start at zero
    if (v.dtype == DType::f32) {
      std::vector<float> values(static_cast<std::size_t>(v.shape.elements()));
      NW_TRY(initial_values(v, seed, values));
      std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    for (auto& r : ranks_) r->train->write(static_cast<int>(i), bytes);
  }
  begin_averages();
  return {};
}

// Returns null if the images come from the host. A device always augments images as the maker does.
const DeviceSamples* Replicas::kept(const Rank& r, const BatchSamples& batch) const {
  if (!batch.augment && batch.maker->augments()) return nullptr;
  const auto it = r.kept.find(batch.maker);
  return it != r.kept.end() ? it->second.get() : nullptr;
}

StepArgs Replicas::args_for(Rank& r, const BatchSamples& batch, StepArgs args, std::size_t ahead,
                            std::int64_t part) const {
  if (r.shares.size() <= ahead) r.shares.resize(ahead + 1);
  const std::int64_t first = part * capacity() + share_ * r.rank;
  r.shares[ahead] = BatchInputs(batch, first, share_, kept(r, batch));
  args.inputs = &r.shares[ahead];
  args.valid = std::clamp<std::int64_t>(batch.valid - first, 0, share_);
  args.global_valid = std::clamp<std::int64_t>(batch.valid - part * capacity(), 0, capacity());
  args.loss_weight = loss_weight(batch, part * capacity(), capacity());
  args.sample = batch.samples.data() + first;
  return args;
}

// As in PyTorch, targets that are fractions of classes are weighted, but the mean is one over samples.
double Replicas::loss_weight(const BatchSamples& batch, std::int64_t first, std::int64_t count) const {
  const std::int64_t samples = std::clamp<std::int64_t>(batch.valid - first, 0, count);
  const std::vector<double>& weights = ranks_.front()->training.class_weights;
  if (weights.empty() || target_width() > 0) return static_cast<double>(samples);
  double sum = 0;
  for (std::int64_t i = first; i < first + samples; ++i)
    sum += weights.at(static_cast<std::size_t>(batch.labels[static_cast<std::size_t>(i)]));
  return sum;
}

/// A step's sum of losses such that its mean over the samples is the loss that was minimized.
void Replicas::average_over_weights(StepMetrics& m, const BatchSamples& batch) const {
  if (!ranks_.front()->training.class_weights.empty())
    m.loss_sum *= static_cast<double>(batch.valid) / loss_weight(batch);
}

Result<StepMetrics> Replicas::train(const BatchSamples& batch, StepArgs args) {
  step_ = args.step + 1;
  gathered_.clear();
  if (!processes_) return train_one(batch, args);
  processes_->is_at(step_, "the training step");
  processes_->tell_place_by([this] { return place(); });
  Result<StepMetrics> done = train_one(batch, args);
  if (!done) return done;
  processes_->tell_place_by({});
  processes_->is_at("the preparation of the next step");
  return done;
}

Result<StepMetrics> Replicas::train_one(const BatchSamples& batch, const StepArgs& args) {
  if (trains_in_parts()) return train_in_parts(batch, args);
  NW_TRY(on_all([&](Rank& r) { return timed_step(r, [&] { return r.train->run(args_for(r, batch, args)); }); }));
  StepMetrics m = ranks_.front()->train->metrics();  // reduced: the same on every rank
  m.finite = m.finite && std::isfinite(m.loss_sum);
  average_over_weights(m, batch);
  return m;
}

Status Replicas::keep(const BatchBuilder& maker) {
  const auto set = maker.samples();
  if (!set || pipeline()) return {};
  NW_TRY(on_all([&](Rank& r) -> Status {
    NW_ASSIGN(auto samples, r.train->keep(*set));
    if (!samples) return {};
    NW_ASSIGN(auto too, r.evaluate->keep(*set));  // prepares `evaluate`; the pixels are those of `train`
    if (too) r.kept[&maker] = std::move(samples);
    return {};
  }));
  const bool everywhere =
      std::all_of(ranks_.begin(), ranks_.end(), [&](const auto& r) { return r->kept.count(&maker) > 0; });
  for (auto& r : ranks_)
    if (!everywhere) r->kept.erase(&maker);
  return {};
}

std::int64_t Replicas::steps_at_once(const BatchBuilder& maker) const {
  const Rank& first = *ranks_.front();
  if (trains_in_parts() || processes_) return 1;
  return first.train->steps_at_once(first.kept.count(&maker) > 0);
}

namespace {
/// The replica that asks first decides for all.
class SharedGate final : public StepGate {
 public:
  explicit SharedGate(const std::function<bool()>& go_on) : go_on_(go_on) {}
  bool may_begin(std::size_t i) override {
    const std::scoped_lock lock(mutex_);
    if (i < decided_) return true;
    if (!closed_) closed_ = !go_on_();
    if (!closed_) decided_ = i + 1;
    return !closed_;
  }

 private:
  const std::function<bool()>& go_on_;
  std::mutex mutex_;
  std::size_t decided_ = 1;  // steps that every replica begins
  bool closed_ = false;
};

Result<std::size_t> run_until(Executable& e, std::span<const StepArgs> steps, std::span<StepMetrics> results,
                              StepGate& gate) {
  if (auto* interruptible = dynamic_cast<InterruptibleExecutable*>(&e))
    return interruptible->run_until(steps, results, gate);
  NW_TRY(e.run_many(steps, results));
  return steps.size();
}
}  // namespace

Result<std::size_t> Replicas::train(std::span<const BatchSamples> batches, std::span<StepArgs> args,
                                    std::span<StepMetrics> results, const std::function<bool()>& go_on) {
  std::vector<std::vector<StepMetrics>> all(ranks_.size(), std::vector<StepMetrics>(results.size()));
  SharedGate gate(go_on);
  std::size_t run = 0;
  gathered_.clear();
  NW_TRY(on_all([&](Rank& r) -> Status {
    std::vector<StepArgs> mine;
    r.shares.resize(std::max(r.shares.size(), batches.size()));  // no reallocation below
    for (std::size_t i = 0; i < batches.size(); ++i) mine.push_back(args_for(r, batches[i], args[i], i));
    return timed_step(r, [&]() -> Status {
      NW_ASSIGN(const std::size_t done, run_until(*r.train, mine, all[r.index], gate));
      if (r.index == 0) run = done;
      return {};
    });
  }));
  std::copy_n(all.front().begin(), run, results.begin());  // reduced: the same on every rank
  for (std::size_t i = 0; i < run; ++i) {
    results[i].finite = results[i].finite && std::isfinite(results[i].loss_sum);
    average_over_weights(results[i], batches[i]);
  }
  return run;
}

Result<StepMetrics> Replicas::evaluate(const BatchSamples& batch) {
  if (processes_) processes_->is_at("the evaluation");
  NW_TRY(on_all([&](Rank& r) -> Status {
    const StepArgs args = args_for(r, batch, {});
    if (args.valid == 0 || !r.evaluate) return {};
    return r.evaluate->run(args);
  }));
  StepMetrics sum;
  for (const auto& r : ranks_) {
    if (args_for(*r, batch, {}).valid == 0 || !r->evaluate) continue;
    const StepMetrics m = r->evaluate->metrics();
    sum.loss_sum += m.loss_sum;
    sum.correct += m.correct;
    sum.samples += m.samples;
  }
  NW_TRY(sum_over_processes(sum));
  return sum;
}

std::int64_t Replicas::scores_per_image() const {
  const Compiled& c = ranks_.front()->evaluation;
  const int output = c.plan.find(c.output);
  return output < 0 ? 0 : c.plan.values[static_cast<std::size_t>(output)].shape.per_sample();
}

const std::string& Replicas::activation() const { return ranks_.front()->evaluation.activation; }

Result<std::vector<float>> Replicas::scores(const BatchSamples& batch) {
  std::vector<float> all(static_cast<std::size_t>(share_ * scores_per_image()));
  NW_TRY(on_all([&](Rank& r) -> Status {
    if (r.index != 0 || !r.evaluate) return {};
    NW_TRY(r.evaluate->run(args_for(r, batch, {})));
    r.evaluate->read(r.evaluation.plan.find(r.evaluation.output), std::as_writable_bytes(std::span(all)));
    return r.evaluate->health();
  }));
  all.resize(static_cast<std::size_t>(batch.valid * scores_per_image()));
  return all;
}

std::optional<NotFinite> Replicas::find_not_finite(const BatchSamples& batch, StepArgs args) {
  std::vector<std::optional<NotFinite>> found(ranks_.size());
  if (!gather_weights()) return {};
  const Status done = on_all([&](Rank& r) -> Status {
    if (!r.evaluate) return {};
    NW_ASSIGN(const Compiled whole, whole_plan(r));
    const Plan spread = keep_every_value(whole.plan, *r.device);
    NW_ASSIGN(
        auto run,
        r.device->prepare(spread, {.team = r.team.get(), .communicator = r.communicator, .weights_from = &r.whole()}));
    std::optional<NotFinite>& place = found[r.index];
    for (std::int64_t part = 0; part < accumulate_ && !place; ++part) {
      StepArgs mine = args_for(r, batch, args, 0, part);
      if (mine.global_valid == 0) break;
      mine.inputs = nullptr;  // the inputs are already written, so that they can be read
      const std::int64_t first = part * capacity() + share_ * r.rank;
      NW_TRY(write_inputs(BatchInputs(batch, first, share_, nullptr), spread, *r.team, *run));
      NW_TRY(run->run(mine));
      place = first_not_finite(spread, *run, mine.valid);
      const StepMetrics m = run->metrics();
      if (!place && !m.finite && std::isfinite(m.loss_sum)) place = largest_update(spread, *run);
    }
    return {};
  });
  for (const auto& where : found)
    if (done && where) return where;
  if (!done || !trains_in_parts() || spread_) return {};
  return largest_update(ranks_.front()->training.plan, *ranks_.front()->train);  // the sum of finite parts
}

}  // namespace nw
