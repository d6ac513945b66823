// SPDX-License-Identifier: Apache-2.0
// Layouts, aliases, lifetimes and offsets: one arena per device, of a size known before the first step.
#include <algorithm>
#include <limits>

#include "engine/compile/context.hpp"

namespace nw::compiling {
namespace {

constexpr std::int64_t alignment_bytes = 64;

bool in_arena(const Value& v) {
  return v.role == Role::activation || v.role == Role::gradient || v.role == Role::saved;
}

std::int64_t bytes_of(const Plan& p, const Value& v, const Device* device) {
  const std::int64_t bytes =
      device ? device->bytes_of(p, v) : v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype));
  return (bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
}

void alias_views(Plan& p, const Device* device) {
  if (!device) return;
  for (const Step& s : p.steps)
    if (!s.outputs.empty() && !s.inputs.empty() && s.inputs[0] >= 0 && s.outputs[0] != s.inputs[0] &&
        device->is_view(p, s))
      p.values[static_cast<std::size_t>(s.outputs[0])].alias_of = s.inputs[0];
}

/// The time of each step in the lifetime analysis: consecutive steps that are computed shard by shard share one time.
std::vector<int> moments(const Plan& p, const Device* device) {
  std::vector<int> at(p.steps.size());
  int now = 0;
  bool open = false;  // steps at this time are computed shard by shard
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    const bool alone = !device || device->runs_alone(p, p.steps[i]);
    if (alone && open) ++now;
    at[i] = now;
    open = !alone;
    if (alone) ++now;
  }
  return at;
}

struct Span {
  int value = 0, first = std::numeric_limits<int>::max(), last = -1;
  std::int64_t bytes = 0, offset = 0;
};

std::vector<Span> lifetimes(Plan& p, const Device* device, int only) {
  const std::vector<int> at = moments(p, device);
  std::vector<Span> spans(p.values.size());
  for (std::size_t i = 0; i < p.steps.size(); ++i)
    for (const auto* list : {&p.steps[i].inputs, &p.steps[i].outputs})
      for (const int v : *list) {
        if (v < 0) continue;
        Value& value = p.values[static_cast<std::size_t>(v)];
        if (value.first_use < 0) value.first_use = static_cast<int>(i);
        value.last_use = static_cast<int>(i);
        Span& s = spans[static_cast<std::size_t>(root_of(p, v))];
        s.first = std::min(s.first, at[i]);
        s.last = std::max(s.last, at[i]);
      }
  for (std::size_t i = 0; i < p.steps.size(); ++i)
    for (const int v : p.steps[i].outputs)
      if (v >= 0 && p.values[static_cast<std::size_t>(v)].producer < 0)
        p.values[static_cast<std::size_t>(v)].producer = static_cast<int>(i);
  std::vector<Span> in;
  for (std::size_t v = 0; v < spans.size(); ++v) {
    const Value& value = p.values[v];
    if (!in_arena(value) || value.alias_of >= 0 || spans[v].last < 0) continue;
    spans[v].value = static_cast<int>(v);
    spans[v].bytes = bytes_of(p, value, device);
    // Without an update the outputs of nodes and their gradients may be read after the step, so their memory is not
    // reused.
    const bool read_later = only < 0 || root_of(p, only) == static_cast<int>(v);
    if (!p.training && read_later && (value.role == Role::activation || value.role == Role::gradient)) {
      spans[v].first = 0;
      spans[v].last = std::numeric_limits<int>::max();
    }
    in.push_back(spans[v]);
  }
  return in;
}

/// An interval of the arena in use. It is compact because the search below visits thousands.
struct ArenaInterval {
  std::int64_t begin, end;
  int first, last;
};

/// Assigns each span the lowest offset that is free during its lifetime. Large spans are placed first; small ones fill
/// the gaps.
void place(std::vector<Span>& spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.bytes > b.bytes; });
  std::vector<ArenaInterval> taken;  // sorted by begin
  taken.reserve(spans.size());
  for (Span& s : spans) {
    for (const ArenaInterval& other : taken) {
      if (other.last < s.first || s.last < other.first) continue;
      if (s.offset + s.bytes <= other.begin) break;
      s.offset = std::max(s.offset, other.end);
    }
    const auto at = std::upper_bound(taken.begin(), taken.end(), s.offset,
                                     [](std::int64_t offset, const ArenaInterval& t) { return offset < t.begin; });
    taken.insert(at, ArenaInterval{s.offset, s.offset + s.bytes, s.first, s.last});
  }
}

}  // namespace

int root_of(const Plan& p, int v) {
  while (p.values[static_cast<std::size_t>(v)].alias_of >= 0) v = p.values[static_cast<std::size_t>(v)].alias_of;
  return v;
}

void plan_memory(Plan& p, const Device* device, int only) {
  if (device) device->choose_layouts(p);
  alias_views(p, device);
  write_in_place(p);
  round_in_place(p);
  std::vector<Span> spans = lifetimes(p, device, only);
  place(spans);
  p.arena_bytes = 0;
  for (const Span& s : spans) {
    p.values[static_cast<std::size_t>(s.value)].offset_bytes = s.offset;
    p.arena_bytes = std::max(p.arena_bytes, s.offset + s.bytes);
  }
}

}  // namespace nw::compiling
