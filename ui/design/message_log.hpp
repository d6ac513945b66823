// SPDX-License-Identifier: GPL-3.0-or-later
// What the window said since it was opened, newest below, with its time.
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
