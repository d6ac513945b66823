// SPDX-License-Identifier: Apache-2.0
// The quick fixes of an input that is not connected.
#include <algorithm>
#include <tuple>

#include "engine/compile/context.hpp"
#include "engine/design/rewire.hpp"

namespace nw::compiling {
namespace {

constexpr std::size_t most_offers = 2;
constexpr std::size_t most_problems = 32;  // each offer is tried on a copy of the document

struct Candidate {
  bool used;   // its output feeds another layer already
  bool below;  // it is drawn below the node
  double distance;
  NodeId id;
};

std::vector<Candidate> candidates(const Context& c, const Graph& graph, NodeId node) {
  const Point& here = graph.nodes.at(node).position;
  const std::set<NodeId> after = downstream(graph, node);
  std::set<NodeId> feeding;
  for (const Connection& wire : graph.connections) feeding.insert(wire.from);
  std::vector<Candidate> all;
  for (const auto& [id, other] : graph.nodes) {
    if (after.contains(id) || output_count(c.doc, other) == 0) continue;
    const double dx = other.position.x - here.x, dy = here.y - other.position.y;
    all.push_back({feeding.contains(id), dy < 0, dx * dx + dy * dy, id});
  }
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.used, a.below, a.distance, a.id) < std::tie(b.used, b.below, b.distance, b.id);
  });
  return all;
}

}  // namespace

std::vector<Fix> connections_to(const Context& c, const std::string& scope, NodeId node, int port) {
  const Graph& graph = c.doc.graph(scope);
  if (!graph.nodes.contains(node) || c.problems.size() > most_problems) return {};
  std::vector<Fix> fixes;
  for (const Candidate& from : candidates(c, graph, node)) {
    if (fixes.size() == most_offers) break;
    const Edit edit{PutConnection{scope, Connection{from.id, 0, node, port}, true}};
    GraphDoc copy = c.doc;
    if (!copy.apply(edit)) break;  // the port is taken: what is connected to it gives no value
    fixes.push_back({text(NW_TR("Connect to {0}"), graph.nodes.at(from.id).name), edit});
  }
  return fixes;
}

}  // namespace nw::compiling
