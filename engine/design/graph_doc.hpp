// SPDX-License-Identifier: Apache-2.0
// A document: nodes, connections, frames, notes, blocks, the choice of data and the training settings. The model of the
// canvas, the file, undo and the compiler. References are ids, never pointers. Used by one thread at a time; other
// threads use copies.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/json.hpp"
#include "engine/design/choice.hpp"
#include "engine/design/settings.hpp"
#include "kernels/result.hpp"
#include "kernels/variant.hpp"

namespace nw {

using NodeId = std::int64_t;  // > 0, unique in its graph, never reused within a document
using ItemId = std::int64_t;  // frames and notes, same rules

/// An attribute of a layer. Inside a block an integer may be a formula over the block's parameters: "$filters*2".
using Attr = Variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;
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

inline constexpr std::int64_t most_frozen_epochs = 1'000'000;
inline constexpr double largest_lr_scale = 1000;
inline constexpr std::int64_t most_stages = 64;

/// One layer, or one instance of a block (type "Block", attrs "block" = the definition's name, "repeat" >= 1, and one
/// attribute per parameter of the block). Attributes with their default value may be omitted.
struct Node {
  std::string type;  // LayerType::name, or "Block"
  std::string name;  // unique in its graph, letters of any script, digits, _ and .; prefix of the weights' names
  AttrMap attrs;
  Point position;                  // centre of the node
  bool bypassed = false;           // the input is passed through unchanged
  bool frozen = false;             // weights are not updated
  std::int64_t frozen_epochs = 0;  // weights are not updated in the first epochs
  double lr_scale = 1;             // multiplies the learning rate; an instance's multiplies those of its layers
  // which device of a run computes it, where each computes a part of the network (TrainSettings::parallel), 0-based;
  // -1: not chosen. An instance's holds for those of its layers that have none.
  std::int64_t pipeline_stage = -1;
  bool collapsed = false;         // displayed collapsed
  Json unknown = Json::object();  // keys of newer versions, which are preserved
  bool operator==(const Node&) const = default;
};

/// A connection from an output port of one node to an input port of another. An input port has at most one connection
/// (Add and Concat: any number).
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

/// A block definition. Its graph has exactly one "BlockInput" and one "BlockOutput" node (for several inputs: several
/// BlockInput, ordered by their attribute "port").
struct Block {
  std::vector<BlockParameter> parameters;
  Graph graph;
  bool operator==(const Block&) const = default;
};

/// One elementary change: "this key now has this value" (nullopt: removed). Its inverse assigns the old value to the
/// same key, so every edit can be undone exactly.
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
/// A part of the file beside the network and its settings: see extra_parts. null: removed.
struct PutExtra {
  std::string key;
  Json value;
};
using Put = std::variant<PutNode, PutConnection, PutFrame, PutNote, PutBlock, PutData, PutSettings, PutExtra>;

/// "search": the fields that its author wants searched, as in docs/search.md; "conflicts": what a merge left open;
/// "distillation": the network whose answers are learned (distillation.hpp).
inline constexpr std::array<std::string_view, 3> extra_parts = {"search", "conflicts", "distillation"};

/// One undo step: changes that are applied in order, all or none.
using Edit = std::vector<Put>;

class GraphDoc {
 public:
  /// Applies the edit completely or not at all; returns the inverse. Rejected (Errc::other): a connection to a missing
  /// node or port or to the node itself, removing a node that still has connections, an unknown scope, an invalid or
  /// used name.
  Result<Edit> apply(const Edit&);

  const Graph& graph(const std::string& scope = "") const;  // scope must exist
  bool has_scope(const std::string& scope) const { return scope.empty() || blocks_.contains(scope); }
  const std::map<std::string, Block>& blocks() const { return blocks_; }
  const DataChoice& data() const { return data_; }
  const TrainSettings& settings() const { return settings_; }
  /// One of extra_parts; null: the document has none.
  const Json& extra(std::string_view key) const;
  NodeId next_id() const { return next_id_; }  // for PutNode, PutFrame, PutNote
  /// "conv3": the short name of the type and the first unused number in that scope.
  std::string free_name(const std::string& scope, const std::string& stem) const;
  bool operator==(const GraphDoc&) const;

 private:
  friend struct ProjectFile;
  Status check(const Put&) const;
  Put exchange(const Put&);
  PutExtra exchange_extra(const PutExtra&);
  Graph& graph_of(const std::string& scope);

  Graph main_;
  std::map<std::string, Block> blocks_;
  DataChoice data_;
  TrainSettings settings_;
  NodeId next_id_ = 1;
  Json unknown_ = Json::object();
};

/// The user's edits, composed of elementary changes (each also removes or reconnects the affected connections).
Edit add_node(const GraphDoc&, const std::string& scope, Node, NodeId* id = nullptr);  // name made unique
Edit remove_nodes(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&, bool heal = false);
// replaces the connection that fed that input
Edit connect(const GraphDoc&, const std::string& scope, const Connection&);
Edit disconnect(const GraphDoc&, const std::string& scope, const Connection&);
Edit insert_on(const GraphDoc&, const std::string& scope, const Connection&, Node, NodeId* id = nullptr);
Edit set_attr(const GraphDoc&, const std::string& scope, NodeId, const std::string& name, Attr);
Edit rename_node(const GraphDoc&, const std::string& scope, NodeId, const std::string& name);
/// The fields to search whose names begin with `from` ("conv1.", "Stage/") begin with `to`; empty: there are none.
Edit renamed_in_search(const GraphDoc&, const std::string& from, const std::string& to);
Edit move_nodes(const GraphDoc&, const std::string& scope, const std::map<NodeId, Point>&);
/// Selected nodes with the connections between them as text for Copy; and Paste at a position, with new ids and names.
std::string copy_text(const GraphDoc&, const std::string& scope, const std::vector<NodeId>&);
Result<Edit> paste_text(const GraphDoc&, const std::string& scope, std::string_view text, Point at,
                        std::vector<NodeId>* made = nullptr);

}  // namespace nw
