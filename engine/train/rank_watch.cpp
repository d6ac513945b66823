// SPDX-License-Identifier: Apache-2.0
#include "engine/train/rank_watch.hpp"

#include <unistd.h>

#include <algorithm>

namespace nw {
namespace {

constexpr double read_every_s = 1;

/// Places in ProcessGroup::Figures. All but the memory, `gpu_busy` and the flags grow.
enum Figure : std::size_t {
  figure_steps,
  figure_seconds,
  figure_running_s,   // in the executables
  figure_reducing_s,  // of that, in calls of the communicator
  figure_waiting_s,   // of that, until the others had begun them
  figure_memory,
  figure_processor_j,
  figure_gpu_j,
  figure_gpu_busy,
  figure_read_s,     // when the energy was read
  figure_knows_all,  // 1: the times above are known; a GPU that reduces by itself does not tell
  figure_is_gpu
};

std::string own_host() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::optional<double> if_known(double v) { return v < 0 ? std::nullopt : std::optional(v); }

}  // namespace

RankWatch::~RankWatch() = default;

RankWatch::RankWatch(TrainingState& state, RunReport& report) : state_(state), report_(report), host_(own_host()) {
  if (std::vector<int> numbers = gpu_numbers(state.own_devices); !numbers.empty())
    gpus_ = std::make_unique<GpuWatch>(read_gpus(std::move(numbers)));
  read_processors();
  reported_ = epoch_began_ = all();
}

void RankWatch::read_processors() {
  processors_read_s_ = state_.seconds();
  processors_.read({-1, processor_energy_j(state_.energy_counters)});
}

std::vector<RankWatch::Known> RankWatch::replicas_here() const {
  std::vector<Known> known;
  for (const Replicas::Work& w : state_.replicas->work()) {
    Known k{.host = host_, .device = w.device};
    k.figures[figure_steps] = static_cast<double>(steps_);
    k.figures[figure_seconds] = seconds_;
    k.figures[figure_running_s] = w.running_s;
    k.figures[figure_reducing_s] = w.reducing_s;
    k.figures[figure_waiting_s] = w.waiting_s;
    k.figures[figure_memory] = static_cast<double>(w.memory_bytes);
    k.figures[figure_knows_all] = !w.device.starts_with("cuda") || state_.replicas->world() == 1;
    known.push_back(std::move(k));
  }
  return known;
}

/// Their times are in PipelineTimes.
std::vector<RankWatch::Known> RankWatch::stages_here() const {
  std::vector<Known> known;
  const ProcessGroup* const processes = state_.request.processes;
  const std::vector<Replicas::StagePlace> places = state_.replicas->stage_places();
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!state_.replicas->is_spread() || static_cast<int>(i) == processes->rank())
      known.push_back({.host = host_, .device = places[i].device});
  return known;
}

std::vector<RankWatch::Known> RankWatch::local() const {
  std::vector<Known> known = state_.replicas->pipeline() ? stages_here() : replicas_here();
  const GpuWatch::Reading gpus = gpus_ ? gpus_->last() : GpuWatch::Reading{};
  for (std::size_t i = 0; i < known.size(); ++i) {
    Known& k = known[i];
    const bool gpu = k.device.starts_with("cuda");
    k.figures[figure_processor_j] = processors_.used().cpu_j;
    const GpuWatch::Counters counters = i < gpus.gpus.size() ? gpus.gpus[i] : GpuWatch::Counters{};
    k.figures[figure_gpu_j] = counters.energy_j;
    k.figures[figure_gpu_busy] = counters.busy;
    k.figures[figure_read_s] = gpu ? std::max(0.0, gpus.at_s) : processors_read_s_;
    k.figures[figure_is_gpu] = gpu;
  }
  return known;
}

std::vector<RankWatch::Known> RankWatch::all() const {
  const ProcessGroup* processes = state_.request.processes;
  if (!processes) return local();
  std::vector<Known> known;
  for (int r = 0; r < processes->world(); ++r) {
    const ProcessGroup::Told told = processes->told(r);
    known.push_back({told.figures, processes->host(r), told.device});
  }
  return known;
}

// A network that was made anew begins its times from zero.
RankTimes RankWatch::between(const std::vector<Known>& before, const std::vector<Known>& now) const {
  RankTimes t{.step = state_.progress.step};
  for (std::size_t i = 0; i < now.size() && i < before.size(); ++i) {
    const Known &old = before[i], &k = now[i];
    const auto grown = [&](Figure f) {
      return k.figures[f] < old.figures[f] ? std::max(0.0, k.figures[f]) : k.figures[f] - old.figures[f];
    };
    RankUse use{.rank = static_cast<int>(i), .host = k.host, .device = k.device};
    use.steps = static_cast<std::int64_t>(grown(figure_steps));
    use.seconds = grown(figure_seconds);
    if (k.figures[figure_memory] > 0) use.memory_bytes = k.figures[figure_memory];
    if (k.figures[figure_knows_all] > 0) {
      const double running = std::min(grown(figure_running_s), use.seconds),
                   reducing = std::min(grown(figure_reducing_s), running),
                   waiting = std::min(grown(figure_waiting_s), reducing);
      use.compute_s = running - reducing;
      use.communication_s = reducing - waiting;
      use.wait_s = waiting;
      use.input_s = use.seconds - running;
    }
    const bool gpu = k.figures[figure_is_gpu] > 0;
    if (gpu)
      use.busy = if_known(k.figures[figure_gpu_busy]);
    else if (use.compute_s && use.seconds > 0)
      use.busy = *use.compute_s / use.seconds;
    const Figure counter = gpu ? figure_gpu_j : figure_processor_j;
    const auto first = std::find_if(now.begin(), now.end(), [&](const Known& other) {
      return other.host == k.host && other.figures[figure_is_gpu] == 0;
    });
    const double passed = grown(figure_read_s);
    if (k.figures[counter] >= 0 && passed > 0 && (gpu || first == now.begin() + static_cast<std::ptrdiff_t>(i))) {
      use.energy_j = k.figures[counter] - std::max(0.0, old.figures[counter]);
      use.power_w = *use.energy_j / passed;
    }
    t.ranks.push_back(std::move(use));
  }
  name_slowest(t, Stragglers::margin);
  return t;
}

void RankWatch::tell_and_read() {
  ProcessGroup* const processes = state_.request.processes;
  if (state_.seconds() - processors_read_s_ >= read_every_s) read_processors();
  if (!processes) return;
  if (const std::vector<Known> own = local(); !own.empty()) processes->tell(own.front().figures, own.front().device);
}

void RankWatch::after_steps(std::int64_t count, double seconds) {
  steps_ += count;
  seconds_ += seconds;
  const Clock::time_point now = Clock::now();
  const double every_s = std::clamp(state_.seconds() / 600, 1.0, 10.0);  // limits the size of a day's log
  const bool due = std::chrono::duration<double>(now - last_report_).count() >= every_s;
  ProcessGroup* const processes = state_.request.processes;
  tell_and_read();
  if (state_.replicas->pipeline()) return;  // stages have other work each: see after_epoch()
  if (!due || (processes && processes->rank() > 0)) return;
  last_report_ = now;
  std::vector<Known> known = all();
  RankTimes t = between(reported_, known);
  t.epoch = state_.progress.epoch + 1;
  reported_ = std::move(known);
  const auto slow = stragglers_.judge(t);
  report_.post(std::move(t));
  if (slow) report_.post(Health{HealthLevel::warning, *slow, state_.progress.step});
}

Status RankWatch::after_epoch() {
  if (state_.replicas->pipeline()) return {};
  NW_ASSIGN(std::vector<std::vector<StepSpan>> spans, state_.replicas->timelines());
  if (state_.request.processes && state_.request.processes->rank() > 0) return {};
  read_processors();
  std::vector<Known> known = all();
  RankTimes t = between(epoch_began_, known);
  t.epoch = state_.progress.epoch;
  t.whole_epoch = true;
  epoch_began_ = std::move(known);
  for (std::size_t r = 0; r < std::min(spans.size(), t.ranks.size()); ++r) t.ranks[r].spans = std::move(spans[r]);
  report_.post(std::move(t));
  return {};
}

namespace {

/// What a stage of a pipeline did in an epoch. It waits for others also before its first pass and after its last one.
RankUse use_of(const StageSeconds& stage, double seconds) {
  RankUse use{.seconds = seconds};
  use.compute_s = stage.compute_s;
  use.communication_s = stage.transfer_s;
  use.wait_s = std::max(0.0, seconds - stage.compute_s - stage.transfer_s);
  if (seconds > 0) use.busy = stage.compute_s / seconds;
  return use;
}

/// What counters and a GPU know of the stage's device.
void take_energy(RankUse& use, const RankUse& read) {
  use.energy_j = read.energy_j;
  use.power_w = read.power_w;
  if (use.device.starts_with("cuda")) use.busy = read.busy;
}

}  // namespace

void RankWatch::after_epoch(const std::vector<PipelineTimes>& by_replica) {
  const PipelinePlan plan = state_.replicas->pipeline_plan();
  const std::vector<Replicas::StagePlace> places = state_.replicas->stage_places();
  RankTimes t{.epoch = state_.progress.epoch, .step = state_.progress.step, .whole_epoch = true};
  read_processors();
  std::vector<Known> known = all();
  const RankTimes used = between(epoch_began_, known);
  for (const PipelineTimes& times : by_replica)
    for (std::size_t s = 0; s < std::min(times.stages.size(), plan.stages.size()); ++s) {
      const std::size_t rank = t.ranks.size();
      RankUse use = use_of(times.stages[s], times.seconds);
      use.rank = static_cast<int>(rank);
      use.host = places[rank].host.empty() ? host_ : places[rank].host;
      const bool told = rank < known.size() && !known[rank].device.empty();
      use.device = told ? known[rank].device : places[rank].device;
      use.steps = state_.steps_per_epoch;
      use.memory_bytes = static_cast<double>(plan.stages[s].memory_bytes);
      if (rank < used.ranks.size()) take_energy(use, used.ranks[rank]);
      t.ranks.push_back(std::move(use));
    }
  epoch_began_ = std::move(known);
  report_.post(std::move(t));
}

}  // namespace nw
