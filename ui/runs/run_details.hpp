// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen run as text, with its actions. GUI thread.
#pragma once
#include <QWidget>

#include "ui/runs/run_table.hpp"

class QLabel;
class QPushButton;

namespace nw::ui {

struct RunProperty {
  QString name, value;
};
QVector<RunProperty> runProperties(const RunRow& row);

class RunDetails : public QWidget {
  Q_OBJECT
 public:
  explicit RunDetails(QWidget* parent = nullptr);
  void setRun(const RunRow* row);  // null: none chosen
  QPushButton* button(const QString& action) const;

 Q_SIGNALS:
  void action(const QString& id);  // "open", "predict", "resume", "reveal", "delete"

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QVector<RunProperty> facts_;
  QString title_, subtitle_;
  QVector<QPushButton*> buttons_;
};

}  // namespace nw::ui
