// SPDX-License-Identifier: GPL-3.0-or-later
// "One step": when each device of the run computed in one training step, and when buckets of its gradients were on
// their way. A lane for each device, on one axis. GUI thread.
#pragma once
#include <QAbstractListModel>
#include <QListView>
#include <QWidget>

#include "engine/runs/rank_times.hpp"

class QLabel;

namespace nw::ui {

struct StepLane {
  QString name;                 // "CPU 1"
  std::vector<StepSpan> spans;  // never empty
  QString whole() const;        // for screen readers
};
/// Of the devices whose spans are known.
QVector<StepLane> stepLanes(const RankTimes& times);

class StepLaneModel : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  void setLanes(QVector<StepLane> lanes);
  const StepLane& lane(int index) const { return lanes_[index]; }
  double end() const { return end_; }  // seconds, of the device that takes longest
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(lanes_.size());
  }
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  QVector<StepLane> lanes_;
  double end_ = 0;
};

class StepLanes : public QWidget {
  Q_OBJECT
 public:
  explicit StepLanes(QWidget* parent = nullptr);
  /// Of an epoch; hidden where no device tells its spans.
  void setTimes(const RankTimes& epoch);
  StepLaneModel& model() { return *model_; }
  QListView& view() { return *view_; }
  QString summary() const;  // how much of the exchange took place while devices computed
  /// Where a lane of this place is painted: its computing, and below it its buckets.
  static QRectF trackIn(const QRectF& row);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void paintLegend(QPainter&) const;
  void paintAxis(QPainter&) const;
  StepLaneModel* model_;
  QListView* view_;
  QLabel* summary_;
};

}  // namespace nw::ui
