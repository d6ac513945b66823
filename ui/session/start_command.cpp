// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/start_command.hpp"

#include "ui/session/edit_command.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

class StartCommand final : public QUndoCommand {
 public:
  StartCommand(Session& session, StartFrom before, StartFrom after, const QString& text)
      : QUndoCommand(text), session_(session), before_(std::move(before)), after_(std::move(after)) {}
  void undo() override { EditCommand::setStart(session_, before_); }
  void redo() override { EditCommand::setStart(session_, after_); }

 private:
  Session& session_;
  const StartFrom before_, after_;
};

}  // namespace

bool pushStart(Session& session, const StartFrom& from, const QString& text) {
  const Result<StartFrom> before = start_from(session.doc());
  session.undoStack().push(new StartCommand(session, before ? *before : StartFrom{}, from, text));
  return start_from(session.doc()).operator bool();
}

}  // namespace nw::ui
