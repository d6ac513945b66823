// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/notification.hpp"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUndoStack>
#include <QUrl>

#include "ui/session/session.hpp"

namespace nw::ui {
namespace {
struct Labels {
  Q_DECLARE_TR_FUNCTIONS(Notification)
};
}  // namespace

NotificationActions fileActions(const QString& path) {
  const QString file = QFileInfo(path).absoluteFilePath(), folder = QFileInfo(path).absolutePath();
  return {{Labels::tr("Open"), [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); }},
          {Labels::tr("Show folder"), [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); }}};
}

NotificationActions undoAction(Session& session) {
  return {{Labels::tr("Undo"), [&session] { session.undoStack().undo(); }, ValidUntil::next_edit}};
}

}  // namespace nw::ui
