// SPDX-License-Identifier: GPL-3.0-or-later
// Saves a run's network as an ONNX file and says which programs compute the same with it. A process of its own writes
// and proves the file.
#pragma once
#include <QObject>
#include <QPointer>
#include <QString>

#include "engine/core/json.hpp"

class QWidget;

namespace nw::ui {

class CommandProcess;
class Session;

class OnnxExport : public QObject {
  Q_OBJECT
 public:
  OnnxExport(Session& session, QWidget& page);
  /// Asks for the file, then writes it; what was being written is stopped.
  void save(const QString& run, const QString& checkpoint);
  void stop();

 private:
  void finish(const QString& file, const Json& proof);
  void giveUp(const QString& file, const QString& sentence);
  Session& session_;
  QWidget& page_;
  QPointer<CommandProcess> process_;
};

/// What the proof of an export shows, in one or two sentences.
QString proofText(const Json& proof);

}  // namespace nw::ui
