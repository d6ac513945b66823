// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of the Runs page on a run.
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QUrl>
#include <cmath>

#include "engine/core/csv_field.hpp"
#include "ui/design/compare_dialog.hpp"
#include "ui/runs/run_details.hpp"
#include "ui/runs/run_scanner.hpp"
#include "ui/runs/run_trash.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/runs/runs_view.hpp"
#include "ui/runs/train_further.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/study/report_export.hpp"
#include "ui/train/branch_card.hpp"
#include "ui/train/notice_bar.hpp"

namespace nw::ui {

namespace {
constexpr int scans_until_read = 2;  // the first scan after a save may have begun before it
}

void RunsPage::act(const QString& id) {
  const RunRow* row = chosenRun();
  if (!row) return;
  if (id == QLatin1String("delete")) return deleteSelected();
  const QString folder = row->id();
  if (id == QLatin1String("open"))
    Q_EMIT openRun(folder, QStringLiteral("train"));
  else if (id == QLatin1String("predict"))
    Q_EMIT openRun(folder, QStringLiteral("predict"));
  else if (id == QLatin1String("reveal"))
    QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
  else if (id == QLatin1String("compare"))
    compareWith(session_, folder, this);
  else if (id == QLatin1String("canvas"))
    Q_EMIT openRunProject(folder);
  else if (id == QLatin1String("adapt"))
    Q_EMIT adaptRun(folder);
  else if (id == QLatin1String("adapt-table"))
    Q_EMIT adaptRunToTable(folder);
  else if (id == QLatin1String("report"))
    saveReport(session_, fs::path(folder.toStdString()), this);
  else if (id == QLatin1String("rename"))
    details_->rename();
  else if (id == QLatin1String("further"))
    trainFurther(*row);
  else if (id == QLatin1String("branch"))
    branchFromRun(folder, branches_->tree().chosenLane() && branches_->tree().chosenLane()->run == folder
                              ? branches_->tree().chosen()->step
                              : -1);
  else if (id == QLatin1String("resume") && session_.run().resume(folder))
    Q_EMIT goTo(QStringLiteral("train"));
}

void RunsPage::trainFurther(const RunRow& row) {
  const QString run = row.id();
  const auto definition = read_run_definition(run.toStdString());
  if (!definition) {
    Q_EMIT session_.message(translated(definition.error().what), 2);
    return;
  }
  TrainFurtherDialog dialog(row, definition->doc.settings(), this);
  if (dialog.exec() == QDialog::Accepted && session_.run().resume(run, {}, dialog.total()))
    Q_EMIT goTo(QStringLiteral("train"));
}

/// Those of the selected runs that do not train.
void RunsPage::deleteSelected() {
  QStringList folders, busy;
  for (const QString& run : selectedRuns()) (is_running(fs::path(run.toStdString())) ? busy : folders) += run;
  for (const QString& run : busy)
    Q_EMIT session_.message(tr("%1 is training. Stop it before moving it to the trash.").arg(titleOf(run)), 1);
  if (folders.isEmpty()) return;
  if (folders.contains(session_.feed().folder())) session_.feed().follow({});
  const QString name = titleOf(folders.front());
  inBackground(
      this, [folders] { return ui::moveToTrash(folders); },
      [this, name](const QVector<TrashedRun>& runs) { reportTrash(runs, name); });
}

void RunsPage::reportTrash(const QVector<TrashedRun>& runs, const QString& name) {
  scanner_->scanSoon();
  QVector<TrashedRun> moved;
  refusedTrash_.clear();
  for (const TrashedRun& run : runs) {
    if (run.inTrash.isEmpty())
      refusedTrash_ += run.folder;
    else
      moved.append(run);
  }
  const auto count = static_cast<int>(moved.size());
  if (count > 0)
    Q_EMIT session_.message(runs.size() == 1 ? tr("%1 was moved to the trash.").arg(name)
                                             : tr("%n run(s) were moved to the trash.", nullptr, count),
                            0, {{tr("Undo"), [this, moved] { takeBack(moved); }}});
  if (refusedTrash_.isEmpty()) return;
  const auto refused = static_cast<int>(refusedTrash_.size());
  notice_->setNotice({QStringLiteral("warn"),
                      QStringLiteral("alert-triangle"),
                      runs.size() == 1 ? tr("%1 could not be moved to the trash").arg(name)
                                       : tr("%n run(s) could not be moved to the trash", nullptr, refused),
                      tr("This disk may have no trash. Deleting permanently cannot be undone."),
                      {QStringLiteral("delete-for-good")}});
}

void RunsPage::takeBack(const QVector<TrashedRun>& runs) {
  inBackground(
      this, [runs] { return takeFromTrash(runs); },
      [this](const QVector<TrashedRun>& left) {
        scanner_->scanSoon();
        for (const TrashedRun& run : left)
          Q_EMIT session_.message(tr("%1 could not be moved back to %2. It is still at %3.")
                                      .arg(runTitle(run.folder), run.folder, run.inTrash),
                                  2);
      });
}

void RunsPage::deleteForGood() {
  const QStringList runs = std::exchange(refusedTrash_, {});
  notice_->setNotice({});
  inBackground(
      this,
      [runs] {
        QStringList failed;
        for (const QString& each : runs) {
          const fs::path run(each.toStdString());
          std::error_code error;
          if (!is_running(run)) fs::remove_all(run, error);
          if (error) failed += QStringLiteral("%1: %2").arg(each, QString::fromStdString(error.message()));
        }
        return failed;
      },
      [this](const QStringList& failed) {
        scanner_->scanSoon();
        for (const QString& each : failed) Q_EMIT session_.message(tr("Not deleted: %1").arg(each), 2);
      });
}

/// One save at a time, so that an older text never replaces a newer one.
void RunsPage::saveNotes(const QString& run, const RunNotes& notes) {
  if (const Status good = check_run_notes(notes); !good)
    return void(Q_EMIT session_.message(translated(good.error().what), 2));
  unsaved_[run] = notes;
  recent_[run] = {notes, scans_until_read};
  // Later: a run that the filter is removing from the table hands its notes over too, and the model must not change
  // meanwhile.
  QMetaObject::invokeMethod(
      this, [this, run, notes] { showNotes(run, notes); }, Qt::QueuedConnection);
  saveNextNotes();
}

void RunsPage::showNotes(const QString& run, const RunNotes& notes) {
  model_->setNotes(run, notes);
  const RunRow* chosen = chosenRun();
  if (chosen && chosen->id() == run) refreshChosen();
}

void RunsPage::saveNextNotes() {
  if (saving_ || unsaved_.isEmpty()) return;
  saving_ = true;
  const QString run = unsaved_.firstKey();
  const auto notes = unsaved_.take(run);
  inBackground(
      this,
      [run, notes] {
        const Status saved = save_run_notes(fs::path(run.toStdString()), notes);
        return saved ? QString() : translated(saved.error().what);
      },
      [this, run](const QString& problem) {
        saving_ = false;
        if (!problem.isEmpty()) {
          if (!unsaved_.contains(run)) recent_.remove(run);
          Q_EMIT session_.message(problem, 2);
        }
        scanner_->scanSoon();
        saveNextNotes();
      },
      [this, run, notes] {  // they are saved with the next ones
        saving_ = false;
        if (!unsaved_.contains(run)) unsaved_.insert(run, notes);
      });
}

QString RunsPage::csv() const {
  const auto quoted = [](const QString& text) { return QString::fromStdString(csv_quoted(text.toStdString())); };
  QStringList head;
  for (const RunColumn& column : runColumns())
    if (!column.computed.isEmpty())
      head += quoted(column.name);
    else if (*column.title)
      head += QLatin1String(column.id);
  QString out = head.join(u',') + u'\n';
  for (const int run : filter_->runs()) {
    QStringList cells;
    const RunRow& row = model_->row(run);
    for (const RunColumn& column : runColumns()) {
      if (!*column.title && column.computed.isEmpty()) continue;
      const QVariant key = column.sortKey(row);
      const bool isNumber = key.typeId() == QMetaType::Double || key.typeId() == QMetaType::LongLong;
      const double value = key.toDouble();
      const bool isKnown = std::isfinite(value) && column.text(row) != QStringLiteral("–");
      cells += !isNumber ? quoted(column.text(row)) : isKnown ? QString::number(value, 'g', 10) : QString();
    }
    out += cells.join(u',') + u'\n';
  }
  return out;
}

void RunsPage::exportCsv() {
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Export runs"), QStringLiteral("runs.csv"), QStringLiteral("*.csv"));
  if (file.isEmpty()) return;
  if (const Status saved = save_file(fs::path(file.toStdString()), csv().toStdString()); !saved)
    return void(Q_EMIT session_.message(translated(saved.error().what), 2));
  Q_EMIT session_.message(tr("Exported to %1.").arg(QDir::toNativeSeparators(file)), 0, fileActions(file));
}

}  // namespace nw::ui
