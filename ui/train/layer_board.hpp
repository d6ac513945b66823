// SPDX-License-Identifier: GPL-3.0-or-later
// The layer statistics of a run: a table of the latest values of every layer; gradients, updates and histograms of the
// chosen layer over the run. GUI thread.
#pragma once
#include <QAbstractTableModel>
#include <QWidget>

#include "ui/charts/histogram_chart.hpp"

class QStackedLayout;
class QTableView;

namespace nw::ui {

class EmptyState;
class RunFeed;
class SeverityLabel;

/// The latest layer statistics, one row per layer.
class LayerFigures : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setLayers(const std::vector<LayerState>& layers);
  const std::vector<LayerState>& layers() const { return layers_; }
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(layers_.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<LayerState> layers_;
};

class LayerBoard : public QWidget {
  Q_OBJECT
 public:
  explicit LayerBoard(const RunFeed& feed, QWidget* parent = nullptr);
  void refresh();         // from the feed; does nothing while hidden
  QString layer() const;  // the layer whose charts are shown
  void choose(const QString& layer);
  const LayerFigures& figures() const { return *model_; }
  MetricChart& gradients() { return *gradients_; }
  MetricChart& updates() { return *updates_; }
  /// 0 weights, 1 gradients, 2 outputs.
  /// The message about damage in the run's file; empty if the file is intact.
  QString damage() const;
  HistogramChart& histogram(int which) { return *histograms_[which]; }

 Q_SIGNALS:
  /// Of a chart; as Session::message.
  void message(const QString& sentence, int severity, const nw::ui::NotificationActions& actions);

 protected:
  void showEvent(QShowEvent*) override;

 private:
  QWidget* makeTable();
  QWidget* makeCharts();
  void refreshCharts();

  const RunFeed& feed_;
  ChartCursor* cursor_;
  LayerFigures* model_;
  QTableView* table_ = nullptr;
  MetricChart *gradients_ = nullptr, *updates_ = nullptr;
  HistogramChart* histograms_[3] = {};
  EmptyState* empty_ = nullptr;
  SeverityLabel* damage_ = nullptr;
  QStackedLayout* stack_ = nullptr;
};

}  // namespace nw::ui
