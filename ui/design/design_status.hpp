// SPDX-License-Identifier: GPL-3.0-or-later
// The Design page's line in the status bar: problems, parameters, multiply-adds, planned memory.
#pragma once
#include <QWidget>

class QLabel;

namespace nw::ui {

class Session;

class DesignStatus : public QWidget {
  Q_OBJECT
 public:
  explicit DesignStatus(Session& session, QWidget* parent = nullptr);

 private:
  void refresh();
  Session& session_;
  QLabel *problems_, *parameters_, *compute_, *memory_;
};

}  // namespace nw::ui
