// SPDX-License-Identifier: GPL-3.0-or-later
// The inference server that the window starts: a process of its own, which goes on after the window only where the user
// says so, and which the next window finds again. GUI thread.
#pragma once
#include <QElapsedTimer>
#include <QFile>
#include <QNetworkAccessManager>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <deque>

#include "ui/deploy/server_metrics.hpp"

namespace nw::ui {

class Session;

struct ServerChoice {
  QStringList runs;  // folders
  QString checkpoint = QStringLiteral("best");
  int port = 8000;
  QString tokenFile;      // empty: none, and only this computer may ask
  bool outlives = false;  // the window
};

class InferenceServer : public QObject {
  Q_OBJECT
 public:
  enum class State { stopped, starting, running, stopping };
  explicit InferenceServer(QObject* parent = nullptr);
  /// Stops the server unless it outlives the window.
  ~InferenceServer() override;
  void start(const ServerChoice& choice);
  void stop();
  void setOutlives(bool outlives);
  State state() const { return state_; }
  const ServerChoice& choice() const { return choice_; }
  QString address() const;  // "http://127.0.0.1:8000/"
  /// Why it ended by itself; empty: it did not.
  QString problem() const { return problem_; }
  bool portTaken() const { return portTaken_; }
  const ServerMetrics& metrics() const { return metrics_; }
  double requestsPerSecond() const { return rate_; }
  const std::deque<double>& rates() const { return rates_; }  // of the last minute, oldest first
  std::map<double, double> recentLatency() const;             // of the last ten seconds, or of all
  QStringList takeLog();                                      // lines since the last call
  /// A port of this computer that is free now.
  static int freePort();
  static QString stateFile();
  QByteArray token() const;  // empty: none

 Q_SIGNALS:
  void changed();
  void measured();

 private:
  void findEarlier();
  void look();
  void ask(const QByteArray& path);
  void takeMetrics(const QByteArray& text);
  void readLog();
  void takeLine(const QByteArray& line);
  void ended();
  bool isAlive() const;
  void remember() const;
  void setState(State state);
  State state_ = State::stopped;
  ServerChoice choice_;
  qint64 pid_ = 0, born_ = 0;  // of the process: its number, and when it began by the kernel's clock
  QNetworkAccessManager net_;
  QTimer timer_;
  QElapsedTimer since_;
  ServerMetrics metrics_;
  std::deque<ServerMetrics> earlier_;
  std::deque<double> rates_;
  double rate_ = 0;
  qint64 read_ = 0;  // bytes of the log
  QStringList lines_;
  QString problem_;
  bool portTaken_ = false, asking_ = false;
};

/// The one of the session, which is made at the first call.
InferenceServer& inferenceServer(Session& session);

}  // namespace nw::ui
