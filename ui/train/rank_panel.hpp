// SPDX-License-Identifier: GPL-3.0-or-later
// "Devices": what each device of the run does: the parts of its step, how busy it is, memory and power, and which one
// the others wait for. GUI thread; the feed reads the run.
#pragma once
#include <QAbstractListModel>
#include <QListView>
#include <QWidget>

#include "engine/runs/rank_times.hpp"

class QLabel;

namespace nw::ui {
class RunFeed;
class StepLanes;

/// A part of a device's step; series: as SplitPart's.
struct RankPart {
  QString name;
  double seconds = 0;
  int series = 0;
};

/// A row of the list.
struct RankRow {
  QString name, host;      // "cpu:1"; of several hosts only
  double stepSeconds = 0;  // of one step
  double seconds = 0;      // of the interval: what the parts add up to, with what is not known
  QVector<RankPart> parts;
  QString details;        // "busy 88 %, 212 MB, 35 W"
  QString slower;         // "52 % slower": the others wait for it; else empty
  QString whole() const;  // for screen readers
};
QVector<RankRow> rankRows(const RankTimes& times);

class RankModel : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  void setRows(QVector<RankRow> rows);
  const RankRow& row(int index) const { return rows_[index]; }
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  QVector<RankRow> rows_;
};

/// The share of their time in which the devices of a pipeline wait for each other; below 0: not known, or no pipeline.
struct PipelineWait {
  double predicted = -1, measured = -1;
};

class RankPanel : public QWidget {
  Q_OBJECT
 public:
  explicit RankPanel(QWidget* parent = nullptr);
  void showRun(const RunFeed& run);
  /// The newest interval, and the newest whole epoch; either may be without ranks.
  void setTimes(const RankTimes& newest, const RankTimes& epoch, const PipelineWait& wait = {});
  RankModel& model() { return *model_; }
  QListView& view() { return *view_; }
  QString summary() const;    // efficiency, step, energy of an epoch
  QString straggler() const;  // empty: no device is waited for
  StepLanes& step() { return *step_; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void paintLegend(QPainter& p) const;
  RankModel* model_;
  QListView* view_;
  QLabel *summary_, *straggler_;
  StepLanes* step_;
};

}  // namespace nw::ui
