// SPDX-License-Identifier: Apache-2.0
// A drawing: nodes, connections, frames, notes, blocks; plus the choice of data and the training settings. The model of
// the canvas, the file, undo and the compiler. Ids, never pointers. One thread at a time; copies are snapshots for
// others.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/json.hpp"
#include "engine/design/choice.hpp"
#include "engine/design/settings.hpp"
#include "kernels/result.hpp"

namespace nw {

using NodeId = std::int64_t;  // > 0, unique in its graph, never reused while a document lives
using ItemId = std::int64_t;  // frames and notes, same rules

/// A setting of a layer. Inside a block an integer may be a text expression over the block's parameters: "$filters*2".
using Attr = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;
using AttrMap = std::map<std::string, Attr, std::less<>>;

// scene units = logical pixels at 100 %
struct Point {
  double x = 0, y = 0;
  bool operator==(const Point&) const = default;
};
struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Rect&) const = default;
};

/// One placed layer, or one instance of a block (type "Block", attrs "block" = definition's name, "repeat" >= 1, and
/// one attribute per parameter of the block). Only attributes that differ from the field's default need to be present.
struct Node {
  std::string type;  // LayerType::name, or "Block"
  std::string name;  // unique in its graph, [A-Za-z_][A-Za-z0-9_.]*; prefix of the weights' names
  AttrMap attrs;
  Point position;                 // centre of the card
  bool bypassed = false;          // the signal goes through unchanged
  bool frozen = false;            // weights are not updated
  bool collapsed = false;         // drawn compact
  Json unknown = Json::object();  // keys of newer versions, kept
  bool operator==(const Node&) const = default;
};

/// Output port of one node to an input port of another. An input port takes one connection (Add, Concat: as many as
/// come).
struct Connection {
  NodeId from = 0;
  int from_port = 0;
  NodeId to = 0;
  int to_port = 0;
  auto operator<=>(const Connection&) const = default;
};

struct Frame {
  std::string title;
  Rect rect;
  bool operator==(const Frame&) const = default;
};
struct Note {
  std::string text;
  Rect rect;
  bool operator==(const Note&) const = default;
};

struct Graph {
  std::map<NodeId, Node> nodes;
  std::vector<Connection> connections;  // sorted
  std::map<ItemId, Frame> frames;
  std::map<ItemId, Note> notes;
  bool operator==(const Graph&) const = default;
};

struct BlockParameter {
  std::string name;
  std::int64_t value = 1;
  bool operator==(const BlockParameter&) const = default;
};

/// A reusable part. Its graph has exactly one "BlockInput" and one "BlockOutput" node (several inputs: several
/// BlockInput, ports in order of their attr "port").
struct Block {
  std::vector<BlockParameter> parameters;
  Graph graph;
  bool operator==(const Block&) const = default;
};

/// One change, put into words as "this key now has this value" (nullopt: is gone). Its inverse is the old value under
/// the same key, so every edit can be undone exactly.
struct PutNode {
  std::string scope;
  NodeId id;
  std::optional<Node> node;
};  // scope: "" or a block's name
struct PutConnection {
  std::string scope;
  Connection connection;
  bool present;
};
struct PutFrame {
  std::string scope;
  ItemId id;
  std::optional<Frame> frame;
};
struct PutNote {
  std::string scope;
  ItemId id;
  std::optional<Note> note;
};
struct PutBlock {
  std::string name;
  std::optional<Block> block;
};
struct PutData {
  DataChoice data;
};
struct PutSettings {
  TrainSettings settings;
};
using Put = std::variant<PutNode, PutConnection, PutFrame, PutNote, PutBlock, PutData, PutSettings>;

/// A step of undo: applied in order, as one.
using Edit = std::vector<Put>;

class GraphDoc {
 public:
  /// Applies all or nothing; returns the inverse. Rejected (Errc::other): a connection to a missing node or port or to
  /// the node itself, removing a node that still has connections, an unknown scope, an invalid or used name.
  Result<Edit> apply(const Edit&);

  const Graph& graph(const std::string& scope = "") const;  // scope must exist
  bool has_scope(const std::string& scope) const { return scope.empty() || blocks_.contains(scope); }
  const std::map<std::string, Block>& blocks() const { return blocks_; }
  const DataChoice& data() const { return data_; }
  const TrainSettings& settings() const { return settings_; }
  NodeId next_id() const { return next_id_; }  // for PutNode, PutFrame, PutNote
  /// "conv3": the type's short name and the first free number in that scope.
  std::string free_name(const std::string& scope, const std::string& stem) const;
  bool operator==(const GraphDoc&) const;

 private:
  friend struct ProjectFile;
  Status check(const Put&) const;
  Put exchange(const Put&);
  Graph& graph_of(const std::string& scope);

  Graph main_;
  std::map<std::string, Block> blocks_;
  DataChoice data_;
  TrainSettings settings_;
  NodeId next_id_ = 1;
  Json unknown_ = Json::object();
};

/// The user's edits, composed from puts (each also removes or joins the connections concerned).
Edit add_node(const GraphDoc&, const std::string& scope, Node, NodeId* id = nullptr);  // name made free
Edit remove_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&, bool heal = false);
// replaces what fed that input
Edit connect(const GraphDoc&, const std::string& scope, const Connection&);
Edit disconnect(const GraphDoc&, const std::string& scope, const Connection&);
Edit insert_on(const GraphDoc&, const std::string& scope, const Connection&, Node, NodeId* id = nullptr);
Edit set_attr(const GraphDoc&, const std::string& scope, NodeId, const std::string& name, Attr);
Edit rename_node(const GraphDoc&, const std::string& scope, NodeId, const std::string& name);
Edit move_nodes(const GraphDoc&, const std::string& scope, const std::map<NodeId, Point>&);
/// Selected nodes with the connections between them, as text to copy; and back, at a place, with fresh ids and names.
std::string copy_text(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
Result<Edit> paste_text(const GraphDoc&, const std::string& scope, std::string_view text, Point at,
                        std::vector<NodeId>* made = nullptr);

}  // namespace nw
