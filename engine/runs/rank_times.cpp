// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/rank_times.hpp"

#include <algorithm>
#include <cmath>

namespace nw {
namespace {

constexpr std::int64_t most_counted_steps = std::int64_t{1} << 53;

struct Quantity {
  const char* key;
  std::optional<double> RankUse::*value;
};
constexpr Quantity quantities[] = {{"compute_s", &RankUse::compute_s}, {"communication_s", &RankUse::communication_s},
                                   {"wait_s", &RankUse::wait_s},       {"input_s", &RankUse::input_s},
                                   {"busy", &RankUse::busy},           {"memory_bytes", &RankUse::memory_bytes},
                                   {"power_w", &RankUse::power_w},     {"energy_j", &RankUse::energy_j}};

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  const std::size_t half = all.size() / 2;
  return all.size() % 2 == 1 ? all[half] : (all[half - 1] + all[half]) / 2;
}

Json json_of(const RankUse& r) {
  Json j = {{"rank", r.rank},   {"host", r.host},       {"device", r.device},
            {"steps", r.steps}, {"seconds", r.seconds}, {"step_s", step_seconds(r)}};
  for (const Quantity& q : quantities)
    if (const std::optional<double>& known = r.*q.value; known && std::isfinite(*known)) j[q.key] = *known;
  return j;
}

/// A quantity that cannot be negative.
double amount(JsonReader& r, const char* key) {
  const double v = r.real(key);
  if (v < 0) r.problem(text(NW_TR("{0} must not be negative"), key));
  return v;
}

RankUse use_from(JsonReader& r) {
  RankUse use{.rank = static_cast<int>(r.integer("rank", 0, std::int64_t{1} << 30)),
              .host = r.string("host"),
              .device = r.string("device"),
              .steps = r.integer("steps", 0, most_counted_steps),
              .seconds = amount(r, "seconds")};
  for (const Quantity& q : quantities)
    if (r.has(q.key)) use.*q.value = amount(r, q.key);
  use.spans = spans_from(r);
  return use;
}

}  // namespace

double step_seconds(const RankUse& r) { return r.steps > 0 ? r.seconds / static_cast<double>(r.steps) : 0; }

std::optional<double> own_step_seconds(const RankUse& r) {
  if (!r.communication_s || !r.wait_s || r.steps == 0) return std::nullopt;
  return std::max(0.0, r.seconds - *r.communication_s - *r.wait_s) / static_cast<double>(r.steps);
}

std::optional<double> scaling_efficiency(const RankTimes& t) {
  double own = 0, all = 0;
  for (const RankUse& r : t.ranks) {
    const std::optional<double> step = own_step_seconds(r);
    if (!step) return std::nullopt;
    own += *step * static_cast<double>(r.steps);
    all += r.seconds;
  }
  return all > 0 ? std::optional(own / all) : std::nullopt;
}

std::optional<double> hidden_share(const RankTimes& t) {
  double sum = 0;
  int known = 0;
  for (const RankUse& r : t.ranks)
    if (const auto share = hidden_share(r.spans)) sum += *share, ++known;
  return known > 0 ? std::optional(sum / known) : std::nullopt;
}

void name_slowest(RankTimes& t, double margin) {
  t.slowest = -1;
  t.slower_by = 0;
  std::vector<double> own;
  for (const RankUse& r : t.ranks) {
    const std::optional<double> step = own_step_seconds(r);
    if (!step) return;
    own.push_back(*step);
  }
  if (own.size() < 2) return;
  const auto most = std::max_element(own.begin(), own.end());
  const double slow = *most;
  const int rank = t.ranks[static_cast<std::size_t>(most - own.begin())].rank;
  own.erase(most);
  const double others = median(own);
  if (others <= 0 || slow <= others * (1 + margin)) return;
  t.slowest = rank;
  t.slower_by = slow / others - 1;
}

Json to_json(const RankTimes& t) {
  Json ranks = Json::array();
  for (std::size_t i = 0; i < std::min(t.ranks.size(), most_ranks_recorded); ++i) {
    ranks.push_back(json_of(t.ranks[i]));
    if (i < most_ranks_with_spans && !t.ranks[i].spans.empty()) ranks.back()["spans"] = to_json(t.ranks[i].spans);
  }
  Json j = {{"epoch", t.epoch}, {"step", t.step}, {"whole_epoch", t.whole_epoch}, {"ranks", ranks}};
  if (t.slowest < 0) return j;
  j["slowest"] = t.slowest;
  j["slower_by"] = t.slower_by;
  return j;
}

RankTimes rank_times_from(JsonReader& r) {
  RankTimes t{.epoch = r.integer("epoch", 0, most_counted_steps),
              .step = r.integer("step", 0, most_counted_steps),
              .whole_epoch = r.boolean_or("whole_epoch", false)};
  if (r.has("slowest")) {
    t.slowest = static_cast<int>(r.integer("slowest", 0, std::int64_t{1} << 30));
    t.slower_by = amount(r, "slower_by");
  }
  const Json* ranks = r.child("ranks", Json::value_t::array);
  if (!ranks) {
    r.problem(text(NW_TR("{0} is missing"), "ranks"));
    return t;
  }
  if (ranks->size() > most_ranks_recorded)
    r.problem(text(NW_TR("{0}.{1} has more than {2} entries"), r.where(), "ranks", most_ranks_recorded));
  for (const Json& item : *ranks) {
    if (!r.status()) return t;
    JsonReader one(item, "ranks");
    t.ranks.push_back(use_from(one));
    if (!one.status()) r.problem(one.status().error().what);
  }
  return t;
}

}  // namespace nw
