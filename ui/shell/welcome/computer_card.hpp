// SPDX-License-Identifier: GPL-3.0-or-later
// "This computer": the devices that can train, and their load.
#pragma once
#include <QWidget>

namespace nw::ui {

class MachineWatch;
class Session;

class ComputerCard : public QWidget {
  Q_OBJECT
 public:
  ComputerCard(Session& session, MachineWatch& machine, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  struct Row {
    QString name, what;
    double load = -1;
    int series = -1;
  };
  QList<Row> rows() const;
  Session& session_;
  MachineWatch& machine_;
};

}  // namespace nw::ui
