// SPDX-License-Identifier: Apache-2.0
#include "kernels/executor.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <ctime>

#include "kernels/fill_inputs.hpp"
#include "kernels/plan_executable.hpp"

namespace nw {

namespace {
[[maybe_unused]] bool ends_in_global_phase(const PreparedKernel& k) {
  return k.phases.empty() || !k.phases.back().per_shard;
}
}  // namespace

Status PlanExecutable::prepare(const PrepareArgs& args) {
  const auto* other = dynamic_cast<const PlanExecutable*>(args.weights_from);
  NW_ASSIGN(storage_,
            Storage::make(plan_, options_.bytes_of, {other ? other->storage_.get() : nullptr, args.takes_turns}));
  shard_ = state_shard(plan_);
  choices_ = options_.notes;
  worker_bytes_ = options_.load_scratch_bytes;
  state_.loaded.resize(static_cast<std::size_t>(shards_for(plan_.batch)));
  add_input_loads();
  find_filled_inputs();
  find_views_of_images();
  steps_.assign(kernels_.size(), -1);
  for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
    if (shares_storage(plan_.steps[i])) continue;
    NW_TRY(prepare_step(plan_.steps[i]));
    steps_.push_back(static_cast<int>(i));
  }
  state_.pixels.alone = state_.pixels.readers > 0 && state_.pixels.readers == uses_of_images();
  for (int w = 0; w < team_->size(); ++w) state_.worker_scratch.push_back(storage_->allocate(worker_bytes_));
  state_.shared_scratch = storage_->allocate(shared_bytes_);
  if (storage_->failed())
    return fail(Errc::out_of_memory, NW_TR("there is not enough memory for this network: it needs {0} MiB"),
                (storage_->bytes() >> 20) + 1);
  if (profile_) take_times();
  cut_into_segments();
  return {};
}

Status PlanExecutable::prepare_step(const Step& step) {
  const KernelEntry* entry = find_entry(*options_.table, step.kernel);
  if (!entry) return fail(Errc::no_device, NW_TR("{0}: this device has no kernel {1}"), step.label, step.kernel);
  KernelContext context(plan_, step, *storage_, state_, options_.backend);
  context.workers = team_->size();
  std::optional<PreparedKernel> sums = sum_over_replicas(step, *entry);
  kernels_.push_back(sums ? *std::move(sums) : entry->prepare(context));
  assert(!entry->runs_alone || !entry->runs_alone(plan_, step) || ends_in_global_phase(kernels_.back()));
  if (profile_) names_.push_back({step.label, step.kernel});
  worker_bytes_ = std::max(worker_bytes_, context.worker_bytes);
  shared_bytes_ = std::max(shared_bytes_, context.shared_bytes);
  if (!kernels_.back().choice.empty())
    choices_.push_back((step.label.empty() ? step.kernel : step.label) + ": " + kernels_.back().choice);
  return {};
}

std::optional<PreparedKernel> PlanExecutable::sum_over_replicas(const Step& step, const KernelEntry& entry) {
  auto* const ranks = dynamic_cast<RankCommunicator*>(state_.communicator);
  if (!ranks || !OverlappedSums::sums_gradients(step) || !storage_->weight_grads()) return std::nullopt;
  sums_ = std::make_unique<OverlappedSums>(plan_, step, entry.prepare == prepare_all_reduce, *storage_, *ranks);
  return sums_->kernel(state_);
}

void PlanExecutable::add_input_loads() {
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    const Value& v = plan_.values[i];
    const int id = static_cast<int>(i);
    if (v.role != Role::input || v.alias_of >= 0 || storage_->border(id) == storage_->at(id) || !options_.load_input)
      continue;
    kernels_.push_back(options_.load_input(v, storage_->border(id), storage_->at(id), state_));
    if (v.name != "images") continue;
    makes_images_ = true;
    state_.pixels.values.push_back(id);
  }
  if (profile_) names_.assign(kernels_.size(), {"images", "input to lanes"});
}

void PlanExecutable::find_filled_inputs() {
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    const Value& v = plan_.values[i];
    const bool taken_by_phase = makes_images_ && v.name == "images";
    if (v.role == Role::input && v.alias_of < 0 && !taken_by_phase) filled_.push_back(static_cast<int>(i));
  }
}

Status PlanExecutable::fill_inputs(const StepInputs& inputs) {
  for (const int i : filled_) {
    const Value& v = plan_.values[static_cast<std::size_t>(i)];
    const std::size_t bytes = static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype);
    NW_TRY(fill_input(inputs, v, *team_, {storage_->border(i), bytes}));
  }
  return {};
}

void PlanExecutable::find_views_of_images() {
  std::vector<int>& all = state_.pixels.values;
  for (const Step& s : plan_.steps)
    if (shares_storage(s) && std::find(all.begin(), all.end(), s.inputs[0]) != all.end()) all.push_back(s.outputs[0]);
}

std::int64_t PlanExecutable::uses_of_images() const {
  const std::vector<int>& all = state_.pixels.values;
  const auto is_one = [&](int value) { return std::find(all.begin(), all.end(), value) != all.end(); };
  std::int64_t uses = 0;
  for (const Step& s : plan_.steps)
    if (!shares_storage(s)) uses += std::count_if(s.inputs.begin(), s.inputs.end(), is_one);
  return uses;
}

// Twice as many tasks as workers, so that all workers end at about the same time.
std::int64_t PlanExecutable::parts_for(const KernelPhase& p) const {
  const std::int64_t wanted = 2 * team_->size();
  return !p.per_shard || p.tasks >= wanted || team_->size() == 1 ? 1
                                                                 : std::min(p.parts, (wanted + p.tasks - 1) / p.tasks);
}

void PlanExecutable::cut_into_segments() {
  using Kind = Segment::Kind;
  for (const PreparedKernel& k : kernels_)
    for (const KernelPhase& p : k.weights) {
      if (segments_.empty()) segments_.push_back({Kind::tasks, {}, 0, 0});
      segments_.back().tasks += p.tasks;
      segments_.back().phases.push_back(&p);
    }
  for (std::size_t i = 0; i < kernels_.size(); ++i)
    for (const KernelPhase& p : kernels_[i].phases) {
      const PreparedKernel& k = kernels_[i];
      if (const std::int64_t parts = parts_for(p); parts > 1) {
        segments_.push_back({Kind::tasks, {&p}, p.tasks, 0, false, parts});
        segments_.back().step = steps_[i];
        if (&p == &k.phases.back()) segments_.back().ended = steps_[i];
        continue;
      }
      const Kind kind = p.per_shard ? Kind::shards : p.tasks == 1 && !k.beside_others ? Kind::serial : Kind::tasks;
      const bool same = !segments_.empty() && segments_.back().kind == kind;
      const bool beside =
          same && kind == Kind::tasks && segments_.back().open && &p == &k.phases.front() && k.beside_others;
      const bool joins = beside || (same && kind != Kind::tasks && segments_.back().tasks == p.tasks);
      if (!joins)
        segments_.push_back({kind, {}, kind == Kind::serial ? 1 : p.tasks, 0});
      else if (beside)
        segments_.back().tasks += p.tasks;
      segments_.back().phases.push_back(&p);
      if (!joins) segments_.back().step = steps_[i];
      if (&p == &k.phases.back()) segments_.back().ended = steps_[i];
      segments_.back().open = k.beside_others && k.phases.size() == 1;
    }
  for (Segment& s : segments_) {
    if (s.kind == Kind::tasks && s.parts == 1) share_out(s);
    s.first_cursor = cursor_count_;
    cursor_count_ += static_cast<std::size_t>(team_->size());
  }
  cursors_ = std::make_unique<Cursor[]>(cursor_count_);
  left_ = std::make_unique<Left[]>(segments_.size());
}

// Each phase is distributed separately, so that a worker's part of it does not depend on the phases next to it.
void PlanExecutable::share_out(Segment& s) const {
  const int team = team_->size();
  for (int w = 0; w < team; ++w) {
    s.first.push_back(std::ssize(s.order));
    std::int64_t before = 0;
    for (const KernelPhase* p : s.phases) {
      const bool own = std::ssize(p->shares) == team + 1;
      const auto bound = [&](int worker) {
        return own ? p->shares[static_cast<std::size_t>(worker)] : p->tasks * worker / team;
      };
      for (std::int64_t t = bound(w); t < bound(w + 1); ++t) s.order.push_back(before + t);
      before += p->tasks;
    }
  }
  s.first.push_back(std::ssize(s.order));
}

void PlanExecutable::write(int value, std::span<const std::byte> bytes) {
  const Value& v = plan_.values[static_cast<std::size_t>(value)];
  assert(bytes.size() == static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
  if (std::byte* border = storage_->border(value)) {
    std::memcpy(border, bytes.data(), bytes.size());
  } else if (shard_ && v.role == Role::optimizer) {
    const auto [first, last] = shard_->part_of(v);
    if (last > first)
      std::memcpy(storage_->at(value) + 4 * first, bytes.data() + 4 * first,
                  static_cast<std::size_t>(4 * (last - first)));
  } else
    host_to_value(plan_, v, bytes.data(), storage_->at(value));
}

void PlanExecutable::read(int value, std::span<std::byte> bytes) const {
  const Value& v = plan_.values[static_cast<std::size_t>(value)];
  assert(bytes.size() == static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
  if (const std::byte* border = storage_->border(value)) {
    std::memcpy(bytes.data(), border, bytes.size());
  } else if (shard_ && v.role == Role::optimizer) {
    const auto [first, last] = shard_->part_of(v);
    if (last > first)
      std::memcpy(bytes.data() + 4 * first, storage_->at(value) + 4 * first,
                  static_cast<std::size_t>(4 * (last - first)));
  } else
    value_to_host(plan_, v, storage_->at(value), bytes.data());
}

Result<std::unique_ptr<Executable>> make_executable(const Plan& plan, const PrepareArgs& args,
                                                    ExecutorOptions options) {
  auto e = std::make_unique<PlanExecutable>(plan, args, std::move(options));
  NW_TRY(e->prepare(args));
  return std::unique_ptr<Executable>(std::move(e));
}

}  // namespace nw
