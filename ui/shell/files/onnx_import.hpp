// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an ONNX file: a process of its own makes a project and a file with its weights of it.
#pragma once
#include <QObject>
#include <QPointer>
#include <QString>

#include "engine/core/json.hpp"

class QWidget;

namespace nw::ui {

class CommandProcess;
class Session;

class OnnxImport : public QObject {
  Q_OBJECT
 public:
  OnnxImport(Session& session, QWidget& window);
  /// Asks where the project is to be written, then imports `file` into it; what was being imported is stopped.
  void open(const QString& file);
  void stop();

 Q_SIGNALS:
  void imported(const QString& project);

 private:
  void finish(const QString& file, const QString& project, const Json& answer);
  Session& session_;
  QWidget& window_;
  QPointer<CommandProcess> process_;
};

}  // namespace nw::ui
