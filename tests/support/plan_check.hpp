// SPDX-License-Identifier: Apache-2.0
// Invariants of every plan, for any network.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "kernels/api.hpp"

namespace nw::test {

inline const Value& value(const Plan& p, int v) { return p.values[static_cast<std::size_t>(v)]; }
inline bool in_arena(const Value& v) {
  return v.alias_of < 0 && (v.role == Role::activation || v.role == Role::gradient || v.role == Role::saved);
}
inline std::int64_t bytes_of(const Plan& p, const Value& v, const Device* device) {
  return device ? device->bytes_of(p, v) : v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype));
}

struct Life {
  int first = 1 << 30, last = -1;
};
/// First and last step that touches each value or one of its views, counted by the test itself.
inline std::vector<Life> lives(const Plan& p) {
  std::vector<Life> all(p.values.size());
  for (std::size_t i = 0; i < p.steps.size(); ++i)
    for (const auto* list : {&p.steps[i].inputs, &p.steps[i].outputs})
      for (int v : *list) {
        while (v >= 0 && value(p, v).alias_of >= 0) v = value(p, v).alias_of;
        if (v < 0) continue;
        all[static_cast<std::size_t>(v)].first = std::min(all[static_cast<std::size_t>(v)].first, static_cast<int>(i));
        all[static_cast<std::size_t>(v)].last = std::max(all[static_cast<std::size_t>(v)].last, static_cast<int>(i));
      }
  return all;
}

/// Names two values whose lifetimes overlap and that share bytes; "" if there are none.
inline std::string overlap(const Plan& p, const Device* device) {
  const auto life = lives(p);
  for (std::size_t a = 0; a < p.values.size(); ++a)
    for (std::size_t b = a + 1; b < p.values.size(); ++b) {
      const Value &x = p.values[a], &y = p.values[b];
      if (!in_arena(x) || !in_arena(y) || life[a].last < 0 || life[b].last < 0) continue;
      if (life[a].last < life[b].first || life[b].last < life[a].first) continue;
      if (x.offset_bytes + bytes_of(p, x, device) <= y.offset_bytes ||
          y.offset_bytes + bytes_of(p, y, device) <= x.offset_bytes)
        continue;
      return x.name + " and " + y.name;
    }
  return "";
}

/// The maximum over all steps of the bytes of live values: a lower bound of the arena's size.
inline std::int64_t lower_bound(const Plan& p, const Device* device) {
  const auto life = lives(p);
  std::vector<std::int64_t> change(p.steps.size() + 1, 0);
  for (std::size_t v = 0; v < p.values.size(); ++v) {
    if (!in_arena(p.values[v]) || life[v].last < 0) continue;
    change[static_cast<std::size_t>(life[v].first)] += bytes_of(p, p.values[v], device);
    change[static_cast<std::size_t>(life[v].last) + 1] -= bytes_of(p, p.values[v], device);
  }
  std::int64_t now = 0, most = 0;
  for (const std::int64_t c : change) most = std::max(most, now += c);
  return most;
}

inline std::vector<std::string> kernels(const Plan& p, Phase phase) {
  std::vector<std::string> names;
  for (const Step& s : p.steps)
    if (s.phase == phase) names.push_back(s.kernel);
  return names;
}

}  // namespace nw::test
