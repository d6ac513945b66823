// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of netwright-cli one after another, each in a process of its own; stopped at any time. GUI thread.
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QVector>
#include <vector>

#include "engine/core/json.hpp"

namespace nw::ui {

class CommandProcess;

/// One command of a chain.
struct StepCommand {
  QString stage;  // id: what the chain is doing meanwhile
  QStringList arguments;
};

class CommandChain : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  ~CommandChain() override;
  /// Begins; what was running is stopped, without a signal.
  void start(QVector<StepCommand> commands);
  /// Ends with failed() and an empty sentence.
  void stop();
  /// Ends without a signal.
  void cancel() { end(); }
  bool isOn() const { return on_; }
  /// The stage of the command that runs, or what it printed last as its stage.
  QString stage() const { return stage_; }
  double seconds() const { return static_cast<double>(clock_.elapsed()) / 1000; }

 Q_SIGNALS:
  /// A line that a command printed.
  void line(const QString& stage, const nw::Json& line);
  /// The last line of each command, in their order.
  void finished(const std::vector<nw::Json>& answers);
  /// Without a sentence it was stopped.
  void failed(const QString& sentence);

 private:
  void next();
  void end();
  QVector<StepCommand> commands_;
  std::vector<Json> answers_;
  QPointer<CommandProcess> process_;
  QElapsedTimer clock_;
  QString stage_;
  bool on_ = false;
};

}  // namespace nw::ui
