// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/executable.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "kernels/cuda/ranges.hpp"

namespace nw::cuda {
namespace {

// times the usual
constexpr double preparing_timeout = 15, closing_timeout = 1, copying_timeout = 1, step_timeout = 1;
constexpr double burst_s = 0.02;  // long enough to hide the host, short enough to stop at once
constexpr double loaded_s = 0.2;  // the first step's inputs are waited for, all others' come while a step runs
constexpr std::int64_t least_loaded = 4;
DevicePointer pointer(const void* device) { return reinterpret_cast<DevicePointer>(device); }

bool is_half(DType t) { return t == DType::bf16 || t == DType::f16; }
// Halves cross the border as floats.
std::vector<std::uint16_t> to_halves(DType type, std::span<const std::byte> floats) {
  std::vector<std::uint16_t> halves(floats.size() / sizeof(float));
  for (std::size_t i = 0; i < halves.size(); ++i) {
    float x = 0;
    std::memcpy(&x, floats.data() + i * sizeof x, sizeof x);
    halves[i] = type == DType::bf16 ? math::Bf16(x).bits : math::Half(x).bits;
  }
  return halves;
}
void from_halves(DType type, std::span<const std::uint16_t> halves, std::span<std::byte> floats) {
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const float x = type == DType::bf16 ? math::bits_float(static_cast<std::uint32_t>(halves[i]) << 16)
                                        : math::f16_value(halves[i]);
    std::memcpy(floats.data() + i * sizeof x, &x, sizeof x);
  }
}

}  // namespace

CudaExecutable::CudaExecutable(const Plan& plan, const PrepareArgs& args, std::shared_ptr<Gpu> gpu)
    : plan_(plan),
      team_(args.team),
      communicator_(plan.world > 1 ? args.communicator : nullptr),
      profile_(args.profile),
      gpu_(std::move(gpu)),
      brought_(plan.values.size()) {
  for (auto& slot : inputs_) slot.resize(plan.values.size());
}

CudaExecutable::~CudaExecutable() {
  doing_ = "closing";
  const Watched guard(waiting(closing_timeout));
  if (!gpu_->use()) return;
  const DriverTable& d = border().driver;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].graph[copied]) d.graph_exec_drop(parts_[i].graph[copied]);
    if (i == 0 && parts_[i].graph[kept]) d.graph_exec_drop(parts_[i].graph[kept]);
  }
  for (const DriverGraphExec graph : {burst_graph_, take_graph_})
    if (graph) d.graph_exec_drop(graph);
  reducer_.reset();  // behind the graphs that hold its sums
  parts_.clear();
  engines_.reset();
  for (const DriverEvent event : {begun_, ended_, arrived_, taken_})
    if (event) d.event_drop(event);
  for (const DriverStream stream : {side_, stream_})
    if (stream) d.stream_drop(stream);
}

Status CudaExecutable::prepare(const PrepareArgs& args) {
  const Watched guard(waiting(preparing_timeout, true));
  const DriverTable& d = border().driver;
  NW_TRY(gpu_->use());
  for (DriverStream* stream : {&stream_, &side_}) NW_TRY(check(d.stream_make(stream, stream_non_blocking)));
  for (DriverEvent* event : {&arrived_, &taken_}) NW_TRY(check(d.event_make(event, event_without_time)));
  if (profile_) NW_TRY(check(d.event_make(&begun_, 0)));
  if (profile_) NW_TRY(check(d.event_make(&ended_, 0)));
  engines_ = std::make_unique<Engines>(gpu_->name(), gpu_->device(), stream_);
  NW_TRY(take_memory(args));
  if (communicator_) { NW_ASSIGN(reducer_, NcclReducer::make(*communicator_, gpu_)); }
  NW_TRY(upload_rules());
  NW_TRY(prepare_steps());
  NW_TRY(warm_up());
  set_loss_scale({AdvanceLossScale::first, 0});
  NW_TRY(broken_);
  if (!profile_) NW_TRY(capture_parts(copied));
  return check(d.stream_wait(stream_));
}

Result<std::shared_ptr<DeviceSamples>> CudaExecutable::keep(const SampleSet& set) {
  const Watched guard(waiting(preparing_timeout));
  NW_TRY(gpu_->use());
  NW_ASSIGN(auto samples, CudaSamples::keep(set, *gpu_, stream_));
  if (!samples) return std::shared_ptr<DeviceSamples>();
  if (!graphs_kept_ && !profile_) {
    NW_TRY(capture_parts(kept));
    NW_TRY(capture_burst());
  }
  graphs_kept_ = true;
  return std::shared_ptr<DeviceSamples>(std::move(samples));
}

namespace {

// The data set on this device that the step takes its samples from; null: its inputs are copied from the host.
const CudaSamples* kept_samples(const StepArgs& a) {
  return a.inputs ? static_cast<const CudaSamples*>(a.inputs->kept()) : nullptr;
}

}  // namespace

// What the device is to be told of the next steps, in pinned memory.
void CudaExecutable::describe(std::span<const StepArgs> steps) {
  set_scale_.reset();
  host_burst_->next = 0;
  if (const CudaSamples* samples = kept_samples(steps.front())) host_burst_->source = samples->source();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepArgs& a = steps[i];
    ring_[i].step = 0;
    host_burst_->lines[i] = {a.step, a.epoch, a.seed, a.valid, a.global_valid, a.learning_rate};
    for (i64 n = 0; n < plan_.batch; ++n)
      host_order_[static_cast<i64>(i) * plan_.batch + n] = a.sample ? a.sample[n] : n;
  }
  last_line_ = steps.size() - 1;
  publish(mark_, 0);
  const StepArgs &first = steps.front(), &last = steps.back();
  doing_ = plan_.training ? "step " + std::to_string(first.step + 1) : "evaluation";
  if (plan_.training && steps.size() > 1) doing_ += " to " + std::to_string(last.step + 1);
}

Status CudaExecutable::upload(std::size_t steps) {
  const DriverTable& d = border().driver;
  NW_TRY(check(d.copy_in(pointer(burst_), host_burst_, offsetof(Burst, lines) + steps * sizeof(StepLine), stream_)));
  return check(d.copy_in(pointer(order_), host_order_, steps * static_cast<std::size_t>(plan_.batch) * 8, stream_));
}

Status CudaExecutable::exchange(Exchange& e) {
  Communicator& c = *communicator_;
  bool done = true;
  if (e.count)
    done = e.wide ? c.all_reduce_sum(reinterpret_cast<double*>(e.host.get()), e.count)
                  : c.all_reduce_sum(reinterpret_cast<float*>(e.host.get()), e.count);
  if (done && e.metrics) {
    double m[3] = {host_block_->loss_sum, static_cast<double>(host_block_->correct),
                   static_cast<double>(host_block_->samples)};
    done = c.all_reduce_sum(m, 3);
    host_block_->loss_sum = m[0];
    host_block_->correct = static_cast<i64>(m[1]);
    host_block_->samples = static_cast<i64>(m[2]);
  }
  if (done) return {};
  return fail(Errc::stopped, NW_TR("another device of this run is lost or was stopped; the step was abandoned"));
}

Status CudaExecutable::run_parts(Inputs inputs) {
  if (inputs == copied) {
    NW_TRY(copy_inputs());
    NW_TRY(take_inputs());
  }
  for (Part& part : parts_) {
    NW_TRY(replayed(border().driver.graph_launch(part.graph[inputs], stream_)));
    NW_TRY(wait());
    if (part.after) NW_TRY(exchange(*part.after));
  }
  return {};
}

// A device that failed once has lost its state.
Status CudaExecutable::end(const Status& ran) {
  if (!ran && ran.error().code != Errc::stopped) broken_ = ran;
  return ran;
}

Status CudaExecutable::run(const StepArgs& args) {
  NW_TRY(broken_);
  const Inputs inputs = kept_samples(args) ? kept : copied;
  if (inputs == copied) NW_TRY(load(args));
  describe({&args, 1});
  const NamedRange range(doing_);
  const Watched guard(waiting(step_timeout, true));
  NW_TRY(end(gpu_->use()));
  NW_TRY(end(upload(1)));
  return end(profile_ ? run_eagerly(inputs) : run_parts(inputs));
}

// As many steps as fit go into one launch; nobody waits before the last one.
Status CudaExecutable::launch_steps(std::size_t count) {
  const DriverTable& d = border().driver;
  NW_TRY(upload(count));
  for (; burst_graph_ && count >= burst_steps_; count -= burst_steps_)
    NW_TRY(replayed(d.graph_launch(burst_graph_, stream_)));
  for (; count > 0; --count) NW_TRY(replayed(d.graph_launch(parts_[0].graph[kept], stream_)));
  return wait();
}

Status CudaExecutable::run_many(std::span<const StepArgs> steps, std::span<StepMetrics> said) {
  const auto all = [&](auto holds) { return std::all_of(steps.begin(), steps.end(), holds); };
  const bool all_kept = may_burst() && all(kept_samples);
  const bool all_loaded = may_load_ahead() && all([](const StepArgs& a) { return a.inputs && !kept_samples(a); });
  if (!all_kept && !all_loaded) return Executable::run_many(steps, said);
  NW_TRY(broken_);
  for (std::size_t first = 0; first < steps.size(); first += Burst::max_steps) {
    const auto some = steps.subspan(first, std::min<std::size_t>(Burst::max_steps, steps.size() - first));
    const auto begin = std::chrono::steady_clock::now();
    describe(some);
    const NamedRange range(doing_);
    const Watched guard(waiting(step_timeout, true));
    NW_TRY(end(gpu_->use()));
    NW_TRY(end(all_kept ? launch_steps(some.size()) : run_loaded(some)));
    for (std::size_t i = 0; i < some.size(); ++i) said[first + i] = metrics_of(i);
    const double each = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
                        static_cast<double>(some.size());
    std::int64_t& at_once = all_kept ? at_once_ : loaded_at_once_;
    const std::int64_t fit = static_cast<std::int64_t>((all_kept ? burst_s : loaded_s) / std::max(each, 1e-7));
    at_once = std::clamp<std::int64_t>(fit, all_kept ? 1 : least_loaded,
                                       std::min<std::int64_t>(2 * at_once, Burst::max_steps));
  }
  return {};
}

StepMetrics CudaExecutable::metrics_of(std::size_t line) const {
  const StepRecord& r = ring_[line];
  return {r.loss_sum, r.penalty, r.correct, r.samples, r.grad_norm, r.finite != 0, r.skipped != 0};
}

StepMetrics CudaExecutable::metrics() const { return metrics_of(last_line_); }

LossScale CudaExecutable::loss_scale() const {
  if (!scaler_) return {};
  const StepRecord& r = ring_[last_line_];
  return set_scale_ ? *set_scale_ : LossScale{r.loss_scale, r.good_steps};
}

void CudaExecutable::set_loss_scale(const LossScale& s) {
  if (!scaler_ || !(s.scale > 0)) return;
  const LossScaler from{s.scale, s.good_steps};
  set_scale_ = s;
  put(reinterpret_cast<std::byte*>(scaler_), std::as_bytes(std::span(&from, 1)));
}

void CudaExecutable::put(std::byte* to, std::span<const std::byte> bytes) {
  const Watched guard(waiting(copying_timeout));
  const DriverTable& d = border().driver;
  if (broken_) broken_ = gpu_->use();
  if (broken_ && !bytes.empty())
    broken_ = gpu_->check(d.copy_in(pointer(to), bytes.data(), bytes.size(), stream_), "writing");
  if (broken_) broken_ = gpu_->check(d.stream_wait(stream_), "writing");
}

void CudaExecutable::write(int value, std::span<const std::byte> bytes) {
  const auto i = static_cast<std::size_t>(value);
  if (const auto& area = inputs_[slot_][i]) {
    std::memcpy(area.get(), bytes.data(), bytes.size());
  } else if (const DType stored = plan_.values[i].dtype; is_half(stored)) {
    const std::vector<std::uint16_t> halves = to_halves(stored, bytes);
    put(storage_->at(value), std::as_bytes(std::span(halves)));
  } else {
    put(storage_->at(value), bytes);
  }
}

void CudaExecutable::get(const std::byte* from, std::span<std::byte> bytes) const {
  const Watched guard(waiting(copying_timeout));
  const DriverTable& d = border().driver;
  if (broken_) broken_ = gpu_->use();
  if (broken_ && !bytes.empty())
    broken_ = gpu_->check(d.copy_out(bytes.data(), pointer(from), bytes.size(), stream_), "reading");
  if (broken_) broken_ = gpu_->check(d.stream_wait(stream_), "reading");
  if (!broken_) std::fill(bytes.begin(), bytes.end(), std::byte{0});
}

void CudaExecutable::read(int value, std::span<std::byte> bytes) const {
  const auto i = static_cast<std::size_t>(value);
  if (const auto& area = inputs_[slot_][i]) {
    std::memcpy(bytes.data(), area.get(), bytes.size());
  } else if (const DType stored = plan_.values[i].dtype; is_half(stored)) {
    std::vector<std::uint16_t> halves(bytes.size() / sizeof(float));
    get(storage_->at(value), std::as_writable_bytes(std::span(halves)));
    from_halves(stored, halves, bytes);
  } else {
    get(storage_->at(value), bytes);
  }
}

std::vector<std::string> CudaExecutable::choices() const {
  std::size_t launches = 0;
  for (const Part& p : parts_) launches += p.launches.size();
  std::vector<std::string> all{std::to_string(launches) + " launches in " + std::to_string(parts_.size()) +
                               " graph(s)"};
  if (reducer_)
    all.push_back("gradients: NCCL, " + std::to_string(buckets_.size()) + " buckets overlapped with backward");
  else if (communicator_)
    all.push_back("gradients: through host memory");
  for (std::string& note : engines_->notes()) all.push_back(std::move(note));
  all.insert(all.end(), choices_.begin(), choices_.end());
  return all;
}

}  // namespace nw::cuda
