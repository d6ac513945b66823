// SPDX-License-Identifier: GPL-3.0-or-later
// A command of netwright-cli that the user asked for: a message says what is being done and carries Stop. GUI thread.
#pragma once
#include <QPointer>

#include "ui/session/command_process.hpp"

namespace nw::ui {

class Session;

class AnnouncedCommand : public QObject {
  Q_OBJECT
 public:
  AnnouncedCommand(Session& session, QObject* parent) : QObject(parent), session_(session) {}
  /// Stops what is being done, says `sentence` and starts the command; one of the functions is called later.
  void start(const QString& sentence, const QStringList& arguments, CommandProcess::Answered answered,
             CommandProcess::Failed failed);
  /// Whether or not a command runs.
  void stop();

 private:
  Session& session_;
  QPointer<CommandProcess> process_;
};

}  // namespace nw::ui
