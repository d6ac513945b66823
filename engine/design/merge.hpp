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
/// The document without that record.
Result<GraphDoc> without_conflicts(const GraphDoc&);

}  // namespace nw
