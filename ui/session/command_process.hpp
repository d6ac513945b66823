// SPDX-License-Identifier: GPL-3.0-or-later
// One command of netwright-cli in a process of its own: for work that takes long, or that reads files of strangers. The
// window goes on; the process can be stopped at any time. GUI thread.
#pragma once
#include <QObject>
#include <QStringList>

#include "engine/core/json.hpp"

class QProcess;

namespace nw::ui {

class CommandProcess : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  /// Ends the process; neither signal follows.
  ~CommandProcess() override;
  /// For tests: the program in place of netwright-cli.
  static void setProgram(const QString& program);
  /// The arguments without --json, which is added. Called once.
  void start(const QStringList& arguments);
  void stop();

 Q_SIGNALS:
  /// The last line that it printed.
  void answered(const nw::Json& answer);
  /// Why there is no answer, in the window's language; empty: it was stopped.
  void failed(const QString& sentence);

 private:
  void ended(bool normally, int code);
  QString reason() const;
  QProcess* process_ = nullptr;
  bool stopped_ = false;
};

}  // namespace nw::ui
