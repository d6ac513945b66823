// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the desktop that something long has ended (org.freedesktop.Notifications 1.2, over the session's D-Bus). GUI
// thread.
#pragma once
#include <QString>

namespace nw::ui {

/// Shows a title and a sentence, both plain text, outside of the window. Returns at once; nothing happens where no
/// service shows notifications.
void notifyDesktop(const QString& title, const QString& sentence);
/// The same unless a window of this program is in front: there the user sees it anyway.
void notifyUnlessActive(const QString& title, const QString& sentence);

}  // namespace nw::ui
