// SPDX-License-Identifier: GPL-3.0-or-later
// The watched images of the run that is followed, as they grow: read from its folder on a worker thread. GUI thread.
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
  /// Reads only while somebody looks.
  void setWatching(bool on);
  /// Null: there are none, or none yet.
  const std::shared_ptr<const TrackedSampleHistory>& history() const { return history_; }
  /// Why there are none; empty while that is not known.
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
