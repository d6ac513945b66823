// SPDX-License-Identifier: Apache-2.0
// How the replicas of a run are made: what each device computes, and what it is prepared for.
#include <algorithm>

#include "engine/design/data_facts.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/pipeline_estimate.hpp"
#include "engine/train/replicas_rank.hpp"
#include "kernels/state_shard.hpp"

namespace nw {
namespace {

bool has_batch_norm(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const auto& n) { return n.second.type.starts_with("BatchNorm"); });
}

bool has_batch_norm(const GraphDoc& doc) {
  const auto& blocks = doc.blocks();
  return has_batch_norm(doc.graph()) ||
         std::any_of(blocks.begin(), blocks.end(), [](const auto& b) { return has_batch_norm(b.second.graph); });
}

bool is_of_update(const Step& s) { return s.phase == Phase::reduce || s.phase == Phase::update; }

/// Samples per device, filled one device after another, such that none takes its own statistics from a single one.
std::int64_t share_with_statistics(std::int64_t batch, std::int64_t share) {
  while (batch > 1 && (share == 1 || batch % share == 1)) ++share;
  return share;
}

/// The optimizer's state is that of the executable which updates.
Plan without_state(Plan plan) {
  for (Value& v : plan.values) {
    if (v.role != Role::optimizer) continue;
    v.role = Role::saved;
    v.shape = Shape{1};
    v.offset_bytes = -1;
  }
  return plan;
}

std::int64_t rounded_up(std::int64_t n, std::int64_t by) { return (n + by - 1) / by; }

}  // namespace

Replicas::~Replicas() {
  if (processes_) processes_->tell_place_by({});
}

Result<std::unique_ptr<Replicas>> Replicas::make(const GraphDoc& doc, const DataFacts& facts,
                                                 std::vector<ResolvedDevice> devices, bool profile, std::int64_t epoch,
                                                 ProcessGroup* processes) {
  std::unique_ptr<Replicas> made(new Replicas);
  made->processes_ = processes && processes->world() > 1 ? processes : nullptr;
  made->profile_ = profile;
  made->epoch_ = epoch;
  NW_TRY(made->prepare(doc, facts, std::move(devices)));
  return made;
}

Status Replicas::prepare(const GraphDoc& doc, const DataFacts& facts, std::vector<ResolvedDevice> devices) {
  const TrainSettings& s = doc.settings();
  if (processes_ && devices.size() > 1)
    return fail(Errc::usage, NW_TR("each process that mpirun starts has one device; start more processes instead"));
  const std::int64_t all = processes_ ? processes_->world() : std::ssize(devices);
  NW_ASSIGN(const std::int64_t stages, stages_of(s, all));
  world_ = static_cast<int>(all / stages);
  sharded_ = s.parallel == Parallelism::sharded && world_ > 1;
  NW_TRY(allow_sharding(s));
  const std::int64_t world = world_;
  const std::int64_t batch = s.batch;
  if (batch < world)
    return fail(Errc::usage, NW_TR("a batch of {0} cannot be divided among {1} devices; make it larger"), batch, world);
  has_batch_norm_ = has_batch_norm(doc);
  own_statistics_ = world > 1 && !s.sync_batch_norm;
  NW_TRY(divide_batch(s, batch, world));
  if (stages > 1) return prepare_pipelines(doc, facts, devices, static_cast<int>(stages));
  NW_TRY(add_ranks(devices));
  // All at once: the GPUs of one run must connect before their steps can be prepared.
  return on_all([&](Rank& r) { return prepare_rank(r, doc, facts, *r.device); });
}

/// Devices (or processes) that compute a replica together; 1 without model parallelism.
Result<std::int64_t> Replicas::stages_of(const TrainSettings& s, std::int64_t devices) const {
  if (s.parallel != Parallelism::model || devices == 1) return 1;
  const std::int64_t stages = s.stages > 0 ? s.stages : devices;
  if (devices % stages != 0)
    return fail(Errc::usage, NW_TR("{0} devices cannot be divided into groups of {1} stages"), devices, stages);
  return stages;
}

Status Replicas::add_ranks(const std::vector<ResolvedDevice>& devices) {
  std::vector<std::unique_ptr<RankCommunicator>> inner;
  if (spread_)
    inner.push_back(make_process_communicator(*processes_, spread_->ranks_of_stage(spread_->stage, world_)));
  else if (processes_)
    inner.push_back(make_process_communicator(*processes_));
  else if (world_ > 1)
    inner = make_local_communicators(world_);
  for (auto& one : inner) communicators_.push_back(std::make_unique<TimedCommunicator>(std::move(one)));
  NW_ASSIGN(threads_, start_team(static_cast<int>(devices.size())));
  for (std::size_t i = 0; i < devices.size(); ++i) {
    auto rank = std::make_unique<Rank>();
    rank->index = i;
    rank->rank = spread_ ? spread_->replica : processes_ ? processes_->rank() : static_cast<int>(i);
    rank->name = devices[i].name;
    rank->device = devices[i].device;
    NW_ASSIGN(rank->team, start_team(devices[i].threads));
    rank->communicator = world_ > 1 ? communicators_[i].get() : nullptr;
    ranks_.push_back(std::move(rank));
  }
  return {};
}

/// Into parts, one after another, and each part among the devices.
Status Replicas::divide_batch(const TrainSettings& s, std::int64_t batch, std::int64_t world) {
  const std::int64_t parts = s.micro_batches;
  NW_TRY(check_division(batch, parts * world));
  share_ = rounded_up(rounded_up(batch, parts), world);
  const bool of_share = own_statistics_ || parts > 1;
  if (of_share && has_batch_norm_) share_ = share_with_statistics(batch, share_);
  accumulate_ = parts > 1 ? rounded_up(s.samples_per_update(), share_ * world) : s.accumulate;
  if (accumulate_ > 1 && s.precision == DType::f16)
    return fail(Errc::bad_input, NW_TR("fp16 trains one batch for each update. Choose bf16 or fp32, or accumulate 1 "
                                       "batch"));
  return {};
}

Result<Compiled> Replicas::whole_plan() const { return whole_plan(*ranks_.front()); }

Result<Compiled> Replicas::whole_plan(const Rank& r) const {
  if (compile_whole_) return compile_whole_();
  return r.training;
}

Status Replicas::prepare_rank(Rank& r, const GraphDoc& doc, const DataFacts& facts, const Device& device) {
  Target target{.training = true,
                .batch = share_,
                .world = r.communicator ? r.communicator->world() : 1,
                .device = &device,
                .data = facts,
                .epoch = epoch_};
  NW_ASSIGN(r.training, compile(doc, target));
  target.training = false;
  target.world = 1;
  NW_ASSIGN(r.evaluation, compile(doc, target));
  // training and evaluation use one arena in turn
  r.training.plan.arena_bytes = std::max(r.training.plan.arena_bytes, r.evaluation.plan.arena_bytes);
  shard_plan(r);
  const Plan whole = r.training.plan;
  if (accumulate_ > 1) std::erase_if(r.training.plan.steps, is_of_update);
  NW_ASSIGN(r.train, device.prepare(accumulate_ > 1 && sharded_ ? without_state(r.training.plan) : r.training.plan,
                                    {.team = r.team.get(), .communicator = r.communicator, .profile = profile_}));
  if (accumulate_ > 1) NW_TRY(prepare_update(r, whole, device));
  NW_ASSIGN(r.evaluate, device.prepare(r.evaluation.plan,
                                       {.team = r.team.get(), .weights_from = r.train.get(), .takes_turns = true}));
  return {};
}

// The gradients of all parts and devices are summed on the host, so only the exchange of updated weights needs a
// communicator.
Status Replicas::prepare_update(Rank& r, Plan whole, const Device& device) {
  std::erase_if(whole.steps, [](const Step& s) { return s.phase != Phase::update; });
  whole.world = 1;
  NW_ASSIGN(r.update, device.prepare(whole, {.team = r.team.get(),
                                             .communicator = state_shard(whole) ? r.communicator : nullptr,
                                             .weights_from = r.train.get(),
                                             .takes_turns = true}));
  return {};
}

}  // namespace nw
