// SPDX-License-Identifier: GPL-3.0-or-later
// The bar across the top: menu, project, pages, undo, command search, data, devices, Train. Small things step back when
// the window is narrow.
#pragma once
#include <QWidget>

class QLabel;
class QMenu;
class QPushButton;

namespace nw::ui {

class DataChip;
class DeviceChips;
class MachineWatch;
class ProjectFiles;
class SegmentedControl;
class Session;
class TrainButtons;

class TopBar : public QWidget {
  Q_OBJECT
 public:
  TopBar(Session& session, MachineWatch& machine, ProjectFiles& files, QWidget* parent = nullptr);
  SegmentedControl& pages() { return *pages_; }
  void openMenu();

 Q_SIGNALS:
  void searchRequested();

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  bool event(QEvent*) override;

 private:
  QWidget* makeMenuButton(ProjectFiles& files);
  void showProject();
  void fit();
  Session& session_;
  QMenu* menu_ = nullptr;
  QPushButton* menuButton_ = nullptr;
  QLabel* name_;
  QWidget *left_, *modified_, *search_, *line_;
  SegmentedControl* pages_;
  DataChip* data_;
  DeviceChips* devices_;
  TrainButtons* train_;
};

}  // namespace nw::ui
