// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/step_spans.hpp"

#include <algorithm>

#include "engine/core/enum_names.hpp"

namespace nw {
namespace {

constexpr int most_buckets = 1 << 20;

StepSpan span_from(JsonReader& r) {
  StepSpan s;
  const auto part = named<StepPart>(r.string("part"));
  if (!part) r.problem(text(NW_TR("{0} is not known"), "part"));
  s.part = part.value_or(StepPart::forward);
  s.bucket = static_cast<int>(r.integer_or("bucket", 0, 0, most_buckets));
  s.begin_s = r.real("begin_s");
  s.end_s = r.real("end_s");
  if (s.begin_s < 0 || s.end_s < s.begin_s) r.problem(text(NW_TR("{0} must not be negative"), "end_s - begin_s"));
  return s;
}

/// The times in which any bucket was on its way, without overlaps.
std::vector<StepSpan> on_their_way(std::span<const StepSpan> spans) {
  std::vector<StepSpan> buckets, joined;
  std::copy_if(spans.begin(), spans.end(), std::back_inserter(buckets),
               [](const StepSpan& s) { return s.part == StepPart::bucket; });
  std::sort(buckets.begin(), buckets.end(), [](const StepSpan& a, const StepSpan& b) { return a.begin_s < b.begin_s; });
  for (const StepSpan& b : buckets)
    if (joined.empty() || b.begin_s > joined.back().end_s)
      joined.push_back(b);
    else
      joined.back().end_s = std::max(joined.back().end_s, b.end_s);
  return joined;
}

/// Seconds of the span that lie in these times.
double shared_seconds(std::span<const StepSpan> times, const StepSpan& s) {
  double sum = 0;
  for (const StepSpan& t : times) sum += std::max(0.0, std::min(t.end_s, s.end_s) - std::max(t.begin_s, s.begin_s));
  return sum;
}

}  // namespace

std::string_view name_of(StepPart part) {
  switch (part) {
    case StepPart::forward:
      return "forward";
    case StepPart::backward:
      return "backward";
    case StepPart::bucket:
      return "bucket";
    case StepPart::exchange:
      return "exchange";
    case StepPart::wait:
      return "wait";
    case StepPart::update:
      return "update";
  }
  return "";
}

Json to_json(std::span<const StepSpan> spans) {
  Json all = Json::array();
  for (const StepSpan& s : spans.first(std::min(spans.size(), most_spans))) {
    Json one = {{"part", name_of(s.part)}, {"begin_s", s.begin_s}, {"end_s", s.end_s}};
    if (s.bucket > 0) one["bucket"] = s.bucket;
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<StepSpan> spans_from(JsonReader& r) {
  std::vector<StepSpan> spans;
  const Json* all = r.has("spans") ? r.child("spans", Json::value_t::array) : nullptr;
  if (all && all->size() > most_spans)
    r.problem(text(NW_TR("{0}.{1} has more than {2} entries"), r.where(), "spans", most_spans));
  if (!all || !r.status()) return spans;
  for (const Json& item : *all) {
    JsonReader one(item, "spans");
    spans.push_back(span_from(one));
    if (!one.status()) r.problem(one.status().error().what);
  }
  return spans;
}

std::optional<double> hidden_share(std::span<const StepSpan> spans) {
  const std::vector<StepSpan> times = on_their_way(spans);
  double all = 0, computing = 0;
  for (const StepSpan& t : times) all += t.end_s - t.begin_s;
  for (const StepSpan& s : spans)
    if (s.part == StepPart::backward)
      computing += shared_seconds(times, s);
    else if (s.part == StepPart::exchange)
      computing -= shared_seconds(times, s);
  return all > 0 ? std::optional(std::clamp(computing / all, 0.0, 1.0)) : std::nullopt;
}

}  // namespace nw
