// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs that were submitted from this computer, as their records say: where, and what was last known of them. Read
// on a worker thread. GUI thread.
#pragma once
#include <QTableWidget>

#include "engine/submit/submission.hpp"

namespace nw::ui {

struct JobRow {
  submit::Job job;
  submit::JobStatus last;
  QString run, progress;
};

class JobList : public QTableWidget {
  Q_OBJECT
 public:
  explicit JobList(QWidget* parent = nullptr);
  void scan();
  const QVector<JobRow>& shown() const { return rows_; }
  const JobRow* chosen() const;  // nullptr: none
  void choose(const QString& job);

 Q_SIGNALS:
  void scanned();

 private:
  void take(const QVector<JobRow>&);
  QVector<JobRow> rows_;
  bool busy_ = false, again_ = false;
};

/// "Waiting", "Running", "Ended", "Ended with code 8", …
QString jobStateText(const submit::JobStatus&);
bool isOver(const submit::JobStatus&);

}  // namespace nw::ui
