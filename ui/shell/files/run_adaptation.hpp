// SPDX-License-Identifier: GPL-3.0-or-later
// Adapts a network with weights to images or a table of the user: a process of its own makes a project and a file with
// its weights.
#pragma once
#include <QString>

#include "ui/session/announced_command.hpp"

class QWidget;

namespace nw::ui {

class Session;

class RunAdaptation : public QObject {
  Q_OBJECT
 public:
  /// A run's folder, or a project that begins with weights.
  struct Source {
    QString path, name;
  };
  RunAdaptation(Session& session, QWidget& window);
  /// Asks for the folder with the images, then makes the project; what was being adapted is stopped.
  void toImages(const Source& source);
  /// Asks for a table and its columns, then does the same.
  void toTable(const Source& source);

 Q_SIGNALS:
  void adapted(const QString& project);

 private:
  void start(const Source& source, const QString& data, const QStringList& targets);
  void finish(const QString& project, const Json& answer);
  Session& session_;
  QWidget& window_;
  AnnouncedCommand command_;
};

}  // namespace nw::ui
