// SPDX-License-Identifier: Apache-2.0
#include "engine/compile/context.hpp"

#include <algorithm>

#include "kernels/nested_text.hpp"

namespace nw::compiling {

bool Context::failed() const {
  return std::any_of(problems.begin(), problems.end(), [](const Problem& p) { return p.severity == Severity::error; });
}

Problem* Context::report_at(Severity severity, const std::string& scope, NodeId node, const Text& what, int port) {
  const std::string key = scope + "\n" + std::to_string(node) + "\n" + std::to_string(port) + "\n" + what.str();
  if (!reported.insert(key).second || problems.size() > 1000) return nullptr;
  Problem p{.severity = severity, .scope = scope, .node = node, .port = port, .what = what};
  const auto& drawn = doc.graph(scope).nodes;
  if (const auto it = drawn.find(node); it != drawn.end()) p.node_name = it->second.name;
  problems.push_back(std::move(p));
  return &problems.back();
}

Problem* Context::report(Severity severity, const FlatNode* node, const Text& what, int port) {
  return node ? report_at(severity, node->scope, node->node, what, port) : report_at(severity, "", 0, what, port);
}

int Context::source(const FlatNode& node, int i) const {
  if (i < 0 || static_cast<std::size_t>(i) >= node.inputs.size()) return -1;
  int at = node.inputs[static_cast<std::size_t>(i)];
  if (!passed.empty()) return at < 0 ? -1 : passed[static_cast<std::size_t>(at)];
  for (std::size_t steps = 0; at >= 0 && nodes[static_cast<std::size_t>(at)].passes_through; ++steps) {
    if (steps > nodes.size()) return -1;  // a cycle of bypassed nodes
    const FlatNode& through = nodes[static_cast<std::size_t>(at)];
    at = through.inputs.empty() ? -1 : through.inputs[0];
  }
  return at;
}

Error first_error(const Context& c) {
  for (const Problem& p : c.problems)
    if (p.severity == Severity::error)
      return fail(Errc::bad_input, NW_TR("{0}: {1}"), p.node_name.empty() ? "network" : p.node_name, nested(p.what));
  return fail(Errc::bad_input, NW_TR("The network has no input or no loss"));
}

}  // namespace nw::compiling
