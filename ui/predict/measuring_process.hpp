// SPDX-License-Identifier: GPL-3.0-or-later
// netwright-cli as a process that measures and prints JSON lines.
#pragma once
#include <QObject>
#include <QString>
#include <QStringList>

class QProcess;

namespace nw::ui {

class MeasuringProcess : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  /// Ends a process that runs.
  ~MeasuringProcess() override;
  bool running() const { return process_ != nullptr; }
  /// No effect while a process runs.
  void start(const QStringList& arguments);
  /// The program to run as netwright-cli; empty: the one beside this program.
  static void setProgram(const QString& program);

 Q_SIGNALS:
  void line(const QByteArray& json);
  /// `sentence`: the last line of its errors, or that it could not be started; empty: there is none.
  void ended(int code, const QString& sentence);

 private:
  void readLines();
  void finish(int code);
  QProcess* process_ = nullptr;
};

}  // namespace nw::ui
