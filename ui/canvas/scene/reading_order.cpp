// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/reading_order.hpp"

#include <map>
#include <set>
#include <tuple>

namespace nw::ui {

std::vector<NodeId> readingOrder(const Graph& graph) {
  std::map<NodeId, int> waiting;
  std::map<NodeId, std::vector<NodeId>> next;
  for (const auto& [id, node] : graph.nodes) waiting[id] = 0;
  for (const Connection& c : graph.connections) {
    ++waiting[c.to];
    next[c.from].push_back(c.to);
  }
  const auto place = [&](NodeId id) {
    const Point& p = graph.nodes.at(id).position;
    return std::make_tuple(p.x, p.y, id);
  };
  std::set<std::tuple<double, double, NodeId>> ready;
  for (const auto& [id, count] : waiting)
    if (count == 0) ready.insert(place(id));
  std::vector<NodeId> order;
  while (!ready.empty()) {
    const NodeId id = std::get<2>(*ready.begin());
    ready.erase(ready.begin());
    order.push_back(id);
    for (const NodeId to : next[id])
      if (--waiting[to] == 0) ready.insert(place(to));
  }
  for (const auto& [id, count] : waiting)
    if (count > 0) order.push_back(id);  // on a cycle
  return order;
}

}  // namespace nw::ui
