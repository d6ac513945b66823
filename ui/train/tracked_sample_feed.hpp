// SPDX-License-Identifier: GPL-3.0-or-later
// The tracked samples of the followed run, updated while it trains; a worker thread reads its folder. GUI thread.
#pragma once
#include <QObject>
#include <QTimer>
#include <memory>

#include "engine/train/tracked_sample_history.hpp"

namespace nw::ui {

class RunFeed;

class TrackedSampleFeed : public QObject {
  Q_OBJECT
 public:
  explicit TrackedSampleFeed(const RunFeed& feed, QObject* parent = nullptr);
  /// Reads the folder only while on.
  void setWatching(bool on);
  /// Null: the run has none, or none were read yet.
  const std::shared_ptr<const TrackedSampleHistory>& history() const { return history_; }
  /// The reason why there are none; empty while unknown.
  const QString& sentence() const { return sentence_; }

 Q_SIGNALS:
  void changed();

 private:
  struct Stamp {
    std::uintmax_t bytes = 0;
    qint64 time = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Found;
  static Found look(const fs::path& run, const Stamp& known);
  void refollow();
  void read();
  void take(const QString& run, const Found& found);
  void show(const Found& found);

  const RunFeed& feed_;
  QTimer timer_;
  std::shared_ptr<const TrackedSampleHistory> history_;
  QString sentence_, run_;
  Stamp stamp_;
  bool watching_ = false, busy_ = false, again_ = false;
};

}  // namespace nw::ui
