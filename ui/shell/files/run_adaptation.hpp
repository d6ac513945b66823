// SPDX-License-Identifier: GPL-3.0-or-later
// Adapts the network of a run to images of the user: a process of its own makes a project and a file with its weights.
#pragma once
#include <QString>

#include "ui/session/announced_command.hpp"

class QWidget;

namespace nw::ui {

class Session;

class RunAdaptation : public QObject {
  Q_OBJECT
 public:
  RunAdaptation(Session& session, QWidget& window);
  /// Asks for the folder with the images, then makes the project; what was being adapted is stopped.
  void adapt(const QString& run);

 Q_SIGNALS:
  void adapted(const QString& project);

 private:
  void finish(const QString& project, const Json& answer);
  Session& session_;
  QWidget& window_;
  AnnouncedCommand command_;
};

}  // namespace nw::ui
