// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as lanes over epochs: a branch leaves its parent's lane at its checkpoint; every checkpoint can be chosen with
// the mouse or the arrow keys. GUI thread.
#pragma once
#include <QVector>
#include <QWidget>

#include "ui/train/run_checkpoints.hpp"

namespace nw::ui {

struct BranchLane {
  QString run, title;  // folder, name
  QString figure;      // "98.10 %", at the lane's end; empty: none
  QString gain;        // "+2.9", over the parent; empty: unknown
  int gained = 0;      // above the parent 1, below it -1
  double to = 0;       // epochs trained
  int parent = -1;     // an earlier lane; -1: none
  double fork = 0;     // the epoch at which it left the parent
  int series = -1;     // colour and dashes of the theme; -1: quiet
  QVector<RunCheckpoint> checkpoints;
  bool operator==(const BranchLane&) const = default;
};

class BranchTree : public QWidget {
  Q_OBJECT
 public:
  explicit BranchTree(QWidget* parent = nullptr);
  /// `epochs`: the end of the axis. The chosen checkpoint stays where it still exists.
  void setLanes(const QVector<BranchLane>& lanes, double epochs);
  const QVector<BranchLane>& lanes() const { return lanes_; }
  /// Null: none.
  const BranchLane* chosenLane() const;
  const RunCheckpoint* chosen() const;
  void choose(const QString& run, std::int64_t step);
  /// In pixels of this widget.
  QPointF place(int lane, double epoch) const;
  QSize sizeHint() const override;

 Q_SIGNALS:
  void chosenChanged();
  /// Return or a double click on a checkpoint.
  void branchAsked();

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  bool event(QEvent*) override;

 private:
  struct Spot {
    int lane = -1, checkpoint = -1;
    bool operator==(const Spot&) const = default;
  };
  Spot spotAt(const QPointF& at) const;
  void chooseSpot(Spot spot);
  void step(int by);
  void changeLane(int by);
  bool hasOwn(int lane, int checkpoint) const;
  qreal labelRoom() const;
  qreal gainRoom() const;
  void paintLane(QPainter& p, int lane) const;
  void paintLabel(QPainter& p, int lane) const;
  void paintCheckpoints(QPainter& p, int lane) const;
  void paintAxis(QPainter& p) const;
  QString spotText(Spot spot) const;

  QVector<BranchLane> lanes_;
  double epochs_ = 1;
  Spot chosen_;
};

}  // namespace nw::ui
