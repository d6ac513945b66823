// SPDX-License-Identifier: GPL-3.0-or-later
// The operating system's side of a run: starts a detached process, watches it through a pidfd (never a bare number that
// could be given to somebody else), and puts its end into words.
#pragma once
#include <QObject>
#include <QSocketNotifier>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

#include "engine/core/files.hpp"

namespace nw::ui {

/// How a process ended; unknown for a process that is not a child of this one.
struct ProcessExit {
  bool known = false;
  int signal = 0;  // 0: it exited by itself
  int exitCode = 0;
};
/// "SIGKILL (killed by hand, or by the system because memory ran out)"
QString signalText(int signal);

class RunProcess : public QObject {
  Q_OBJECT
 public:
  explicit RunProcess(QObject* parent = nullptr);
  ~RunProcess() override;  // the process continues
  /// Own session and process group, nice 5, no input, output appended to `log`,
  /// which must be a plain file or not exist. False: errorText() has the reason.
  bool start(const QString& program, const QStringList& arguments, const QString& log);
  /// Watches a process that is not a child of this one. False: the process has ended.
  bool attach(qint64 pid);
  qint64 pid() const { return pid_; }
  bool isChild() const { return child_; }
  bool isRunning() const { return pidfd_ >= 0 && !end_; }
  void kill();
  /// SIGTERM.
  void terminate();
  ProcessExit end() const { return end_.value_or(ProcessExit{}); }  // after exited()
  QString errorText() const { return error_; }

 Q_SIGNALS:
  void exited();

 private:
  bool open();
  void collect();
  qint64 pid_ = 0;
  int pidfd_ = -1;
  bool child_ = false;
  std::optional<ProcessExit> end_;
  std::unique_ptr<QSocketNotifier> notifier_;
  QString error_;
};

/// The last line of a log that is not blank, without control characters; "" when there is none.
QString lastLine(const QString& file);

}  // namespace nw::ui
