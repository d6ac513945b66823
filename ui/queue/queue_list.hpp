// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a queue: those that run, those that wait in their order, the rest. Read on a worker thread. GUI thread.
#pragma once
#include <QTableWidget>

#include "engine/queue/journal.hpp"

namespace nw::ui {

/// What a row shows.
struct QueueRow {
  queue::Item item;
  QString progress;
};

/// A queue as it was read.
struct QueueSnapshot {
  QVector<QueueRow> rows;
  QString problem;  // its journal cannot be read: one sentence
  bool paused = false;
  bool process = false;  // a process starts its items
};

class QueueList : public QTableWidget {
  Q_OBJECT
 public:
  explicit QueueList(QWidget* parent = nullptr);
  void scan(const fs::path& folder);
  const QueueSnapshot& shown() const { return shown_; }
  const QueueRow* chosen() const;  // nullptr: none

 Q_SIGNALS:
  void scanned();

 private:
  void take(const QueueSnapshot&);
  QueueSnapshot shown_;
  bool busy_ = false, again_ = false;
};

/// "Running", "Waiting", … of an item.
QString queueStateText(const queue::Item&);

}  // namespace nw::ui
