// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/edits/layout.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/scene/node_geometry.hpp"

namespace nw::ui {
namespace {

constexpr double columnGap = 92, frameGap = 2 * card::framePadding + card::frameHeader + 20;

class Layout {
 public:
  Layout(const Graph& graph, const std::set<NodeId>& chosen) : graph_(graph), chosen_(chosen) {
    for (const Connection& c : graph.connections)
      if (chosen.contains(c.from) && chosen.contains(c.to)) {
        above_[c.to].push_back(c.from);
        below_[c.from].push_back(c.to);
      }
  }

  std::map<NodeId, Point> run() {
    assignLayers();
    for (int sweep = 0; sweep < 8; ++sweep) order(sweep % 2 == 0);
    spreadColumns();
    return placed();
  }

 private:
  double x(NodeId id) const { return graph_.nodes.at(id).position.x; }

  /// Longest path from a node without inputs. A cycle (which the check reports) is cut at its closing connection.
  int layerOf(NodeId id, std::set<NodeId>& open) {
    if (const auto known = layer_.find(id); known != layer_.end()) return known->second;
    if (!open.insert(id).second) return 0;
    int deepest = 0;
    for (const NodeId from : above_[id]) deepest = std::max(deepest, layerOf(from, open) + 1);
    open.erase(id);
    return layer_[id] = deepest;
  }

  void assignLayers() {
    std::set<NodeId> open;
    for (const NodeId id : chosen_) {
      const auto layer = static_cast<std::size_t>(layerOf(id, open));
      if (rows_.size() <= layer) rows_.resize(layer + 1);
      rows_[layer].push_back(id);
    }
    for (auto& row : rows_)
      std::stable_sort(row.begin(), row.end(), [this](NodeId a, NodeId b) { return x(a) < x(b); });
    number();
  }

  void number() {
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) rank_[row[i]] = static_cast<double>(i);
  }

  double barycentre(NodeId id, bool down) {
    const auto& near = down ? above_[id] : below_[id];
    if (near.empty()) return rank_[id];
    double sum = 0;
    for (const NodeId other : near) sum += rank_[other];
    return sum / static_cast<double>(near.size());
  }

  void order(bool down) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      auto& row = rows_[down ? i : rows_.size() - 1 - i];
      std::map<NodeId, double> centre;
      for (const NodeId id : row) centre[id] = barycentre(id, down);
      std::stable_sort(row.begin(), row.end(), [&](NodeId a, NodeId b) { return centre[a] < centre[b]; });
      number();
    }
  }

  double wanted(NodeId id, bool down) {
    const auto& near = down ? above_[id] : below_[id];
    if (near.empty()) return column_[id];
    std::vector<double> places;
    for (const NodeId other : near) places.push_back(column_[other]);
    std::sort(places.begin(), places.end());
    return places[(places.size() - 1) / 2];
  }

  /// Each node is aligned with the median of its neighbours, as far as the other nodes of its row allow.
  void spreadColumns() {
    const double step = card::width + columnGap;
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) column_[row[i]] = static_cast<double>(i) * step;
    for (int sweep = 0; sweep < 6; ++sweep)
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool down = sweep % 2 == 0;
        const auto& row = rows_[down ? i : rows_.size() - 1 - i];
        double free = -1e300;
        for (const NodeId id : row) {
          column_[id] = std::max(free, wanted(id, down));
          free = column_[id] + step;
        }
      }
  }

  bool frameEnds(NodeId a, NodeId b) const {
    for (const auto& [id, frame] : graph_.frames) {
      const auto inside = [&frame = frame](const Point& p) {
        const Rect& r = frame.rect;
        return p.x >= r.x && p.x <= r.x + r.width && p.y >= r.y && p.y <= r.y + r.height;
      };
      if (inside(graph_.nodes.at(a).position) != inside(graph_.nodes.at(b).position)) return true;
    }
    return false;
  }

  std::map<NodeId, Point> placed() {
    double left = 1e300, top = 1e300, lowest = 1e300;
    for (const NodeId id : chosen_) {
      const QRectF card = cardOf(graph_.nodes.at(id));
      left = std::min(left, card.center().x());
      top = std::min(top, card.top());
      lowest = std::min(lowest, column_[id]);
    }
    std::map<NodeId, Point> places;
    double y = top;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      double height = 0;
      for (const NodeId id : rows_[i]) height = std::max(height, cardOf(graph_.nodes.at(id)).height());
      if (i > 0)
        y += frameEnds(rows_[i - 1][0], rows_[i][0])               ? frameGap
             : height < card::height || lastHeight_ < card::height ? 30
                                                                   : card::gap;
      for (const NodeId id : rows_[i]) places[id] = {left + column_[id] - lowest, y + height / 2};
      y += height;
      lastHeight_ = height;
    }
    return places;
  }

  const Graph& graph_;
  const std::set<NodeId>& chosen_;
  std::map<NodeId, std::vector<NodeId>> above_, below_;
  std::map<NodeId, int> layer_;
  std::vector<std::vector<NodeId>> rows_;
  std::map<NodeId, double> rank_, column_;
  double lastHeight_ = 0;
};

/// Frames follow their former content.
Edit framesAround(const GraphDoc& doc, const std::string& scope, const std::map<NodeId, Point>& places) {
  Edit edit;
  for (const auto& [id, frame] : doc.graph(scope).frames) {
    const Rect& r = frame.rect;
    QRectF around;
    for (const auto& [node, place] : places) {
      const Node& drawn = doc.graph(scope).nodes.at(node);
      const Point& p = drawn.position;
      if (p.x < r.x || p.x > r.x + r.width || p.y < r.y || p.y > r.y + r.height) continue;
      Node moved = drawn;
      moved.position = place;
      around = around.united(cardOf(moved));
    }
    if (around.isNull()) continue;
    around.adjust(-card::framePadding, -card::framePadding - card::frameHeader, card::framePadding,
                  card::framePadding + 14);
    Frame changed = frame;
    changed.rect = {around.x(), around.y(), around.width(), around.height()};
    if (!(changed == frame)) edit.push_back(PutFrame{scope, id, changed});
  }
  return edit;
}

}  // namespace

Edit layoutEdit(const GraphDoc& doc, const std::string& scope, const std::set<NodeId>& nodes) {
  std::set<NodeId> chosen = nodes;
  if (chosen.empty())
    for (const auto& [id, node] : doc.graph(scope).nodes) chosen.insert(id);
  if (chosen.empty()) return {};
  const std::map<NodeId, Point> places = Layout(doc.graph(scope), chosen).run();
  Edit edit = move_nodes(doc, scope, places);
  if (nodes.empty()) {
    const Edit frames = framesAround(doc, scope, places);
    edit.insert(edit.end(), frames.begin(), frames.end());
  }
  return edit;
}

}  // namespace nw::ui
