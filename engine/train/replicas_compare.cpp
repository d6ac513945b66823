// SPDX-License-Identifier: Apache-2.0
// Whether all replicas have the same weights, and what each device has done so far.
#include <algorithm>
#include <map>

#include "engine/core/files.hpp"
#include "engine/train/replicas_rank.hpp"
#include "kernels/step_progress.hpp"

namespace nw {
namespace {

/// The first place at which not all digests are the same, and the first rank that is not with the most; `of`: a row of
/// each rank.
struct Difference {
  std::size_t at = 0;
  int rank = -1;  // -1: there is none
};

Difference first_difference(const std::vector<std::vector<std::uint64_t>>& of) {
  for (std::size_t i = 0; i < of.front().size(); ++i) {
    std::map<std::uint64_t, std::size_t> count;
    for (const auto& rank : of) ++count[rank[i]];
    if (count.size() < 2) continue;
    std::uint64_t usual = of.front()[i];
    for (const auto& [digest, ranks] : count)
      if (ranks > count[usual]) usual = digest;
    for (std::size_t r = 0; r < of.size(); ++r)
      if (of[r][i] != usual) return {i, static_cast<int>(r)};
  }
  return {};
}

std::string phase_name(Phase phase) {
  switch (phase) {
    case Phase::forward:
      return "forward";
    case Phase::backward:
      return "backward";
    case Phase::reduce:
      return "exchange of gradients";
    case Phase::update:
      break;
  }
  return "update";
}

}  // namespace

std::vector<int> Replicas::weights_of_plan() const {
  std::vector<int> all;
  const auto& values = ranks_.front()->training.plan.values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].role == Role::weight) all.push_back(static_cast<int>(i));
  std::stable_sort(all.begin(), all.end(), [&](int a, int b) {
    return values[static_cast<std::size_t>(a)].first_use < values[static_cast<std::size_t>(b)].first_use;
  });
  return all;
}

// Where processes are stages, each compares its stage with those of the other replicas.
Status Replicas::compare_weights() {
  if (world_ < 2) return {};
  const std::vector<int> weights = weights_of_plan();
  const std::vector<Value>& values = ranks_.front()->training.plan.values;
  std::vector<std::vector<std::uint64_t>> digests(static_cast<std::size_t>(world_));
  NW_TRY(on_all([&](Rank& r) -> Status {
    std::vector<std::byte> bytes;
    for (const int i : weights) {
      bytes.resize(bytes_of(values[static_cast<std::size_t>(i)]));
      r.train->read(i, bytes);
      digests[static_cast<std::size_t>(r.rank)].push_back(
          xxh3({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    }
    return r.train->health();
  }));
  if (processes_) NW_TRY(gather_digests(digests, weights.size()));
  const Difference d = first_difference(digests);
  int rank = d.rank;
  std::string weight = rank < 0 ? "" : values[static_cast<std::size_t>(weights[d.at])].name;
  if (spread_) NW_TRY(share_difference(rank, weight));
  if (rank < 0) return {};
  const std::string where = processes_ ? processes_->host(rank) : ranks_[static_cast<std::size_t>(rank)]->name;
  return fail(Errc::other,
              NW_TR("the replicas no longer have the same weights: those of rank {0} ({1}) differ from the others', "
                    "first in {2}. The run ends; its last checkpoint is of an epoch in which they were the same"),
              rank, where, weight);
}

Status Replicas::gather_digests(std::vector<std::vector<std::uint64_t>>& digests, std::size_t each) {
  std::vector<std::uint64_t> flat(each * digests.size());
  std::vector<std::int64_t> bounds;
  for (std::size_t r = 0; r <= digests.size(); ++r)
    bounds.push_back(static_cast<std::int64_t>(r * each * sizeof(std::uint64_t)));
  NW_TRY(on_all([&](Rank& r) -> Status {
    const auto own = static_cast<std::size_t>(r.rank);
    std::copy(digests[own].begin(), digests[own].end(), flat.begin() + static_cast<std::ptrdiff_t>(own * each));
    if (communicators_[r.index]->all_gather(reinterpret_cast<std::byte*>(flat.data()), bounds)) return {};
    return lost_device();
  }));
  for (std::size_t r = 0; r < digests.size(); ++r)
    digests[r].assign(flat.begin() + static_cast<std::ptrdiff_t>(r * each),
                      flat.begin() + static_cast<std::ptrdiff_t>((r + 1) * each));
  return {};
}

std::vector<Replicas::Work> Replicas::work() const {
  std::vector<Work> all;
  for (const auto& r : ranks_) {
    const TimedCommunicator* c = communicators_.empty() ? nullptr : communicators_[r->index].get();
    all.push_back({r->name, r->running_s, c ? c->seconds() - r->reducing_before_s : 0,
                   c ? c->waited_seconds() - r->waiting_before_s : 0, memory_bytes_of(static_cast<int>(r->index))});
  }
  return all;
}

// The communicator is also called outside of steps, by evaluations: those calls are not of the steps' time.
Status Replicas::timed_step(Rank& r, const std::function<Status()>& run) {
  const TimedCommunicator* c = communicators_.empty() ? nullptr : communicators_[r.index].get();
  if (c) {
    r.reducing_before_s += c->seconds() - r.reducing_seen_s;
    r.waiting_before_s += c->waited_seconds() - r.waiting_seen_s;
  }
  const auto begin = std::chrono::steady_clock::now();
  Status done = run();
  r.running_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (c) {
    r.reducing_seen_s = c->seconds();
    r.waiting_seen_s = c->waited_seconds();
  }
  return done;
}

std::string Replicas::place() const {
  const Rank& r = *ranks_.front();
  const auto* progress = dynamic_cast<const StepProgress*>(r.train.get());
  const int at = progress ? progress->running_step() : -1;
  const std::vector<Step>& steps = r.training.plan.steps;
  if (pipeline()) return "";  // which says its stage
  if (at < 0 || at >= static_cast<int>(steps.size())) return "at no layer yet";
  const Step& s = steps[static_cast<std::size_t>(at)];
  return "at " + s.label + " (" + phase_name(s.phase) + ")";
}

}  // namespace nw
