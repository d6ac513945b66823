// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/executable.hpp"

#include <algorithm>
#include <cstring>

namespace nw::cuda {
namespace {

constexpr unsigned most_blocks = 4096;  // a grid walks on from there

DevicePointer pointer(const void* device) { return reinterpret_cast<DevicePointer>(device); }
std::int64_t bytes_of(const Value& v) { return v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype)); }

}  // namespace

CudaExecutable::CudaExecutable(const Plan& plan, const PrepareArgs& args, std::shared_ptr<Gpu> gpu)
    : plan_(plan), communicator_(args.communicator), gpu_(std::move(gpu)), inputs_(plan.values.size()) {}

CudaExecutable::~CudaExecutable() {
  if (!gpu_->use()) return;
  const DriverTable& d = border().driver;
  for (const Part& part : parts_)
    if (part.graph) d.graph_exec_drop(part.graph);
  if (stream_) d.stream_drop(stream_);
}

Status CudaExecutable::prepare(const Executable* weights_from) {
  NW_TRY(gpu_->use());
  NW_TRY(check(border().driver.stream_make(&stream_, stream_non_blocking)));
  NW_TRY(take_memory(weights_from));
  NW_TRY(upload_rules());
  NW_TRY(prepare_steps());
  for (std::size_t i = 0; i < parts_.size(); ++i) NW_TRY(capture(parts_[i], i == 0, i + 1 == parts_.size()));
  return check(border().driver.stream_wait(stream_));
}

Status CudaExecutable::take_memory(const Executable* weights_from) {
  const auto* other = dynamic_cast<const CudaExecutable*>(weights_from);
  const auto take = [this](std::int64_t bytes) {
    int code = 0;
    auto memory = gpu_->take(bytes, stream_, code);
    if (code != 0 && memory_code_ == 0) memory_code_ = code;
    return memory;
  };
  auto made = Storage::make(plan_, bytes_of, other ? other->storage_.get() : nullptr, take);
  if (memory_code_ != 0 && memory_code_ != error_out_of_memory) return check(memory_code_);
  if (!made) return made.error();
  storage_ = std::move(*made);
  block_ = reinterpret_cast<StepBlock*>(storage_->allocate(sizeof(StepBlock)));
  sample_ = reinterpret_cast<i64*>(storage_->allocate(plan_.batch * 8));
  std::shared_ptr<std::byte> host;
  host_block_ = reinterpret_cast<StepBlock*>(pinned(sizeof(StepBlock), host));
  host_sample_ = reinterpret_cast<i64*>(pinned(plan_.batch * 8, host));
  for (std::size_t i = 0; i < plan_.values.size(); ++i)
    if (plan_.values[i].role == Role::input && plan_.values[i].alias_of < 0) pinned(bytes_of(plan_.values[i]), inputs_[i]);
  return check(memory_code_);
}

std::byte* CudaExecutable::pinned(std::int64_t bytes, std::shared_ptr<std::byte>& keep) {
  int code = 0;
  keep = gpu_->take_pinned(bytes, code);
  if (code != 0 && memory_code_ == 0) memory_code_ = code;
  pinned_.push_back(keep);
  return keep.get();
}

// Which weight an element belongs to, by groups of elements: rule 0 is padding, which nothing moves.
Status CudaExecutable::upload_rules() {
  const auto& spans = storage_->weight_spans();
  std::vector<WeightRule> rules{{0, 0}};
  std::vector<std::int32_t> rule_of(static_cast<std::size_t>((storage_->weight_elements() + FlatRegion::group - 1) / FlatRegion::group), 0);
  for (const WeightSpan& s : spans) {
    rules.push_back({s.lr_scale, s.decay ? 1 : 0});
    for (i64 g = s.offset / FlatRegion::group; g * FlatRegion::group < s.offset + s.count; ++g)
      rule_of[static_cast<std::size_t>(g)] = static_cast<std::int32_t>(rules.size() - 1);
  }
  const auto put = [&](const void* from, std::size_t bytes) {
    std::byte* to = storage_->allocate(static_cast<std::int64_t>(bytes));
    if (to && bytes && memory_code_ == 0) memory_code_ = border().driver.copy_in(pointer(to), from, bytes, stream_);
    return to;
  };
  flat_ = {storage_->weights(), storage_->weight_grads(), storage_->weight_elements(),
           reinterpret_cast<const std::int32_t*>(put(rule_of.data(), rule_of.size() * sizeof(std::int32_t))),
           reinterpret_cast<const WeightRule*>(put(rules.data(), rules.size() * sizeof(WeightRule)))};
  NW_TRY(check(memory_code_));
  return check(border().driver.stream_wait(stream_));
}

Status CudaExecutable::prepare_steps() {
  i64 scratch_bytes = 0;
  std::vector<Part> sizes_only(1);
  for (const Step& s : plan_.steps) NW_TRY(prepare_step(s, nullptr, scratch_bytes, sizes_only));
  std::byte* scratch = storage_->allocate(scratch_bytes);
  parts_.resize(1);
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    const Value& v = plan_.values[i];
    if (!inputs_[i] || !v.batched || v.dtype != DType::f32) continue;
    Launch& l = parts_.front().launches.emplace_back();
    const ZeroPadding<float> f{reinterpret_cast<float*>(storage_->at(static_cast<int>(i))), v.shape.per_sample(), block_};
    l.kernel = element_name<ZeroPadding<float>>;
    l.count = v.shape.elements();
    std::memcpy(l.functor, &f, sizeof f);
  }
  for (const Step& s : plan_.steps) NW_TRY(prepare_step(s, scratch, scratch_bytes, parts_));
  Launch& judge = parts_.back().launches.emplace_back();
  const JudgeLoss f{block_};
  judge.kernel = element_name<JudgeLoss>;
  judge.count = 1;
  std::memcpy(judge.functor, &f, sizeof f);
  return check(memory_code_);
}

Status CudaExecutable::prepare_step(const Step& step, std::byte* scratch, i64& scratch_bytes, std::vector<Part>& parts) {
  if (step.kernel == "all_reduce") {
    if (!communicator_ || !scratch) return {};
    NW_ASSIGN(Exchange e, exchange_of(step));
    parts.back().after = e;
    parts.emplace_back().before = std::move(e);
    return {};
  }
  const Entry* entry = find_entry(step.kernel);
  if (!entry) return fail(Errc::no_device, NW_TR("{0}: {1} has no {2}"), step.label, gpu_->name(), step.kernel);
  RunState unused;
  KernelContext context(plan_, step, *storage_, unused, nullptr);
  Preparing p{context, block_, sample_, flat_, scratch, scratch_bytes, parts.back().launches};
  entry->prepare(p);
  return {};
}

Result<CudaExecutable::Exchange> CudaExecutable::exchange_of(const Step& step) {
  Exchange e;
  if (!step.inputs.empty() && step.inputs[0] >= 0) {
    const Value& v = plan_.values[static_cast<std::size_t>(step.inputs[0])];
    e.device = storage_->at(step.inputs[0]);
    e.count = v.shape.elements();
    e.wide = v.dtype == DType::f64;
  } else {
    e.device = reinterpret_cast<std::byte*>(storage_->weight_grads());
    e.count = e.device ? storage_->weight_elements() : 0;
    e.metrics = true;
  }
  pinned(e.count * (e.wide ? 8 : 4), e.host);
  NW_TRY(check(memory_code_));
  return e;
}

Status CudaExecutable::capture(Part& part, bool first, bool last) {
  const DriverTable& d = border().driver;
  NW_TRY(check(d.stream_wait(stream_)));
  NW_TRY(check(d.capture_begin(stream_, capture_thread_local)));
  const Status enqueued = enqueue(part, first, last);
  DriverGraph graph = nullptr;
  const int ended = d.capture_end(stream_, &graph);
  NW_TRY(enqueued);
  NW_TRY(check(ended));
  const int made = d.graph_make(&part.graph, graph, 0);
  d.graph_drop(graph);
  return check(made);
}

Status CudaExecutable::enqueue(Part& part, bool first, bool last) {
  const DriverTable& d = border().driver;
  const auto size = [](const Exchange& e) { return static_cast<std::size_t>(e.count * (e.wide ? 8 : 4)); };
  if (first) NW_TRY(enqueue_inputs());
  if (part.before && part.before->count) NW_TRY(check(d.copy_in(pointer(part.before->device), part.before->host.get(), size(*part.before), stream_)));
  if (part.before && part.before->metrics) NW_TRY(check(d.copy_in(pointer(block_), host_block_, sizeof(StepBlock), stream_)));
  for (const Launch& l : part.launches) NW_TRY(enqueue_launch(l));
  if (part.after && part.after->count) NW_TRY(check(d.copy_out(part.after->host.get(), pointer(part.after->device), size(*part.after), stream_)));
  if (last || (part.after && part.after->metrics)) NW_TRY(check(d.copy_out(host_block_, pointer(block_), sizeof(StepBlock), stream_)));
  return {};
}

Status CudaExecutable::enqueue_inputs() {
  const DriverTable& d = border().driver;
  NW_TRY(check(d.copy_in(pointer(block_), host_block_, sizeof(StepBlock), stream_)));
  NW_TRY(check(d.copy_in(pointer(sample_), host_sample_, static_cast<std::size_t>(plan_.batch) * 8, stream_)));
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i])
      NW_TRY(check(d.copy_in(pointer(storage_->at(static_cast<int>(i))), inputs_[i].get(), static_cast<std::size_t>(bytes_of(plan_.values[i])), stream_)));
  return {};
}

Status CudaExecutable::enqueue_launch(const Launch& l) {
  NW_ASSIGN(const DriverFunction function, gpu_->function(l.kernel));
  Launch copy = l;
  void* arguments[] = {copy.functor, &copy.count};
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((l.count + block_threads - 1) / block_threads, most_blocks));
  return check(border().driver.launch(function, blocks, 1, 1, block_threads, 1, 1, 0, stream_, arguments, nullptr));
}

Status CudaExecutable::fill_block(const StepArgs& a) {
  *host_block_ = {};
  host_block_->step = a.step;
  host_block_->epoch = a.epoch;
  host_block_->seed = a.seed;
  host_block_->valid = a.valid;
  host_block_->global_valid = a.global_valid;
  host_block_->learning_rate = a.learning_rate;
  host_block_->finite = 1;
  for (i64 n = 0; n < plan_.batch; ++n) host_sample_[n] = a.sample ? a.sample[n] : n;
  return {};
}

Status CudaExecutable::exchange(Exchange& e) {
  Communicator& c = *communicator_;
  bool done = true;
  if (e.count) done = e.wide ? c.all_reduce_sum(reinterpret_cast<double*>(e.host.get()), e.count) : c.all_reduce_sum(reinterpret_cast<float*>(e.host.get()), e.count);
  if (done && e.metrics) {
    double m[3] = {host_block_->loss_sum, static_cast<double>(host_block_->correct), static_cast<double>(host_block_->samples)};
    done = c.all_reduce_sum(m, 3);
    host_block_->loss_sum = m[0];
    host_block_->correct = static_cast<i64>(m[1]);
    host_block_->samples = static_cast<i64>(m[2]);
  }
  if (done) return {};
  return fail(Errc::stopped, NW_TR("another device of this run is gone or was stopped; the step was given up"));
}

Status CudaExecutable::run_parts() {
  const DriverTable& d = border().driver;
  for (Part& part : parts_) {
    NW_TRY(check(d.graph_launch(part.graph, stream_)));
    NW_TRY(check(d.stream_wait(stream_)));
    if (part.after) NW_TRY(exchange(*part.after));
  }
  return {};
}

Status CudaExecutable::run(const StepArgs& args) {
  NW_TRY(broken_);
  doing_ = "step " + std::to_string(args.step + 1);
  NW_TRY(gpu_->use());
  NW_TRY(fill_block(args));
  const Status ran = run_parts();
  if (!ran && ran.error().code != Errc::stopped) broken_ = ran;  // a device that failed once has lost its state
  return ran;
}

StepMetrics CudaExecutable::metrics() const {
  const StepBlock& b = *host_block_;
  return {b.loss_sum, b.penalty, b.correct, b.samples, b.grad_norm, b.finite != 0};
}

void CudaExecutable::write(int value, std::span<const std::byte> bytes) {
  const auto i = static_cast<std::size_t>(value);
  if (inputs_[i]) {
    std::memcpy(inputs_[i].get(), bytes.data(), bytes.size());
    return;
  }
  const DriverTable& d = border().driver;
  if (broken_) broken_ = gpu_->use();
  if (broken_ && !bytes.empty()) broken_ = gpu_->check(d.copy_in(pointer(storage_->at(value)), bytes.data(), bytes.size(), stream_), "writing");
  if (broken_) broken_ = gpu_->check(d.stream_wait(stream_), "writing");
}

void CudaExecutable::read(int value, std::span<std::byte> bytes) const {
  const auto i = static_cast<std::size_t>(value);
  if (inputs_[i]) {
    std::memcpy(bytes.data(), inputs_[i].get(), bytes.size());
    return;
  }
  const DriverTable& d = border().driver;
  if (broken_) broken_ = gpu_->use();
  if (broken_ && !bytes.empty()) broken_ = gpu_->check(d.copy_out(bytes.data(), pointer(storage_->at(value)), bytes.size(), stream_), "reading");
  if (broken_) broken_ = gpu_->check(d.stream_wait(stream_), "reading");
  if (!broken_) std::fill(bytes.begin(), bytes.end(), std::byte{0});
}

std::vector<std::string> CudaExecutable::choices() const {
  std::size_t launches = 0;
  for (const Part& p : parts_) launches += p.launches.size();
  const char* format = plan_.compute == DType::bf16 ? "fp32 on operands rounded to bf16, " : "fp32, ";
  return {std::string("all steps: own element kernels in ") + format + std::to_string(launches) + " launches in " + std::to_string(parts_.size()) + " graph(s)"};
}

}  // namespace nw::cuda
