// SPDX-License-Identifier: GPL-3.0-or-later
// Saves a run's network as an ONNX file and says which programs compute the same with it. A process of its own writes
// and proves the file.
#pragma once
#include <QString>

#include "ui/session/announced_command.hpp"

class QWidget;

namespace nw::ui {

class Session;

class OnnxExport : public QObject {
  Q_OBJECT
 public:
  OnnxExport(Session& session, QWidget& page);
  /// Asks for the file, then writes it; what was being written is stopped.
  void save(const QString& run, const QString& checkpoint);

 private:
  void finish(const QString& file, const Json& proof);
  void giveUp(const QString& file, const QString& sentence);
  Session& session_;
  QWidget& page_;
  AnnouncedCommand command_;
};

/// What the proof of an export shows, in one or two sentences.
QString proofText(const Json& proof);

}  // namespace nw::ui
