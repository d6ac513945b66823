// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/graph_index.hpp"

#include <algorithm>

namespace nw::ui {

const std::vector<const Problem*>& GraphIndex::problems(NodeId id) const {
  static const std::vector<const Problem*> none;
  const auto found = problems_.find(id);
  return found == problems_.end() ? none : found->second;
}

const NodeEnds& GraphIndex::ends(NodeId id) const {
  static const NodeEnds none;
  const auto found = ends_.find(id);
  return found == ends_.end() ? none : found->second;
}

const std::vector<Connection>& GraphIndex::inputsOf(NodeId id) const {
  static const std::vector<Connection> none;
  const auto found = inputs_.find(id);
  return found == inputs_.end() ? none : found->second;
}

void GraphIndex::setConnections(const Graph& graph) {
  ends_.clear();
  inputs_.clear();
  connected_.clear();
  for (const Connection& c : graph.connections) {
    ends_[c.from].followed = true;
    inputs_[c.to].push_back(c);
    connected_.insert({c.from, true, c.from_port});
    connected_.insert({c.to, false, c.to_port});
  }
  for (auto& [id, wires] : inputs_) {
    std::sort(wires.begin(), wires.end(),
              [](const Connection& a, const Connection& b) { return a.to_port < b.to_port; });
    for (const Connection& c : wires) ends_[id].inputs.push_back(c.to_port);
  }
}

void GraphIndex::setProblems(const std::vector<Problem>& problems, const std::string& scope, const Graph& graph) {
  problems_.clear();
  broken_.clear();
  for (const Problem& p : problems) {
    if (p.scope != scope || p.node == 0) continue;
    problems_[p.node].push_back(&p);
    if (p.severity == Severity::error && p.port >= 0) broken_.insert({p.node, false, p.port});
  }
  for (auto& [id, list] : problems_)
    std::stable_sort(list.begin(), list.end(),
                     [](const Problem* a, const Problem* b) { return a->severity < b->severity; });
  if (broken_.empty()) return;
  for (const Connection& c : graph.connections)
    if (broken_.contains({c.to, false, c.to_port})) broken_.insert({c.from, true, c.from_port});
}

}  // namespace nw::ui
