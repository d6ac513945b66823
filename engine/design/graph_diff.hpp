// SPDX-License-Identifier: Apache-2.0
// The differences of two documents: layers added, removed and changed, connections, data and training settings. Layers
// correspond when they have the same name in the same scope; positions and frames are ignored.
#pragma once
#include <string>
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw {

enum class ChangeKind : std::uint8_t { added, removed, changed };
std::string_view name_of(ChangeKind);

/// One attribute or setting with its two values as displayed; empty: absent.
struct FieldChange {
  std::string field, before, after;
  bool operator==(const FieldChange&) const = default;
};

struct NodeChange {
  ChangeKind kind = ChangeKind::changed;
  std::string scope, name, type;    // type: the later one, or that of the removed node
  NodeId before = 0, after = 0;     // ids in the two documents; 0: absent
  std::vector<FieldChange> fields;  // of a changed node
};

/// "conv1 → relu1"; with the port unless it is the first.
struct ConnectionChange {
  ChangeKind kind = ChangeKind::added;
  std::string scope, from, to;
  int from_port = 0, to_port = 0;
};

struct GraphDiff {
  std::vector<NodeChange> nodes;  // by scope, then by name
  std::vector<ConnectionChange> wires;
  std::vector<FieldChange> data, settings;
  bool empty() const { return nodes.empty() && wires.empty() && data.empty() && settings.empty(); }
  int count(ChangeKind) const;  // number of nodes with this kind of change
};
GraphDiff diff(const GraphDoc& before, const GraphDoc& after);

/// A hash of everything that determines the network's function: layers, attributes and connections. Positions, frames,
/// notes, data and training settings do not change it.
std::uint64_t network_hash(const GraphDoc&);

}  // namespace nw
