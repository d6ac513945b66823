// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_list.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>

#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"
#include "ui/study/study_text.hpp"

namespace nw::ui {

namespace {

StudyRow readStudyRow(const fs::path& folder) {
  StudyRow row{.folder = folder};
  row.name = inOneLine(QString::fromStdString(folder.filename().string()));
  const auto study = search::read_study(folder);
  if (!study) {
    row.problem = translated(study.error().what);
    return row;
  }
  StudySnapshot s;  // only what the texts need
  s.definition = study->definition();
  row.goal = goalText(s);
  row.sampler = samplerText(s.definition);
  row.trials = static_cast<qint64>(study->trials().size());
  row.wanted = std::max<qint64>(study->wanted(), row.trials);
  const auto front = search::pareto_front(study->trials(), s.definition.objectives);
  const search::Trial* best = study->best() ? study->best() : front.empty() ? nullptr : front.front();
  const auto report = best ? search::last_report(*best) : std::nullopt;
  if (best && (!best->values.empty() || report))
    row.best = objectiveText(s.definition.objectives.front().metric,
                             best->values.empty() ? report->value : best->values.front());
  return row;
}

}  // namespace

StudyList::StudyList(QWidget* parent) : QTableWidget(0, 6, parent), cache_(std::make_shared<Cache>()) {
  setObjectName(QStringLiteral("studyList"));
  setAccessibleName(tr("Studies"));
  setHorizontalHeaderLabels({tr("Study"), tr("State"), tr("Trials"), tr("Best"), tr("Objective"), tr("Sampler")});
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setFrameShape(QFrame::NoFrame);
  verticalHeader()->hide();
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  verticalHeader()->setDefaultSectionSize(34);
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setHighlightSections(false);
  for (const auto& [column, width] : {std::pair(0, 300), {1, 160}, {2, 110}, {3, 110}, {4, 330}})
    setColumnWidth(column, width);
  connect(this, &QTableWidget::cellDoubleClicked, this,
          [this] { Q_EMIT opened(QString::fromStdString(chosen().string())); });
}

QVector<StudyRow> StudyList::read(const fs::path& runs, Cache& cache) {
  QVector<StudyRow> rows;
  std::error_code error;
  for (fs::directory_iterator it(runs, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const fs::path journal = it->path() / search::journal_file;
    if (!fs::is_directory(it->symlink_status(ignored)) || !search::holds_study(it->path())) continue;
    const auto size = fs::file_size(journal, ignored);
    const auto time = fs::last_write_time(journal, ignored);
    Known& known = cache[it->path()];
    if (known.row.folder.empty() || known.size != size || known.time != time)
      known = {size, time, readStudyRow(it->path())};
    known.row.running = is_running(it->path());
    rows.append(known.row);
  }
  std::sort(rows.begin(), rows.end(), [](const StudyRow& a, const StudyRow& b) { return a.folder > b.folder; });
  return rows;
}

void StudyList::scan(const fs::path& runs) {
  if (busy_) return;
  if (runs != runs_) cache_ = std::make_shared<Cache>();
  runs_ = runs;
  busy_ = true;
  inBackground(
      this, [runs, cache = cache_] { return read(runs, *cache); },
      [this](const QVector<StudyRow>& rows) {
        busy_ = false;
        take(rows);
      },
      [this] { busy_ = false; });
}

void StudyList::take(const QVector<StudyRow>& rows) {
  const fs::path before = chosen();
  rows_ = rows;
  setRowCount(static_cast<int>(rows.size()));
  for (int i = 0; i < rowCount(); ++i) {
    const StudyRow& r = rows[i];
    const QString state = !r.problem.isEmpty()  ? r.problem
                          : r.running           ? tr("Running")
                          : r.trials < r.wanted ? tr("Stopped")
                                                : tr("Ended");
    const QString texts[] = {
        r.name, state,  r.problem.isEmpty() ? tr("%1 of %2").arg(r.trials).arg(r.wanted) : QString(),
        r.best, r.goal, r.sampler};
    for (int column = 0; column < 6; ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      item->setToolTip(texts[column]);
      setItem(i, column, item);
    }
    if (r.folder == before || (before.empty() && i == 0)) selectRow(i);
  }
  Q_EMIT scanned();
}

fs::path StudyList::chosen() const {
  const int row = currentRow();
  return row >= 0 && row < rows_.size() ? rows_[row].folder : fs::path();
}

void StudyList::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    return void(Q_EMIT opened(QString::fromStdString(chosen().string())));
  QTableWidget::keyPressEvent(event);
}

}  // namespace nw::ui
