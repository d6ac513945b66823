// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of the document that a scene shows, each one undo step. A rejected edit is reported to the user.
#pragma once
#include "ui/canvas/edits/edit_chain.hpp"
#include "ui/canvas/scene/graph_scene.hpp"

namespace nw::ui {

/// Shows an error in the window.
void report(GraphScene&, const Text& why);
/// Pushes the chain under the name `text` (translation context "canvas"). False: it was rejected.
bool push(GraphScene&, const EditChain&, const char* text);
/// Pushes the chain that adds the node `made`, and selects the node.
bool commitNew(GraphScene&, const EditChain&, NodeId made);
/// The edit of a quick fix of the node's worst problem, with positions for the layers it adds; empty: there is none.
Edit repairEdit(const GraphScene&, NodeId, int index);
void applyFix(GraphScene&, NodeId, int index);
/// Why a typed text was rejected, and what may be used that is nearest to it. Without a sentence: it was accepted.
struct Refusal {
  QString sentence, nearest;
};
/// Empty where the node of that scope may have the name.
Refusal refusalOfName(const GraphScene&, const std::string& scope, NodeId, const QString& name);
Refusal refusalOfBlockName(const GraphScene&, const QString& from, const QString& to);
/// Renames a node of that scope, without a message where the name is rejected.
Refusal renameNode(GraphScene&, const std::string& scope, NodeId, const QString& name);
Refusal renameBlock(GraphScene&, const QString& from, const QString& to);
/// Shows the definition of that block instance; without effect for other nodes.
void enterBlock(GraphScene&, NodeId);

}  // namespace nw::ui
