// SPDX-License-Identifier: GPL-3.0-or-later
// The window's messages since it was opened, with their times, the newest at the bottom.
#pragma once
#include <QListWidget>

namespace nw::ui {

class Session;

class MessageLog : public QListWidget {
  Q_OBJECT
 public:
  explicit MessageLog(Session& session, QWidget* parent = nullptr);
};

}  // namespace nw::ui
