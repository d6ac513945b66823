// SPDX-License-Identifier: Apache-2.0
// The parts of a three-way merge. Private to engine/design.
#pragma once
#include <functional>
#include <optional>
#include <set>

#include "engine/design/merge.hpp"

namespace nw {

inline constexpr const char* conflicts_key = "conflicts";

/// Merges the members of three objects; `conflict` is told the member and the three values (null: absent). Our value
/// stands.
Json merge_members(const Json& base, const Json& ours, const Json& theirs,
                   const std::function<void(const std::string&, const Json&, const Json&, const Json&)>& conflict);
/// As it is recorded in a document.
Json to_json(const MergeConflict&);
std::optional<MergeConflict> read_conflict(const Json&);  // nullopt: damaged
/// A node with its attributes beside its own members: "attrs.stride"; and back.
Json flat_node(Json node);
Json nested_node(const Json& flat);
/// A value as people read it; empty: null.
std::string merge_text(const Json& value);

/// Merges the graphs of one scope.
class GraphMerge {
 public:
  /// `next`: an id that no document uses; advanced. Conflicts and notes are added to `out`.
  GraphMerge(std::string scope, const Graph& base, const Graph& ours, const Graph& theirs, NodeId& next, Merge& out);
  /// The merged graph in its JSON form.
  Json run();

 private:
  using Input = std::pair<NodeId, int>;
  using Inputs = std::map<Input, Input>;  // of each connected input the output that feeds it
  struct Side {
    std::map<NodeId, Json> nodes, frames, notes;
    Inputs inputs;
  };
  struct Items {  // frames or notes
    const char* kind;
    const std::map<NodeId, Json>&base, &ours, &theirs;
  };
  static Side side_of(const Graph&);
  void number_anew(Side& side, const Side* other);
  void give_id(Side& side, NodeId from, NodeId to);
  std::optional<NodeId> twin(const Side& other, const Json& node) const;
  bool changed(const Side& side, NodeId id) const;

  void merge_nodes();
  void merge_node(NodeId id);
  void merge_removed(NodeId id, bool by_us);
  void keep_connections_of(NodeId id);
  void free_names();
  void merge_inputs();
  void merge_input(const Input&);
  bool move_to_free_input(const Input&, const Input& output);
  std::map<NodeId, Json> merge_items(const Items&);
  void merge_item(const Items&, NodeId id, std::map<NodeId, Json>& into);
  void merge_removed_item(const Items&, NodeId id, std::map<NodeId, Json>& into);
  std::string name_at(NodeId id) const;
  Json node_to_take(const Side& side, NodeId id) const;
  std::string output_text(const Inputs&, const Input&) const;
  void report(MergeConflict);

  std::string scope_;
  NodeId& next_;
  Merge& out_;
  Side base_, ours_, theirs_, merged_;
};

}  // namespace nw
