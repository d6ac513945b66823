// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons of a notification.
#pragma once
#include <QString>
#include <QVector>
#include <functional>

namespace nw::ui {

class Session;

/// What ends the offer of a button.
enum class ValidUntil { closed, timeout, run_starts, run_ends, next_edit };

struct NotificationAction {
  QString label;
  std::function<void()> act;
  ValidUntil until = ValidUntil::timeout;
};
using NotificationActions = QVector<NotificationAction>;

/// "Open" and "Show folder" for a file that was written.
NotificationActions fileActions(const QString& path);
/// "Undo" for the edit that was just made.
NotificationActions undoAction(Session& session);

}  // namespace nw::ui
