// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/edit_command.hpp"

#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// Edits that neither add nor remove elements can be reduced to one entry per key.
bool onlyChanges(const Edit& edit) {
  for (const Put& put : edit) {
    const auto* node = std::get_if<PutNode>(&put);
    if (node ? !node->node.has_value()
             : !std::holds_alternative<PutData>(put) && !std::holds_alternative<PutSettings>(put))
      return false;
  }
  return true;
}

bool sameKey(const Put& a, const Put& b) {
  if (a.index() != b.index()) return false;
  const auto* x = std::get_if<PutNode>(&a);
  const auto* y = std::get_if<PutNode>(&b);
  return !x || (x->scope == y->scope && x->id == y->id);
}

bool sameKeys(const Edit& a, const Edit& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!sameKey(a[i], b[i])) return false;
  return true;
}

}  // namespace

Edit joined(const Edit& first, const Edit& second) {
  if (onlyChanges(first) && onlyChanges(second) && sameKeys(first, second)) return second;
  Edit both = first;
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

EditCommand::EditCommand(Session& session, Edit edit, Edit inverse, const QString& text, int mergeKey)
    : QUndoCommand(text),
      session_(session),
      edit_(std::move(edit)),
      inverse_(std::move(inverse)),
      mergeKey_(mergeKey) {}

void EditCommand::undo() {
  session_.applyNow(inverse_, nullptr);
  applied_ = false;
}

void EditCommand::redo() {
  if (!applied_) session_.applyNow(edit_, nullptr);
  applied_ = true;
}

void EditCommand::setStart(Session& session, const StartFrom& from) {
  if (const Status set = set_start_from(session.doc_, from); !set)
    return void(Q_EMIT session.message(translated(set.error().what), 2));
  ++session.version_;
  Q_EMIT session.documentChanged({});
  session.analyseSoon();
}

bool EditCommand::mergeWith(const QUndoCommand* other) {
  const auto* later = static_cast<const EditCommand*>(other);
  // The inverse of "first, then second" reverts second before first; each list has its keys in its own order.
  Edit back = joined(later->inverse_, inverse_);
  edit_ = joined(edit_, later->edit_);
  inverse_ = std::move(back);
  return true;
}

}  // namespace nw::ui
