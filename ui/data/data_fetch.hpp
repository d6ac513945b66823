// SPDX-License-Identifier: GPL-3.0-or-later
// One download of a public data set at a time, in a process of its own (netwright-cli data get), so that the
// window handles no network data. The download continues while its dialog is closed. GUI thread.
#pragma once
#include <QObject>
#include <QProcess>

#include "engine/core/json.hpp"

namespace nw::ui {

class Session;

struct FetchProgress {
  QString phase, file, host;                    // phase: connecting, downloading, checking, unpacking
  double doneBytes = 0, totalBytes = 0;         // of the data set; total 0: unknown
  double bytesPerSecond = 0, secondsLeft = -1;  // left < 0: unknown
};

class DataFetch : public QObject {
  Q_OBJECT
 public:
  explicit DataFetch(QObject* parent = nullptr);
  ~DataFetch() override;  // requests a stop; the downloaded part stays on disk
  /// For tests and screenshots: a program that replaces the netwright-cli beside this one.
  static void setProgram(const QString& program);
  void start(const QString& setId);
  void stop();  // asynchronous: finished() follows
  bool isRunning() const { return process_ != nullptr; }
  QString setId() const { return set_; }  // the one that runs or ran last
  const FetchProgress& progress() const { return progress_; }
  QString error() const { return error_; }  // of the last download; "" if it succeeded or stop() was called
  QString note() const { return note_; }    // "… is unverified …"

 Q_SIGNALS:
  void progressed();
  void finished(bool whole);

 private:
  void readLines();
  void readLine(const QByteArray& line);
  void ended(int code);
  QProcess* process_ = nullptr;
  QByteArray rest_;
  QString set_, error_, note_;
  FetchProgress progress_;
  bool stopping_ = false;
};

/// The session's download; created by the first call.
DataFetch& dataFetch(Session& session);

}  // namespace nw::ui
