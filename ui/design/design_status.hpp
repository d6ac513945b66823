// SPDX-License-Identifier: GPL-3.0-or-later
// The page's share of the status bar: problems by kind, parameters, computation, memory.
#pragma once
#include <QLabel>
#include <QWidget>

namespace nw::ui {

class Fits;
class Session;

class DesignStatus : public QWidget {
  Q_OBJECT
 public:
  explicit DesignStatus(Session& session, QWidget* parent = nullptr);

 private:
  void refresh();
  double memoryThere() const;
  Session& session_;
  QLabel *errors_, *warnings_, *notes_, *parameters_, *compute_, *memory_;
  Fits* fits_;
};

}  // namespace nw::ui
