// SPDX-License-Identifier: Apache-2.0
// Replicas that are pipelines: of devices in this process, or of processes.
#include <fmt/format.h>

#include <algorithm>

#include "engine/parallel/process_link.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/pipeline_estimate.hpp"
#include "engine/train/replicas_rank.hpp"

namespace nw {
namespace {

bool on_gpus(const std::vector<ResolvedDevice>& devices) { return devices.front().name.starts_with("cuda"); }

/// The devices of the stages that are processes, which may have other GPUs. A process that is lost ends the next step.
std::vector<std::string> devices_along(Communicator& along, const std::string& own) {
  std::vector<double> numbers(static_cast<std::size_t>(along.world()));
  const std::vector<int> gpu = gpu_numbers({own});
  if (!gpu.empty()) numbers[static_cast<std::size_t>(along.rank())] = gpu.front();
  (void)along.all_reduce_sum(numbers.data(), std::ssize(numbers));
  std::vector<std::string> names;
  for (const double n : numbers) names.push_back(gpu.empty() ? own : fmt::format("cuda:{}", static_cast<int>(n)));
  return names;
}

}  // namespace

Status Replicas::prepare_pipelines(const GraphDoc& doc, const DataFacts& facts,
                                   const std::vector<ResolvedDevice>& devices, int stages) {
  std::vector<std::string> names;
  for (const ResolvedDevice& d : devices) names.push_back(d.name);
  NW_TRY(check_stage_devices(names));
  if (profile_)
    return fail(
        Errc::usage,
        NW_TR("--profile measures the layers of one device; the run of a pipeline records times of its stages"));
  if ((processes_ || on_gpus(devices)) && doc.settings().swa_start > 0)
    return fail(Errc::usage, NW_TR("the mean of weights (swa_start) is not taken where each stage has its own weights; "
                                   "train the stages on processors of one process"));
  if (on_gpus(devices) && doc.settings().precision == DType::f16)
    return fail(Errc::bad_input, NW_TR("the stages of a pipeline do not share a loss scale: choose bf16 or fp32 "
                                       "instead of fp16"));
  if (processes_) spread(stages);
  const int here = processes_ ? 1 : stages;
  for (int s = 0; s < here && !processes_ && world_ > 1; ++s) of_stages_.push_back(make_local_communicators(world_));
  std::vector<ResolvedDevice> firsts;  // of the replicas here, with the threads of all their stages
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (i % static_cast<std::size_t>(here) == 0)
      firsts.push_back(devices[i]);
    else
      firsts.back().threads += devices[i].threads;
  }
  NW_TRY(add_ranks(firsts));
  return on_all([&](Rank& r) -> Status {
    const auto begin = devices.begin() + static_cast<std::ptrdiff_t>(r.index) * here;
    return prepare_pipeline(r, doc, facts, {begin, begin + here}, stages);
  });
}

// The first device of a replica evaluates, on the threads of all its devices, which then have nothing else to do. It
// has all weights, where the stages are processes as a copy.
Status Replicas::prepare_pipeline(Rank& r, const GraphDoc& doc, const DataFacts& facts,
                                  const std::vector<ResolvedDevice>& devices, int stages) {
  Target target{.batch = share_, .world = world_, .device = r.device.get(), .data = facts, .epoch = epoch_};
  if (r.index == 0) compile_whole_ = [doc, target] { return compile(doc, target); };
  NW_ASSIGN(StagedPlan staged,
            compile_stages(doc, target, stages, r.device->memory_bytes() / (on_gpus(devices) ? 1 : stages)));
  staged.update.plan.world = 1;  // the gradients of all replicas are summed on the host
  for (StagePlan& stage : staged.stages) stage.update.world = 1;
  r.training = staged.update;
  if (spread_) NW_TRY(take_own_stage(r, staged));
  if (spread_) spread_->devices = devices_along(*spread_->along, devices.front().name);
  r.evaluates_copy = spread_ || on_gpus(devices);
  target.training = false;
  target.world = 1;
  NW_ASSIGN(r.evaluation, compile(doc, target));
  NW_TRY(hold_stages(r, staged, devices));
  if (!spread_ || spread_->stage == 0) {
    NW_ASSIGN(r.evaluate,
              r.device->prepare(r.evaluation.plan,
                                {.team = r.team.get(), .weights_from = r.evaluates_copy ? nullptr : r.train.get()}));
  }
  NW_ASSIGN(r.pipeline, Pipeline::make(setup_of(r, std::move(staged), devices, doc.settings())));
  return {};
}

/// The weights of the stages that are here: of all in one memory, or of each in that of its device.
Status Replicas::hold_stages(Rank& r, const StagedPlan& staged, const std::vector<ResolvedDevice>& devices) {
  if (on_gpus(devices) && !spread_) {
    NW_ASSIGN(auto updates, StageUpdates::make(staged, devices));
    r.updates = updates.get();
    r.train = std::move(updates);
    return {};
  }
  NW_ASSIGN(r.train, r.device->prepare(r.training.plan, {.team = r.team.get(),
                                                         .communicator = spread_ ? spread_->along.get() : nullptr}));
  return {};
}

PipelineSetup Replicas::setup_of(const Rank& r, StagedPlan staged, const std::vector<ResolvedDevice>& devices,
                                 const TrainSettings& settings) const {
  PipelineSetup setup{.devices = devices, .schedule = settings.pipeline, .parts = accumulate_};
  for (const auto& replicas : of_stages_) setup.replicas.push_back(replicas[r.index].get());
  for (std::size_t s = 0; s < devices.size(); ++s)
    setup.updates.push_back(r.updates ? &r.updates->of_stage(static_cast<int>(s)) : r.train.get());
  if (spread_) {
    const Spread& s = *spread_;
    std::vector<LinkEnds> ends;
    for (const StageTransfer& t : staged.transfers)
      ends.push_back({s.rank_of(s.replica, t.from), s.rank_of(s.replica, t.to)});
    for (int stage = 0; stage < s.stages; ++stage) {
      const int rank = s.rank_of(s.replica, stage);
      setup.names.push_back(
          fmt::format("{} (rank {} on {})", s.devices[static_cast<std::size_t>(stage)], rank, processes_->host(rank)));
    }
    setup.first = s.stage;
    setup.link = make_process_link(*processes_, std::move(ends));
    setup.processes = s.along.get();
    setup.doing = [this](const std::string& what) { processes_->is_at(step_, what.c_str()); };
    if (world_ > 1) setup.replicas.push_back(s.peers.get());
  } else {
    setup.link = make_local_link();
    for (const ResolvedDevice& d : devices) setup.names.push_back(d.name);
  }
  setup.plan = std::move(staged);
  return setup;
}

Result<std::vector<PipelineTimes>> Replicas::take_pipeline_times() {
  std::vector<PipelineTimes> times(static_cast<std::size_t>(world_));
  NW_TRY(on_all([&](Rank& r) -> Status {
    NW_ASSIGN(times[spread_ ? static_cast<std::size_t>(spread_->replica) : r.index], r.pipeline->take_times());
    return {};
  }));
  if (!spread_ || world_ == 1) return times;
  const auto numbers_of = [&](auto&& visit) {
    for (PipelineTimes& t : times) {
      t.stages.resize(static_cast<std::size_t>(spread_->stages));
      visit(t.seconds), visit(t.bubble);
      for (StageSeconds& s : t.stages) visit(s.compute_s), visit(s.transfer_s), visit(s.wait_s);
    }
  };
  std::vector<double> numbers;
  numbers_of([&](double& d) { numbers.push_back(spread_->stage == 0 ? d : 0); });
  if (!spread_->all->all_reduce_sum(numbers.data(), std::ssize(numbers))) return lost_device();
  numbers_of([next = numbers.begin()](double& d) mutable { d = *next++; });
  return times;
}

std::vector<Replicas::StagePlace> Replicas::stage_places() const {
  std::vector<StagePlace> places;
  if (spread_) {
    for (int r = 0; r < world_ * spread_->stages; ++r)
      places.push_back({processes_->host(r), spread_->devices[static_cast<std::size_t>(r % spread_->stages)]});
    return places;
  }
  for (const auto& r : ranks_)
    for (const PipelineStage& s : r->pipeline->plan().stages) places.push_back({"", s.device});
  return places;
}

PipelinePlan Replicas::pipeline_plan() const {
  PipelinePlan p = pipeline()->plan();
  p.micro_batch = share_;
  p.statistics_per_micro_batch = has_batch_norm_;
  return p;
}

}  // namespace nw
