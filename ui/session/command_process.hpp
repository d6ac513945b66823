// SPDX-License-Identifier: GPL-3.0-or-later
// One command of netwright-cli in a process of its own: for work that takes long, or that reads files of strangers. The
// window goes on; the process can be stopped at any time. GUI thread.
#pragma once
#include <QObject>
#include <QStringList>
#include <functional>

#include "engine/core/json.hpp"

class QProcess;

namespace nw::ui {

class CommandProcess : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  /// Ends the process; neither function is called.
  ~CommandProcess() override;
  /// For tests: the program in place of netwright-cli.
  static void setProgram(const QString& program);
  /// netwright-cli beside this program, or what setProgram() said.
  static QString program();
  /// Receives the last line that the command printed.
  using Answered = std::function<void(const Json& answer)>;
  /// Receives why there is no answer, in the window's language; empty: it was stopped.
  using Failed = std::function<void(const QString& sentence)>;
  /// Each line that is a JSON object, the last one too, as soon as it is printed. Before start().
  void onLine(Answered line) { line_ = std::move(line); }
  /// The arguments without --json, which is added. Called once; one of the functions is called later. Exit code 1 with
  /// an answer and without an error is a part of the answer: compare-devices has found a difference.
  void start(const QStringList& arguments, Answered answered, Failed failed);
  /// The same with arguments that have --json where it belongs.
  void startAsIs(const QStringList& arguments, Answered answered, Failed failed);
  void stop();

 private:
  void readLines();
  void take(const QByteArray& line);
  void ended(bool normally, int code);
  bool hasAnswered(int code) const;
  QString reason(int code) const;
  QProcess* process_ = nullptr;
  Answered answered_;
  Failed failed_;
  Answered line_;
  QByteArray last_, error_;  // the last lines of the output and of the errors
  bool stopped_ = false;
};

}  // namespace nw::ui
