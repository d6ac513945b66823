// SPDX-License-Identifier: Apache-2.0
#include "engine/train/stage_updates.hpp"

#include <algorithm>

#include "engine/parallel/team.hpp"
#include "engine/train/first_failure.hpp"
#include "engine/train/without_throwing.hpp"

namespace nw {

StageUpdates::~StageUpdates() = default;

Result<std::unique_ptr<StageUpdates>> StageUpdates::make(const StagedPlan& plan,
                                                         const std::vector<ResolvedDevice>& devices) {
  std::unique_ptr<StageUpdates> made(new StageUpdates);
  const auto stages = static_cast<int>(plan.stages.size());
  NW_ASSIGN(made->threads_, start_team(stages));
  made->communicators_ = make_local_communicators(stages);
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    NW_ASSIGN(made->teams_.emplace_back(), start_team(1));
    NW_ASSIGN(made->updates_.emplace_back(),
              devices[s].device->prepare(plan.stages[s].update, {.team = made->teams_.back().get(),
                                                                 .communicator = made->communicators_[s].get()}));
  }
  made->find_places(plan);
  return made;
}

void StageUpdates::find_places(const StagedPlan& plan) {
  for (const Value& v : plan.update.plan.values) {
    Place& place = places_.emplace_back();
    for (std::size_t s = 0; s < plan.stages.size(); ++s)
      if (const int there = plan.stages[s].update.find(v.name); there >= 0) place = {static_cast<int>(s), there};
  }
}

Status StageUpdates::run(const StepArgs& args) {
  std::vector<Status> done(updates_.size());
  threads_->run([&](int stage) {
    const auto s = static_cast<std::size_t>(stage);
    done[s] = without_throwing([&] { return updates_[s]->run(args); });
    if (!done[s]) communicators_[s]->abort();
  });
  return first_failure(done);
}

// The sums over all weights are the same on all stages.
StepMetrics StageUpdates::metrics() const {
  StepMetrics m = updates_.front()->metrics();
  m.finite = std::all_of(updates_.begin(), updates_.end(), [](const auto& u) { return u->metrics().finite; });
  return m;
}

void StageUpdates::write(int value, std::span<const std::byte> bytes) {
  const Place& p = places_[static_cast<std::size_t>(value)];
  if (p.value >= 0) of_stage(p.stage).write(p.value, bytes);
}

void StageUpdates::read(int value, std::span<std::byte> bytes) const {
  const Place& p = places_[static_cast<std::size_t>(value)];
  if (p.value >= 0)
    of_stage(p.stage).read(p.value, bytes);
  else
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
}

Status StageUpdates::health() const {
  for (const auto& u : updates_) NW_TRY(u->health());
  return {};
}

std::int64_t StageUpdates::memory_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& u : updates_) bytes += u->memory_bytes();
  return bytes;
}

}  // namespace nw
