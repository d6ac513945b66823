// SPDX-License-Identifier: GPL-3.0-or-later
// All studies in the runs folder, the newest first, read on a worker thread. GUI thread.
#pragma once
#include <QTableWidget>
#include <QTimer>
#include <map>

#include "ui/study/study_snapshot.hpp"

namespace nw::ui {

/// What a row shows.
struct StudyRow {
  fs::path folder;
  QString problem;  // its journal cannot be read: one sentence
  QString name, goal, sampler, best;
  qint64 trials = 0, wanted = 0;
  bool running = false;
};

class StudyList : public QTableWidget {
  Q_OBJECT
 public:
  explicit StudyList(QWidget* parent = nullptr);
  void scan(const fs::path& runs);
  const QVector<StudyRow>& rows() const { return rows_; }
  fs::path chosen() const;  // empty: none

 Q_SIGNALS:
  void scanned();
  void opened(const QString& folder);

 protected:
  void keyPressEvent(QKeyEvent*) override;

 private:
  struct Known {
    std::uintmax_t size = 0;
    fs::file_time_type time;
    StudyRow row;
  };
  using Cache = std::map<fs::path, Known>;
  static QVector<StudyRow> read(const fs::path& runs, Cache& cache);
  void take(const QVector<StudyRow>& rows);
  QVector<StudyRow> rows_;
  std::shared_ptr<Cache> cache_;  // used by the one scan in progress
  fs::path runs_;
  bool busy_ = false;
};

}  // namespace nw::ui
