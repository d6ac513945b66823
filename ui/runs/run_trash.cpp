// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_trash.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace nw::ui {

namespace {
/// The folder's place in the trash; empty: not moved. Where the folder that holds the trash is missing, Qt 6.4 would
/// move things into the current directory.
QString intoTrash(const QString& folder) {
  QString inTrash;
  const bool moved = QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)) &&
                     QFile::moveToTrash(folder, &inTrash);
  return moved ? inTrash : QString();
}

/// Moves a folder back from the trash and removes its trash record (freedesktop.org trash specification: files/NAME and
/// info/NAME.trashinfo). A folder that has its name by now is never replaced.
bool outOfTrash(const QString& inTrash, const QString& folder) {
  if (QFileInfo::exists(folder) || !QDir().rename(inTrash, folder)) return false;
  const QFileInfo file(inTrash);
  QFile::remove(file.dir().filePath(QStringLiteral("../info/%1.trashinfo").arg(file.fileName())));
  return true;
}
}  // namespace

QVector<TrashedRun> moveToTrash(const QStringList& folders) {
  QVector<TrashedRun> moved;
  for (const QString& folder : folders) moved.append({folder, intoTrash(folder)});
  return moved;
}

QVector<TrashedRun> takeFromTrash(const QVector<TrashedRun>& runs) {
  QVector<TrashedRun> left;
  for (const TrashedRun& run : runs)
    if (!outOfTrash(run.inTrash, run.folder)) left.append(run);
  return left;
}

}  // namespace nw::ui
