// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of the Runs page on a run.
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QStandardPaths>
#include <QTableView>
#include <QUrl>

#include "engine/core/csv_field.hpp"
#include "ui/design/compare_dialog.hpp"
#include "ui/runs/run_scanner.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/train/notice_bar.hpp"

namespace nw::ui {

void RunsPage::act(const QString& id) {
  const RunRow* row = chosenRun();
  if (!row) return;
  const QString folder = row->id();
  if (id == QLatin1String("open"))
    Q_EMIT openRun(folder, QStringLiteral("train"));
  else if (id == QLatin1String("predict"))
    Q_EMIT openRun(folder, QStringLiteral("predict"));
  else if (id == QLatin1String("reveal"))
    QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
  else if (id == QLatin1String("compare"))
    compareWith(session_, folder, this);
  else if (id == QLatin1String("delete"))
    moveToTrash(folder);
  else if (id == QLatin1String("resume") && session_.run().resume(folder))
    Q_EMIT goTo(QStringLiteral("train"));
}

/// The folder's place in the trash; empty: not moved. Where the folder that holds the trash is missing, Qt 6.4 would
/// move things into the current directory.
static QString intoTrash(const QString& folder) {
  QString inTrash;
  const bool moved = QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)) &&
                     QFile::moveToTrash(folder, &inTrash);
  return moved ? inTrash : QString();
}

/// Moves a folder back from the trash and removes its trash record (freedesktop.org trash specification: files/NAME and
/// info/NAME.trashinfo). A folder that has its name by now is never replaced.
static bool outOfTrash(const QString& inTrash, const QString& folder) {
  if (QFileInfo::exists(folder) || !QDir().rename(inTrash, folder)) return false;
  const QFileInfo file(inTrash);
  QFile::remove(file.dir().filePath(QStringLiteral("../info/%1.trashinfo").arg(file.fileName())));
  return true;
}

void RunsPage::moveToTrash(const QString& folder) {
  if (is_running(fs::path(folder.toStdString()))) {
    Q_EMIT session_.message(tr("%1 is training. Stop it before moving it to the trash.").arg(runTitle(folder)), 1);
    return;
  }
  if (session_.feed().folder() == folder) session_.feed().follow({});
  inBackground(
      this, [folder] { return intoTrash(folder); },
      [this, folder](const QString& inTrash) {
        scanner_->scanSoon();
        if (!inTrash.isEmpty()) {
          Q_EMIT session_.message(tr("%1 was moved to the trash.").arg(runTitle(folder)), 0,
                                  {{tr("Undo"), [this, inTrash, folder] { takeFromTrash(inTrash, folder); }}});
          return;
        }
        refusedTrash_ = folder;
        notice_->setNotice({QStringLiteral("warn"),
                            QStringLiteral("alert-triangle"),
                            tr("%1 could not be moved to the trash").arg(runTitle(folder)),
                            tr("This disk may have no trash. Deleting permanently cannot be undone."),
                            {QStringLiteral("delete-for-good")}});
      });
}

void RunsPage::takeFromTrash(const QString& inTrash, const QString& folder) {
  inBackground(
      this, [inTrash, folder] { return outOfTrash(inTrash, folder); },
      [this, inTrash, folder](bool done) {
        scanner_->scanSoon();
        if (!done)
          Q_EMIT session_.message(
              tr("%1 could not be moved back to %2. It is still at %3.").arg(runTitle(folder), folder, inTrash), 2);
      });
}

void RunsPage::deleteForGood() {
  const fs::path run(std::exchange(refusedTrash_, {}).toStdString());
  notice_->setNotice({});
  if (run.empty() || is_running(run)) return;
  inBackground(
      this,
      [run] {
        std::error_code error;
        fs::remove_all(run, error);
        return error ? QString::fromStdString(error.message()) : QString();
      },
      [this, run](const QString& error) {
        scanner_->scanSoon();
        if (!error.isEmpty())
          Q_EMIT session_.message(tr("%1 could not be deleted: %2").arg(QString::fromStdString(run.string()), error),
                                  2);
      });
}

/// The rows as they are shown, one column each, C locale, quoted where needed.
void RunsPage::exportCsv() {
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Export runs"), QStringLiteral("runs.csv"), QStringLiteral("*.csv"));
  if (file.isEmpty()) return;
  const auto quoted = [](const QString& text) { return QString::fromStdString(csv_quoted(text.toStdString())); };
  QStringList head;
  for (const RunColumn& column : runColumns())
    if (*column.title) head += QLatin1String(column.id);
  QString out = head.join(u',') + u'\n';
  for (int i = 0; i < filter_->rowCount(); ++i) {
    QStringList cells;
    const RunRow& row = filter_->rowAt(filter_->index(i, 0));
    for (const RunColumn& column : runColumns()) {
      if (!*column.title) continue;
      const QVariant key = column.sortKey(row);
      const bool isNumber = key.typeId() == QMetaType::Double || key.typeId() == QMetaType::LongLong;
      cells += isNumber ? QString::number(key.toDouble(), 'g', 10) : quoted(column.text(row));
    }
    out += cells.join(u',') + u'\n';
  }
  if (const Status saved = save_file(fs::path(file.toStdString()), out.toStdString()); !saved)
    return void(Q_EMIT session_.message(translated(saved.error().what), 2));
  Q_EMIT session_.message(tr("Exported to %1.").arg(QDir::toNativeSeparators(file)), 0, fileActions(file));
}

}  // namespace nw::ui
