// SPDX-License-Identifier: Apache-2.0
// Replicas whose stages are processes: each holds the weights, gradients and optimizer's state of its own stage. What
// is evaluated or saved is brought to the first stage.
#include <algorithm>
#include <numeric>

#include "engine/train/replicas_rank.hpp"

namespace nw {
namespace {

constexpr std::int64_t longest_message = std::int64_t{1} << 30;  // see MessageLayer::send

/// Messages of these bytes, none of them too long.
void add_messages(std::vector<ProcessGroup::Message>& all, int rank, std::vector<std::byte>& bytes) {
  const auto size = std::ssize(bytes);
  for (std::int64_t at = 0; at < size; at += longest_message)
    all.push_back({rank, bytes.data() + at, std::min(longest_message, size - at)});
}

}  // namespace

void Replicas::spread(int stages) {
  spread_ = std::make_unique<Spread>();
  Spread& s = *spread_;
  s.stages = stages;
  s.replica = processes_->rank() / stages;
  s.stage = processes_->rank() % stages;
  std::vector<int> along;
  for (int stage = 0; stage < stages; ++stage) along.push_back(s.rank_of(s.replica, stage));
  s.all = make_process_communicator(*processes_);
  s.along = make_process_communicator(*processes_, along);
  s.peers = make_process_communicator(*processes_, s.ranks_of_stage(s.stage, world_));
}

const Plan& Replicas::all_values() const { return spread_ ? spread_->whole.plan : ranks_.front()->training.plan; }

/// The rank holds what `staged` says of its own stage; the rest is kept for what files hold.
Status Replicas::take_own_stage(Rank& r, StagedPlan& staged) {
  Spread& s = *spread_;
  s.whole = staged.update;
  s.owner.assign(s.whole.plan.values.size(), 0);
  for (std::size_t i = 0; i < s.owner.size(); ++i)
    for (int stage = 0; stage < s.stages; ++stage)
      if (staged.stages[static_cast<std::size_t>(stage)].update.find(s.whole.plan.values[i].name) >= 0)
        s.owner[i] = stage;
  staged.update.plan = staged.stages[static_cast<std::size_t>(s.stage)].update;
  r.training = staged.update;
  r.evaluates_copy = true;
  return {};
}

/// This process's values of the kind, one after another in the order of the whole network's.
std::vector<std::byte> Replicas::packed(const std::function<bool(const Value&)>& which) const {
  const Rank& r = *ranks_.front();
  std::vector<std::byte> all;
  for (std::size_t i = 0; i < spread_->owner.size(); ++i) {
    const Value& v = spread_->whole.plan.values[i];
    if (spread_->owner[i] != spread_->stage || !which(v)) continue;
    all.resize(all.size() + bytes_of(v));
    r.train->read(r.training.plan.find(v.name), std::span(all).last(bytes_of(v)));
  }
  return all;
}

Status Replicas::to_first_stage(const std::function<bool(const Value&)>& which, const ValueSink& sink) {
  const Spread& s = *spread_;
  const std::vector<Value>& values = s.whole.plan.values;
  const std::atomic<bool> never{false};
  std::vector<std::vector<std::byte>> of_stages(static_cast<std::size_t>(s.stages));
  std::vector<std::byte>& own = of_stages[static_cast<std::size_t>(s.stage)] = packed(which);
  std::vector<ProcessGroup::Message> out, in;
  if (s.stage > 0) add_messages(out, s.rank_of(s.replica, 0), own);
  for (int stage = 1; s.stage == 0 && stage < s.stages; ++stage) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (s.owner[i] == stage && which(values[i])) bytes += bytes_of(values[i]);
    of_stages[static_cast<std::size_t>(stage)].resize(bytes);
    add_messages(in, s.rank_of(s.replica, stage), of_stages[static_cast<std::size_t>(stage)]);
  }
  if (!processes_->exchange(out, in, never)) {
    if (const auto why = processes_->lost()) return *why;
    return lost_device();
  }
  if (s.stage > 0) return ranks_.front()->train->health();
  std::vector<std::size_t> at(of_stages.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!which(values[i])) continue;
    const auto owner = static_cast<std::size_t>(s.owner[i]);
    sink(static_cast<int>(i), std::span(of_stages[owner]).subspan(at[owner], bytes_of(values[i])));
    at[owner] += bytes_of(values[i]);
  }
  return ranks_.front()->train->health();
}

bool Replicas::evaluates_copy() const { return ranks_.front()->evaluates_copy; }

Status Replicas::copy_trained_weights() {
  if (!evaluates_copy() || spread_) return {};
  return on_all([](Rank& r) -> Status {
    copy_weights(r);
    NW_TRY(r.train->health());
    return r.evaluate->health();
  });
}

void Replicas::copy_weights(Rank& r) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < r.training.plan.values.size(); ++i) {
    const Value& v = r.training.plan.values[i];
    const int there = is_model(v) ? r.evaluation.plan.find(v.name) : -1;
    if (there < 0) continue;
    bytes.resize(bytes_of(v));
    r.train->read(static_cast<int>(i), bytes);
    r.evaluate->write(there, bytes);
  }
}

Status Replicas::gather_weights() {
  if (!evaluates_copy()) return {};
  const Averaged averaged(*this);
  if (!spread_) return copy_trained_weights();
  const Rank& r = *ranks_.front();
  return to_first_stage(is_model, [&](int value, std::span<const std::byte> bytes) {
    const int there = r.evaluation.plan.find(spread_->whole.plan.values[static_cast<std::size_t>(value)].name);
    if (there >= 0) r.evaluate->write(there, bytes);
  });
}

Status Replicas::collect() {
  if (!spread_) return gather_state();
  if (spread_->replica > 0) return {};
  return to_first_stage([](const Value& v) { return is_model(v) || v.role == Role::optimizer; },
                        [&](int value, std::span<const std::byte> bytes) {
                          spread_->collected[value].assign(bytes.begin(), bytes.end());
                        });
}

void Replicas::forget_collected() {
  if (spread_) spread_->collected.clear();
}

Result<bool> Replicas::is_true_somewhere(bool here) {
  double sum = here ? 1 : 0;
  if (spread_ && !spread_->all->all_reduce_sum(&sum, 1)) return processes_->lost().value_or(lost_device());
  return sum > 0;
}

Result<double> Replicas::of_first(double here) {
  if (!spread_) return here;
  double sum = processes_->rank() == 0 ? here : 0;
  if (!spread_->all->all_reduce_sum(&sum, 1)) return processes_->lost().value_or(lost_device());
  return sum;
}

/// A replica's rank and a weight of its stage, if those differ from other replicas': in all processes those of the
/// first stage that has any, the rank as that of the process.
Status Replicas::share_difference(int& rank, std::string& weight) {
  const Spread& s = *spread_;
  std::vector<double> found(
      2 * static_cast<std::size_t>(s.stages));  // of each stage: rank + 1, value; of its first replica
  if (s.replica == 0 && rank >= 0) {
    double* const own = found.data() + 2 * s.stage;
    own[0] = s.rank_of(rank, s.stage) + 1;
    own[1] = s.whole.plan.find(weight);
  }
  if (!s.all->all_reduce_sum(found.data(), std::ssize(found))) return processes_->lost().value_or(lost_device());
  rank = -1;
  for (std::size_t i = 0; i < found.size() && rank < 0; i += 2) {
    if (found[i] == 0) continue;
    rank = static_cast<int>(found[i]) - 1;
    weight = s.whole.plan.values[static_cast<std::size_t>(found[i + 1])].name;
  }
  return {};
}

/// The names of what is left are those of this stage.
Status Replicas::count_over_stages(Taken& done) const {
  if (!spread_) return {};
  double sum = static_cast<double>(done.taken);
  if (!spread_->along->all_reduce_sum(&sum, 1)) return processes_->lost().value_or(lost_device());
  done.taken = static_cast<std::int64_t>(sum);
  return {};
}

}  // namespace nw
