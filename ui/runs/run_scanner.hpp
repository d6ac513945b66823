// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a folder of runs on a worker thread, and again after a change; unchanged run folders are not read again.
#pragma once
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <QVector>
#include <memory>

#include "engine/runs/index/run_index.hpp"
#include "ui/runs/run_table.hpp"

namespace nw::ui {

class RunScanner : public QObject {
  Q_OBJECT
 public:
  explicit RunScanner(fs::path runs, QObject* parent = nullptr);
  void setFolder(const fs::path& runs);
  /// With the runs of studies, from the next scan on, which is soon.
  void setTrials(bool on);
  void scanSoon();
  /// While on, active runs are read again every two seconds.
  void setWatching(bool on);

 Q_SIGNALS:
  void scanned(const QVector<nw::ui::RunRow>& rows);  // newest first

 private:
  void scan();
  fs::path runs_;
  std::shared_ptr<RunIndex> index_;  // used by the one scan in progress
  bool busy_ = false, again_ = false, trials_ = false;
  QTimer soon_, regular_;
  QFileSystemWatcher watcher_;
};

}  // namespace nw::ui
