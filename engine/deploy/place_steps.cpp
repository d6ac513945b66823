// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "engine/deploy/arena.hpp"
#include "engine/deploy/c_network.hpp"

namespace nw::deploy {
namespace {

void replace(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// What the planner places: a group of values that are computed in place, or the scratch memory of a step.
struct Groups {
  std::vector<ArenaValue> all;
  std::vector<std::size_t> of_value;
  std::vector<std::vector<std::size_t>> of_scratch;  // of each step
};

/// The last step that reads each value; the output is read behind the last one.
std::vector<int> last_uses(const CNetwork& net) {
  std::vector<int> last(net.sizes.size(), 0);
  for (int s = 0; s < static_cast<int>(net.steps.size()); ++s)
    for (const int v : net.steps[static_cast<std::size_t>(s)].inputs) last[static_cast<std::size_t>(v)] = s;
  last[static_cast<std::size_t>(net.output)] = static_cast<int>(net.steps.size());
  return last;
}

bool may_be_in_place(const CNetwork& net, const CStep& step, int s, const std::vector<int>& last) {
  const int from = step.inputs[0];
  return step.in_place && last[static_cast<std::size_t>(from)] == s &&
         net.sizes[static_cast<std::size_t>(from)] == net.sizes[static_cast<std::size_t>(step.output)] &&
         std::count(step.inputs.begin(), step.inputs.end(), from) == 1;
}

Groups groups_of(const CNetwork& net) {
  const std::vector<int> last = last_uses(net);
  Groups g{.all = {{net.sizes[0] + slack, 0, last[0]}}, .of_value = std::vector<std::size_t>(net.sizes.size())};
  for (int s = 0; s < static_cast<int>(net.steps.size()); ++s) {
    const CStep& step = net.steps[static_cast<std::size_t>(s)];
    const auto out = static_cast<std::size_t>(step.output);
    if (may_be_in_place(net, step, s, last)) {
      g.of_value[out] = g.of_value[static_cast<std::size_t>(step.inputs[0])];
      g.all[g.of_value[out]].last = std::max(s, last[out]);
    } else {
      g.of_value[out] = g.all.size();
      g.all.push_back({net.sizes[out] + slack, s, std::max(s, last[out])});
    }
    std::vector<std::size_t> scratch;
    for (const std::int64_t floats : step.scratch) {
      scratch.push_back(g.all.size());
      g.all.push_back({floats + slack, s, s});
    }
    g.of_scratch.push_back(std::move(scratch));
  }
  return g;
}

}  // namespace

PlacedNetwork place(const CNetwork& net) {
  const Groups groups = groups_of(net);
  const Arena arena = plan_arena(groups.all, slack);
  const auto address = [&](std::size_t group) { return fmt::format("a + {}", arena.places[group]); };
  const auto of = [&](int v) { return groups.of_value[static_cast<std::size_t>(v)]; };
  PlacedNetwork placed{
      .texts = {}, .floats = arena.size, .input = arena.places[0], .output = arena.places[of(net.output)]};
  for (std::size_t s = 0; s < net.steps.size(); ++s) {
    const CStep& step = net.steps[s];
    std::string text;
    for (const std::string& statement : step.statements) text += "    " + statement + "\n";
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      replace(text, fmt::format("{{{}}}", i), address(of(step.inputs[i])));
    for (std::size_t i = 0; i < step.scratch.size(); ++i)
      replace(text, fmt::format("{{s{}}}", i), address(groups.of_scratch[s][i]));
    replace(text, "{out}", address(of(step.output)));
    placed.texts.push_back(std::move(text));
  }
  return placed;
}

}  // namespace nw::deploy
