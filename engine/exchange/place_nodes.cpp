// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/exchange/build_document.hpp"

namespace nw::exchange {
namespace {

constexpr double column = 352, row = 96, frame_padding = 28, card_width = 260, card_height = 60;

/// Rows by the longest way from the inputs.
std::map<NodeId, int> rows_of(const Graph& g) {
  std::map<NodeId, int> rows, waiting;
  std::map<NodeId, std::vector<NodeId>> readers;
  for (const auto& [id, node] : g.nodes) waiting[id] = 0;
  for (const Connection& c : g.connections) {
    ++waiting[c.to];
    readers[c.from].push_back(c.to);
  }
  std::vector<NodeId> ready;
  for (const auto& [id, count] : waiting)
    if (count == 0) ready.push_back(id);
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const NodeId id = ready[i];
    for (const NodeId to : readers[id]) {
      rows[to] = std::max(rows[to], rows[id] + 1);
      if (--waiting[to] == 0) ready.push_back(to);
    }
  }
  for (const auto& [id, node] : g.nodes) rows.emplace(id, 0);
  return rows;
}

std::map<NodeId, Point> positions_of(const Graph& g) {
  const auto rows = rows_of(g);
  std::map<int, std::vector<NodeId>> in_row;
  for (const auto& [id, r] : rows) in_row[r].push_back(id);
  std::map<NodeId, std::vector<NodeId>> sources;
  for (const Connection& c : g.connections) sources[c.to].push_back(c.from);
  std::map<NodeId, Point> at;
  for (auto& [r, ids] : in_row) {
    std::map<NodeId, double> wanted;
    for (const NodeId id : ids) {
      double sum = 0;
      for (const NodeId from : sources[id]) sum += at.contains(from) ? at[from].x : 0;
      wanted[id] = sources[id].empty() ? 0 : sum / static_cast<double>(sources[id].size());
    }
    std::stable_sort(ids.begin(), ids.end(), [&](NodeId a, NodeId b) { return wanted[a] < wanted[b]; });
    double mean = 0;
    for (const NodeId id : ids) mean += wanted[id] / static_cast<double>(ids.size());
    // A single node stays in the column of what feeds it.
    if (ids.size() == 1 && sources[ids[0]].size() > 1) mean = at[sources[ids[0]].front()].x;
    for (std::size_t i = 0; i < ids.size(); ++i)
      at[ids[i]] = {mean + column * (static_cast<double>(i) - static_cast<double>(ids.size() - 1) / 2),
                    r * row + card_height / 2};
  }
  return at;
}

/// Frames around the nodes of a module that is no block: "layer2" around layer2.0 and layer2.1.
Edit frames_of(GraphDoc& doc) {
  std::map<std::string, std::vector<Point>> modules;
  for (const auto& [id, node] : doc.graph().nodes) {
    const std::string name = node.name.substr(0, node.name.find('.'));
    if (name != node.name || node.attrs.contains("repeat")) modules[name].push_back(node.position);
  }
  Edit edit;
  ItemId id = doc.next_id();
  for (const auto& [name, points] : modules) {
    double left = points[0].x, right = left, top = points[0].y, bottom = top;
    for (const Point& p : points) {
      left = std::min(left, p.x);
      right = std::max(right, p.x);
      top = std::min(top, p.y);
      bottom = std::max(bottom, p.y);
    }
    const auto inside = std::count_if(doc.graph().nodes.begin(), doc.graph().nodes.end(), [&](const auto& entry) {
      const Point& p = entry.second.position;
      return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom;
    });
    if (points.size() < 2 || inside != std::ssize(points)) continue;  // other nodes lie between
    const Rect rect{left - card_width / 2 - frame_padding, top - card_height / 2 - frame_padding,
                    right - left + card_width + 2 * frame_padding, bottom - top + card_height + 2 * frame_padding};
    edit.push_back(PutFrame{"", id++, Frame{name, rect}});
  }
  return edit;
}

}  // namespace

Status place_nodes(GraphDoc& doc) {
  std::vector<std::string> scopes{""};
  for (const auto& [name, block] : doc.blocks()) scopes.push_back(name);
  for (const std::string& scope : scopes) {
    const auto moved = doc.apply(move_nodes(doc, scope, positions_of(doc.graph(scope))));
    if (!moved) return moved.error();
  }
  const auto framed = doc.apply(frames_of(doc));
  return framed ? Status() : framed.error();
}

}  // namespace nw::exchange
