// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an ONNX file: a process of its own makes a project and a file with its weights of it.
#pragma once
#include <QString>

#include "ui/session/announced_command.hpp"

class QWidget;

namespace nw::ui {

class Session;

class OnnxImport : public QObject {
  Q_OBJECT
 public:
  OnnxImport(Session& session, QWidget& window);
  /// Asks where the project is to be written, then imports `file` into it; what was being imported is stopped.
  void open(const QString& file);

 Q_SIGNALS:
  /// `sentence`: what the user should know. `opaque`: some operators are opaque nodes.
  void imported(const QString& project, const QString& sentence, bool opaque);

 private:
  void finish(const QString& file, const QString& project, const Json& answer);
  Session& session_;
  QWidget& window_;
  AnnouncedCommand command_;
};

}  // namespace nw::ui
