// SPDX-License-Identifier: Apache-2.0
// The three-way merge of two documents with their common ancestor. Layers correspond by their ids, as undo and the file
// have them; blocks correspond by name, settings and fields of the data by theirs. Where both sides changed the same
// thing differently, our side stands and the conflict is listed.
#pragma once
#include <string>
#include <vector>

#include "engine/design/graph_doc.hpp"

namespace nw {

enum class ConflictKind : std::uint8_t {
  field,         // both sides gave it other values
  removed_ours,  // removed on our side, changed on theirs
  removed_theirs,
  input  // both sides connected this input to other outputs
};
std::string_view name_of(ConflictKind);

/// One thing that both sides changed. Values are texts as displayed; empty: absent.
struct MergeConflict {
  ConflictKind kind = ConflictKind::field;
  std::string scope;  // "" or a block's name
  std::string what;   // the layer's name; "training", "data", "frame", "note", or "" for the scope itself
  NodeId node = 0;    // in the merged document; 0: not a layer, or removed
  std::string field;  // "attrs.out_channels", "learning_rate"; of an input its number, from 0
  std::string base, ours, theirs;
  // What their side has instead of ours: a field's value; of an input [layer, output]; of a layer that we removed
  // {"node": …, "connections": […]}; of a frame or note {"id": …} with its "value" or the whole "item". null: nothing.
  Json take;
  bool operator==(const MergeConflict&) const = default;
};
/// A plain sentence: "conv1: out_channels is 8 on our side and 12 on theirs; it was 6".
Text sentence_of(const MergeConflict&);

struct Merge {
  GraphDoc doc;
  std::vector<MergeConflict> conflicts;
  std::vector<Text> notes;  // what was decided without a conflict: new layers of the other side that got other names
};

/// Errc::bad_input: the sides do not fit together at all (a block would contain itself). The merged document records
/// its conflicts, and none of those that its inputs had recorded.
Result<Merge> merge(const GraphDoc& base, const GraphDoc& ours, const GraphDoc& theirs);

/// The conflicts that merge() recorded in a document, kept in its file under "conflicts"; damaged entries are left out.
std::vector<MergeConflict> recorded_conflicts(const GraphDoc&);
/// The same for lists in which `what` stands beside: "out_channels is 8 on our side and 12 on theirs; it was 6".
Text words_of(const MergeConflict&);
/// Ends the conflict, with our side as it stands or with theirs in its place. Errc::other: the document does not have
/// that conflict, or their side does not fit into the document as it is now.
enum class MergeSide : std::uint8_t { ours, theirs };
Result<Edit> resolve(const GraphDoc&, const MergeConflict&, MergeSide);
/// The edit that makes one document of another.
Edit edit_between(const GraphDoc& from, const GraphDoc& to);
/// The document without that record.
Result<GraphDoc> without_conflicts(const GraphDoc&);

}  // namespace nw
