// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/submit/job_list.hpp"

#include <QHeaderView>
#include <cmath>
#include <utility>

#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr int job_columns = 4, exit_of_stopped = 8, exit_of_cancelled = 143;

QString placeOf(const submit::Job& job) {
  const QString host = inOneLine(QString::fromStdString(job.host));
  const QString target = translated(submit::find_target(job.target)->summary);
  return host.isEmpty() ? target : host + QStringLiteral(" · ") + QString::fromStdString(job.target);
}

QString jobProgress(const fs::path& run) {
  const auto summary = summarize_run(run);
  if (!summary || summary->epochs < 1) return {};
  QString words = JobList::tr("Epoch %1 of %2").arg(summary->epochs_done).arg(summary->epochs);
  if (std::isfinite(summary->best_accuracy))
    words += JobList::tr(", best %1 %").arg(summary->best_accuracy * 100, 0, 'f', 2);
  return words;
}

QVector<JobRow> readJobs() {
  QVector<JobRow> rows;
  const fs::path jobs = submit::jobs_folder();
  for (const submit::Job& job : submit::list_jobs(jobs)) {
    const fs::path record = jobs / job.name;
    rows.append({job, submit::remembered(record), QString::fromStdString((record / "run").string()),
                 jobProgress(record / "run")});
  }
  return rows;
}

}  // namespace

bool isOver(const submit::JobStatus& status) {
  return status.state == submit::JobState::ended || status.state == submit::JobState::lost;
}

QString jobStateText(const submit::JobStatus& status) {
  using submit::JobState;
  switch (status.state) {
    case JobState::unknown:
      return JobList::tr("Not known yet");
    case JobState::waiting:
      return JobList::tr("Waiting");
    case JobState::running:
      return JobList::tr("Running");
    case JobState::lost:
      return JobList::tr("Gone without an end");
    case JobState::ended:
      break;
  }
  if (status.code == 0) return JobList::tr("Finished");
  const bool stopped = status.code == exit_of_stopped || status.code == exit_of_cancelled;
  return stopped ? JobList::tr("Stopped") : JobList::tr("Failed (code %1)").arg(status.code);
}

JobList::JobList(QWidget* parent) : QTableWidget(0, job_columns, parent) {
  setObjectName(QStringLiteral("jobList"));
  setAccessibleName(tr("Jobs"));
  setHorizontalHeaderLabels({tr("Job"), tr("Where"), tr("State"), tr("Progress")});
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setFrameShape(QFrame::NoFrame);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(34);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setHighlightSections(false);
  for (const auto& [column, width] : {std::pair(0, 220), {1, 320}, {2, 170}}) setColumnWidth(column, width);
}

void JobList::scan() {
  if (busy_) {
    again_ = true;
    return;
  }
  busy_ = true;
  inBackground(
      this, [] { return readJobs(); },
      [this](const QVector<JobRow>& rows) {
        busy_ = false;
        take(rows);
        if (std::exchange(again_, false)) scan();
      },
      [this] { busy_ = false; });
}

void JobList::take(const QVector<JobRow>& rows) {
  const QString before = chosen() ? QString::fromStdString(chosen()->job.name) : QString();
  rows_ = rows;
  setRowCount(static_cast<int>(rows_.size()));
  for (int i = 0; i < rowCount(); ++i) {
    const JobRow& row = rows_[i];
    const QString texts[job_columns] = {QString::fromStdString(row.job.name), placeOf(row.job), jobStateText(row.last),
                                        row.progress};
    for (int column = 0; column < job_columns; ++column) {
      if (item(i, column) && item(i, column)->text() == texts[column]) continue;
      auto* cell = new QTableWidgetItem(texts[column]);
      cell->setToolTip(texts[column]);
      setItem(i, column, cell);
    }
  }
  choose(before);
  Q_EMIT scanned();
}

/// Of a name that is not there: the first.
void JobList::choose(const QString& job) {
  int at = rows_.isEmpty() ? -1 : 0;
  for (int i = 0; i < rows_.size(); ++i)
    if (QString::fromStdString(rows_[i].job.name) == job) at = i;
  if (at >= 0 && at != currentRow()) selectRow(at);
}

const JobRow* JobList::chosen() const {
  const int row = currentRow();
  return row >= 0 && row < rows_.size() ? &rows_[row] : nullptr;
}

}  // namespace nw::ui
