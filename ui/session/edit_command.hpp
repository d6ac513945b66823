// SPDX-License-Identifier: GPL-3.0-or-later
// One step of undo: the edit and its inverse, both as values.
#pragma once
#include <QUndoCommand>

#include "engine/design/graph_doc.hpp"
#include "engine/design/start_from.hpp"

namespace nw::ui {

class Session;

class EditCommand : public QUndoCommand {
 public:
  /// The edit has been applied already; the first redo() only counts.
  EditCommand(Session& session, Edit edit, Edit inverse, const QString& text, int mergeKey);
  void undo() override;
  void redo() override;
  int id() const override { return mergeKey_ > 0 ? mergeKey_ : -1; }
  bool mergeWith(const QUndoCommand* other) override;
  /// For commands on what no edit contains: the weights that training begins with.
  static void setStart(Session& session, const StartFrom& from);

 private:
  Session& session_;
  Edit edit_, inverse_;
  int mergeKey_;
  bool applied_ = true;
};

/// One edit equal to `first` followed by `second`. If both only change nodes, data or settings, the last value per key
/// is enough, so that a long drag stays one small undo step.
Edit joined(const Edit& first, const Edit& second);

}  // namespace nw::ui
