// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/executable.hpp"

#include <algorithm>
#include <chrono>

#include "kernels/cuda/launch_planner.hpp"
#include "kernels/cuda/ranges.hpp"
#include "kernels/rank_communicator.hpp"
#include "kernels/state_shard.hpp"

namespace nw::cuda {
namespace {

// multiples of the watchdog timeout
constexpr double preparing_timeout = 15, closing_timeout = 1, step_timeout = 1;
// Steps over stored samples cannot be stopped once they are launched: long enough to hide the host's overhead, short
// enough to stop quickly.
constexpr double burst_s = 0.02;
// Only the first step's inputs delay the device; the others are copied while a step runs. A stop waits for two steps at
// most: the one that runs and the one whose inputs are being loaded.
constexpr double loaded_s = 0.2;
constexpr std::int64_t least_loaded = 4;
DevicePointer pointer(const void* device) { return reinterpret_cast<DevicePointer>(device); }

}  // namespace

CudaExecutable::CudaExecutable(const Plan& plan, const PrepareArgs& args, std::shared_ptr<Gpu> gpu)
    : plan_(plan),
      communicator_(has_exchanges(plan) || has_stage_sums(plan) ? args.communicator : nullptr),
      profile_(args.profile),
      gpu_(std::move(gpu)),
      stream_(plan_, gpu_, args.profile),
      memory_(plan_, gpu_),
      inputs_(plan_, args.team, stream_),
      graphs_(stream_, step_, at_),
      profiler_(plan_, stream_, graphs_),
      values_(plan_, stream_, memory_, inputs_) {}

CudaExecutable::~CudaExecutable() {
  stream_.set_doing("closing");
  const Watched guard(stream_.waiting(closing_timeout));
  const bool usable = static_cast<bool>(gpu_->use());
  if (!usable || !health()) stream_.leave_reducer();
  if (!usable) return;
  drop_graphs();
  stream_.drop_reducer();  // after the graphs, which contain the reducer's sums
  step_.parts.clear();
  engines_.reset();
  profiler_.drop();
  inputs_.drop_events();
  inputs_.drop_stream();
  stream_.drop();
}

// Other ranks may be waiting for this one. If it is this GPU that failed, NCCL might wait for it at the end.
Status CudaExecutable::prepare(const PrepareArgs& args) {
  Status prepared = try_prepare(args);
  if (!prepared && communicator_) communicator_->abort();
  if (!prepared && prepared.error().code != Errc::stopped) stream_.leave_reducer();
  return prepared;
}

Status CudaExecutable::try_prepare(const PrepareArgs& args) {
  const Watched guard(stream_.waiting(preparing_timeout, true));
  NW_TRY(gpu_->use());
  NW_TRY(stream_.open());
  NW_TRY(inputs_.open());
  if (profile_) NW_TRY(profiler_.open());
  engines_ = std::make_unique<Engines>(gpu_->name(), gpu_->device(), stream_.handle());
  NW_TRY(take_memory(args));
  if (communicator_ && has_exchanges(plan_))
    NW_TRY(stream_.reduce_with(*communicator_, has_urgent_sums(plan_), [this] { drop_graphs(); }));
  NW_ASSIGN(const FlatRegion flat, upload_rules(memory_));
  NW_ASSIGN(step_,
            LaunchPlanner({plan_, stream_, memory_, at_, inputs_, *engines_, flat, communicator_ != nullptr}).plan());
  NW_TRY(warm_up());
  set_loss_scale({AdvanceLossScale::first, 0});
  NW_TRY(values_.health());
  if (!profile_) NW_TRY(graphs_.capture_copied(inputs_.take_graph()));
  return stream_.check(driver_api().driver.stream_wait(stream_.handle()));
}

void CudaExecutable::drop_graphs() {
  graphs_.drop();
  inputs_.drop_graph();
}

Status CudaExecutable::take_memory(const PrepareArgs& args) {
  const auto* other = dynamic_cast<const CudaExecutable*>(args.weights_from);
  NW_TRY(memory_.take(other ? &other->memory_ : nullptr, args.takes_turns, stream_.handle()));
  at_ = StepBuffers::make(plan_, memory_);
  inputs_.take_memory(memory_);
  stream_.watch(at_);
  return memory_.fits();
}

// Libraries load their code at the first call, which is not allowed during a capture. These calls write only to memory
// that every step writes before it reads.
Status CudaExecutable::warm_up() {
  for (const StepPart& part : step_.parts)
    for (const Launch& l : part.launches)
      if (l.warms_up) NW_TRY(l.call(stream_.handle()));
  return stream_.check(driver_api().driver.stream_wait(stream_.handle()));
}

Result<std::shared_ptr<DeviceSamples>> CudaExecutable::keep(const SampleSet& set) {
  NW_ASSIGN(auto samples, CudaSamples::keep(set, *gpu_, stream_.handle()));
  if (!samples) return std::shared_ptr<DeviceSamples>();
  const Watched guard(stream_.waiting(preparing_timeout));
  if (!profile_) NW_TRY(graphs_.capture_kept());
  return std::shared_ptr<DeviceSamples>(std::move(samples));
}

namespace {

// The data set stored on this device that the step's samples come from; null: the inputs are copied from the host.
const CudaSamples* kept_samples(const StepArgs& a) {
  return a.inputs ? static_cast<const CudaSamples*>(a.inputs->kept()) : nullptr;
}

}  // namespace

// Writes what the device reads about the next steps to pinned memory.
void CudaExecutable::describe(std::span<const StepArgs> steps) {
  set_scale_.reset();
  at_.host_burst->next = 0;
  if (const CudaSamples* samples = kept_samples(steps.front())) at_.host_burst->source = samples->source();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepArgs& a = steps[i];
    at_.host_burst->lines[i] = {a.step, a.epoch, a.seed, a.valid, a.global_valid, loss_divisor(a), a.learning_rate};
    for (i64 n = 0; n < plan_.batch; ++n)
      at_.host_order[static_cast<i64>(i) * plan_.batch + n] = a.sample ? a.sample[n] : n;
  }
  stream_.begin(steps);
}

Status CudaExecutable::upload(std::size_t steps) {
  const DriverTable& d = driver_api().driver;
  NW_TRY(stream_.check(d.copy_in(pointer(at_.burst), at_.host_burst, offsetof(Burst, lines) + steps * sizeof(StepLine),
                                 stream_.handle())));
  const std::size_t indices = steps * static_cast<std::size_t>(plan_.batch);
  return stream_.check(d.copy_in(pointer(at_.order), at_.host_order, indices * sizeof(i64), stream_.handle()));
}

Status CudaExecutable::exchange(Exchange& e) {
  if (!e.bounds.empty()) {
    auto* ranks = dynamic_cast<RankCommunicator*>(communicator_);
    return ranks && ranks->all_gather(e.host.get(), e.bounds) ? Status() : step_abandoned();
  }
  Communicator& c = *communicator_;
  bool done = true;
  if (e.count)
    done = e.wide ? c.all_reduce_sum(reinterpret_cast<double*>(e.host.get()), e.count)
                  : c.all_reduce_sum(reinterpret_cast<float*>(e.host.get()), e.count);
  if (done && e.metrics) {
    double m[3] = {at_.host_block->loss_sum, static_cast<double>(at_.host_block->correct),
                   static_cast<double>(at_.host_block->samples)};
    done = c.all_reduce_sum(m, 3);
    at_.host_block->loss_sum = m[0];
    at_.host_block->correct = static_cast<i64>(m[1]);
    at_.host_block->samples = static_cast<i64>(m[2]);
  }
  return done ? Status() : step_abandoned();
}

Status CudaExecutable::run_parts(InputOrigin inputs) {
  if (inputs == copied) {
    NW_TRY(inputs_.copy());
    NW_TRY(inputs_.take());
  }
  for (std::size_t i = 0; i < step_.parts.size(); ++i) {
    NW_TRY(graphs_.launch(i, inputs));
    NW_TRY(stream_.wait());
    if (step_.parts[i].after) NW_TRY(exchange(*step_.parts[i].after));
  }
  return {};
}

// Runs a step launch by launch, for profiles.
Status CudaExecutable::run_eagerly(InputOrigin inputs) {
  profiler_.begin();
  if (inputs == copied) {
    NW_TRY(inputs_.copy());
    NW_TRY(inputs_.await_copies());
    NW_TRY(graphs_.enqueue_take());
  }
  for (StepPart& part : step_.parts) {
    NW_TRY(profiler_.run(part, inputs));
    if (part.after) NW_TRY(exchange(*part.after));
  }
  return {};
}

Status CudaExecutable::run(const StepArgs& args) {
  NW_TRY(health());
  const InputOrigin inputs = kept_samples(args) ? kept : copied;
  if (inputs == copied) NW_TRY(inputs_.load(args));
  describe({&args, 1});
  const NamedRange range(stream_.doing());
  const Watched guard(stream_.waiting(step_timeout, true));
  NW_TRY(values_.end(stream_.enter()));
  NW_TRY(values_.end(upload(1)));
  return values_.end(profile_ ? run_eagerly(inputs) : run_parts(inputs));
}

// The host waits only after the last step.
Result<std::size_t> CudaExecutable::run_kept(std::size_t count) {
  NW_TRY(upload(count));
  NW_TRY(graphs_.launch_kept(count));
  NW_TRY(stream_.wait());
  return count;
}

// The host is one step ahead of the device. A half of the pinned memory is filled again when its copy has ended.
Result<std::size_t> CudaExecutable::run_loaded(std::span<const StepArgs> steps, const MayBegin& may_begin) {
  NW_TRY(upload(steps.size()));
  std::size_t run = 0;
  for (; run < steps.size() && may_begin(run); ++run) {
    inputs_.swap();
    if (run > 1) NW_TRY(inputs_.wait());
    if (const Status loaded = inputs_.load(steps[run]); !loaded) {
      (void)stream_.wait();  // launches that are still running must end before their memory is used again
      return loaded.error();
    }
    NW_TRY(inputs_.copy());
    NW_TRY(inputs_.take());
    NW_TRY(graphs_.launch(0, copied));
  }
  NW_TRY(stream_.wait());
  stream_.ended(run);
  return run;
}

// At most Burst::max_steps steps, at least one. Steps over stored samples are decided before they are launched.
Result<std::size_t> CudaExecutable::run_some(std::span<const StepArgs> steps, bool are_kept,
                                             const MayBegin& may_begin) {
  std::size_t count = steps.size();
  if (are_kept)
    for (count = 1; count < steps.size() && may_begin(count);) ++count;
  describe(steps.first(count));
  const NamedRange range(stream_.doing());
  const Watched guard(stream_.waiting(step_timeout, true));
  NW_TRY(values_.end(stream_.enter()));
  auto run = are_kept ? run_kept(count) : run_loaded(steps, may_begin);
  NW_TRY(values_.end(run ? Status() : Status(run.error())));
  return run;
}

void CudaExecutable::adapt(std::int64_t& at_once, double step_s, bool are_kept) const {
  const auto fit = static_cast<std::int64_t>((are_kept ? burst_s : loaded_s) / std::max(step_s, 1e-7));
  at_once =
      std::clamp<std::int64_t>(fit, are_kept ? 1 : least_loaded, std::min<std::int64_t>(2 * at_once, Burst::max_steps));
}

namespace {
struct OpenGate final : StepGate {
  bool may_begin(std::size_t) override { return true; }
};
}  // namespace

Status CudaExecutable::run_many(std::span<const StepArgs> steps, std::span<StepMetrics> results) {
  OpenGate open;
  NW_TRY(run_until(steps, results, open));
  return {};
}

Result<std::size_t> CudaExecutable::run_until(std::span<const StepArgs> steps, std::span<StepMetrics> results,
                                              StepGate& gate) {
  const auto all = [&](auto holds) { return std::all_of(steps.begin(), steps.end(), holds); };
  const bool are_kept = may_burst() && all(kept_samples);
  const bool are_loaded = may_load_ahead() && all([](const StepArgs& a) { return a.inputs && !kept_samples(a); });
  NW_TRY(health());
  const MayBegin may_begin = [&gate](std::size_t i) { return i == 0 || gate.may_begin(i); };
  std::size_t done = 0;
  while (done < steps.size() && may_begin(done)) {
    const std::size_t most = are_kept || are_loaded ? Burst::max_steps : 1;
    const auto some = steps.subspan(done, std::min<std::size_t>(most, steps.size() - done));
    const auto theirs = results.subspan(done, some.size());
    NW_ASSIGN(const std::size_t run, most == 1 ? run_single(some.front(), theirs.front())
                                               : run_burst(some, theirs, are_kept, [&](std::size_t i) {
                                                   return i == 0 || may_begin(done + i);
                                                 }));
    done += run;
    if (run < some.size()) break;
  }
  return done;
}

Result<std::size_t> CudaExecutable::run_single(const StepArgs& step, StepMetrics& result) {
  NW_TRY(run(step));
  result = metrics();
  return std::size_t{1};
}

Result<std::size_t> CudaExecutable::run_burst(std::span<const StepArgs> steps, std::span<StepMetrics> results,
                                              bool are_kept, const MayBegin& may_begin) {
  const auto begin = std::chrono::steady_clock::now();
  NW_ASSIGN(const std::size_t run, run_some(steps, are_kept, may_begin));
  for (std::size_t i = 0; i < run; ++i) results[i] = metrics_of(i);
  const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  adapt(are_kept ? at_once_ : loaded_at_once_, s / static_cast<double>(run), are_kept);
  return run;
}

StepMetrics CudaExecutable::metrics_of(std::size_t line) const {
  const StepRecord& r = at_.ring[line];
  return {r.loss_sum, r.penalty, r.correct, r.samples, r.grad_norm, r.finite != 0, r.skipped != 0};
}

StepMetrics CudaExecutable::metrics() const { return metrics_of(stream_.last_line()); }

LossScale CudaExecutable::loss_scale() const {
  if (!at_.scaler) return {};
  const StepRecord& r = at_.ring[stream_.last_line()];
  return set_scale_ ? *set_scale_ : LossScale{r.loss_scale, r.good_steps};
}

void CudaExecutable::set_loss_scale(const LossScale& s) {
  if (!at_.scaler || !(s.scale > 0)) return;
  const LossScaler from{s.scale, s.good_steps};
  set_scale_ = s;
  values_.put(reinterpret_cast<std::byte*>(at_.scaler), std::as_bytes(std::span(&from, 1)));
}

std::vector<std::string> CudaExecutable::choices() const {
  std::size_t launches = 0;
  for (const StepPart& p : step_.parts) launches += p.launches.size();
  std::vector<std::string> all{std::to_string(launches) + " launches in " + std::to_string(step_.parts.size()) +
                               " graph(s)"};
  if (stream_.reducer())
    all.push_back("gradients: NCCL, " + std::to_string(step_.buckets) + " buckets overlapped with backward");
  else if (communicator_)
    all.push_back("gradients: through host memory");
  for (std::string& note : engines_->notes()) all.push_back(std::move(note));
  all.insert(all.end(), step_.choices.begin(), step_.choices.end());
  return all;
}

}  // namespace nw::cuda
