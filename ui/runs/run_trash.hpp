// SPDX-License-Identifier: GPL-3.0-or-later
// Run folders moved to the trash and back. Any thread.
#pragma once
#include <QString>
#include <QStringList>
#include <QVector>

namespace nw::ui {

struct TrashedRun {
  QString folder;   // where the run was
  QString inTrash;  // empty: it could not be moved
};
QVector<TrashedRun> moveToTrash(const QStringList& folders);
/// Moves them back; returns those that could not be. A folder that has the name by now is never replaced.
QVector<TrashedRun> takeFromTrash(const QVector<TrashedRun>& runs);

}  // namespace nw::ui
