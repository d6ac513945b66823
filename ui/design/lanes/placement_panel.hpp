// SPDX-License-Identifier: GPL-3.0-or-later
// How several devices share the training: a copy of the network on each, or a stage of it on each, with what that is
// estimated to cost.
#pragma once
#include <QScrollArea>

#include "ui/design/lanes/placement.hpp"

class QComboBox;
class QLabel;
class QPushButton;
class QAbstractButton;
class QVBoxLayout;

namespace nw::ui {

class NumberSpin;
class PanelRow;

class PlacementPanel : public QScrollArea {
  Q_OBJECT
 public:
  PlacementPanel(Session& session, Placement& placement, QWidget* parent = nullptr);

 private:
  void buildChoices(QVBoxLayout& column);
  void buildFields(QVBoxLayout& column);
  void buildDivision(QVBoxLayout& column);
  void buildEstimate(QVBoxLayout& column);
  void buildHint(QVBoxLayout& column);
  QLabel* figure(QVBoxLayout& column, const QString& title, const char* name);
  void refresh();
  void refreshDivision();
  void refreshEstimate();
  void refreshHint();

  Session& session_;
  Placement& placement_;
  QAbstractButton *copies_, *stages_, *mixed_, *divide_;
  NumberSpin *batch_, *parts_, *lanes_, *groups_;
  QComboBox* order_;
  PanelRow *partsRow_, *orderRow_, *lanesRow_, *groupsRow_, *divideRow_;
  QPushButton *balance_, *move_;
  QWidget *figures_, *hint_;
  QLabel *step_, *throughput_, *idle_, *moved_, *exchanged_, *against_, *epoch_, *source_, *hintTitle_, *hintText_,
      *note_, *saved_;
};

}  // namespace nw::ui
