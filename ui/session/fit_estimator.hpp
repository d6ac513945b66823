// SPDX-License-Identifier: GPL-3.0-or-later
// "Will it fit?": runs `netwright-cli estimate` for the memory and time of a training, a short delay after the last
// change, and looks up the time of the last run of the same network. What was opened is computed from its plan: a
// stranger's network may cost anything, so it takes steps only once the user asked for that, by measure() or by
// training it. The process is killed at once when the network changes. GUI thread; files are read and written off it.
#pragma once
#include <QObject>
#include <QProcess>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class Session;

/// Memory that a training needs on one device and that the device has; 0: unknown.
struct FitDevice {
  QString name;
  double needs = 0, there = 0;
};

/// Measured by the newest run of this network that completed an epoch.
struct LastRun {
  QString folder;
  double epochSeconds = 0, imagesPerSecond = 0, memoryBytes = 0;
};
/// Reads the runs newest first; nullopt: no run is of this network.
std::optional<LastRun> lastRunOf(const fs::path& runs, std::uint64_t networkHash);

class FitEstimator : public QObject {
  Q_OBJECT
 public:
  enum class State { idle, measuring, done, failed };
  explicit FitEstimator(Session& session, QObject* parent = nullptr);
  ~FitEstimator() override;
  /// While off (the estimate is not visible), nothing is requested.
  void setOn(bool on);
  State state() const { return state_; }
  const std::vector<FitDevice>& devices() const { return devices_; }  // empty: not known yet
  qint64 largestBatch() const { return largestBatch_; }               // 0: not known yet
  double epochSeconds() const { return epochSeconds_; }               // 0: not known yet
  double imagesPerSecond() const { return imagesPerSecond_; }
  /// The times come from a short training, not from the plan.
  bool measured() const { return measured_; }
  /// Trains the network for a second, now and after each change of it.
  void measure();
  double freeBytes() const { return freeBytes_; }  // memory that is free on this machine; 0: not known yet
  const std::optional<LastRun>& lastRun() const { return lastRun_; }
  QString error() const { return error_; }
  qint64 processId() const { return process_ ? process_->processId() : 0; }
  /// The program to run as netwright-cli; empty: the one beside this program.
  static void setProgram(const QString& program);
  static QString program();
  static constexpr int quietMs = 600;

 Q_SIGNALS:
  void changed();

 private:
  void follow(const Edit& edit);
  void forget();
  void stop();
  void restart();
  void begin();
  void launch(const QString& file);
  QStringList wayOf() const;
  void readLines();
  void ended(int code, QProcess::ExitStatus status);

  Session& session_;
  QTimer quiet_;
  QProcess* process_ = nullptr;
  bool on_ = false;
  quint64 generation_ = 0;
  std::uint64_t known_ = 0;  // hash of the document that the estimate belongs to
  State state_ = State::idle;
  std::vector<FitDevice> devices_;
  qint64 largestBatch_ = 0;
  bool mayTrain_ = false, measured_ = false;
  double epochSeconds_ = 0, imagesPerSecond_ = 0, freeBytes_ = 0;
  std::optional<LastRun> lastRun_;
  QString error_, file_;
};

}  // namespace nw::ui
