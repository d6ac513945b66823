// SPDX-License-Identifier: GPL-3.0-or-later
// A card with the lanes of runs, what the chosen checkpoint is, and "Branch from here…". GUI thread.
#pragma once
#include <QWidget>

#include "ui/train/branch_tree.hpp"

class QLabel;
class QPushButton;

namespace nw::ui {

class BranchCard : public QWidget {
  Q_OBJECT
 public:
  explicit BranchCard(QWidget* parent = nullptr);
  void setTitle(const QString& title, const QString& muted);
  void setLanes(const QVector<BranchLane>& lanes, double epochs);
  BranchTree& tree() { return *tree_; }
  /// Where several runs are shown, their curves can be compared.
  void offerComparison();

 Q_SIGNALS:
  void branchAsked(const QString& run, qint64 step);
  void comparisonAsked(const QStringList& runs);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void say();
  void ask();
  QLabel *title_, *muted_, *chosen_, *facts_;
  BranchTree* tree_;
  QPushButton *branch_, *compare_;
  bool compares_ = false;
};

}  // namespace nw::ui
