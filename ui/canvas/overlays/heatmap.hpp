// SPDX-License-Identifier: GPL-3.0-or-later
// The heatmap: nodes coloured by time of the last profiled run, memory of the plan, outputs for a sample image, or
// gradients and updates of the last run's latest layer statistics. A legend in the corner shows the range, or explains
// what is missing and how to get it.
#pragma once
#include <QWidget>

#include "engine/runs/layer_statistics.hpp"
#include "ui/canvas/measures/node_outputs.hpp"

namespace nw::ui {

enum class HeatmapQuantity : quint8 { none, time, memory, spread, zeros, gradients, updates };

/// Seconds of a training step by dotted name of the layer.
using LayerTimes = std::map<std::string, double>;
/// From the newest run of this network that was trained with a profile.
LayerTimes profiledTimes(const fs::path& runs, std::uint64_t networkHash);

/// Of the newest run of this network that recorded layer statistics.
std::optional<LayerStatistics> latestStatistics(const fs::path& runs, std::uint64_t networkHash);
/// The L2 norm of a layer's gradients, or its update ratio; a block's is computed over all of its layers. Empty: no
/// weights.
std::optional<double> gradientNorm(const LayerStatistics&, const std::string& name, bool block);
std::optional<double> updateRatio(const LayerStatistics&, const std::string& name, bool block);

class Heatmap : public QWidget {
  Q_OBJECT
 public:
  Heatmap(GraphScene& scene, NodeOutputs& outputs, QWidget* parent);
  HeatmapQuantity by() const { return by_; }
  void setBy(HeatmapQuantity by);
  /// The node's value in seconds or bytes, or as a fraction; empty: unknown.
  std::optional<double> value(NodeId id) const;
  QString sentence() const { return sentence_; }  // why no node is coloured
  QSize sizeHint() const override;
  static QString title(HeatmapQuantity by);
  /// Whether the legend is translucent while the pointer is outside it.
  void setFaded(bool faded);
  bool faded() const { return faded_; }

 Q_SIGNALS:
  void changed();

 protected:
  void paintEvent(QPaintEvent*) override;
  void enterEvent(QEnterEvent*) override { update(); }
  void leaveEvent(QEvent*) override { update(); }

 private:
  void refresh();
  void readTimes();
  void readStatistics();
  bool ofRun() const { return by_ == HeatmapQuantity::gradients || by_ == HeatmapQuantity::updates; }
  std::optional<double> ofLayer(NodeId id) const;
  void take();
  QString text(double value) const;

  GraphScene& scene_;
  NodeOutputs& outputs_;
  HeatmapQuantity by_ = HeatmapQuantity::none;
  LayerTimes times_;
  std::optional<LayerStatistics> statistics_;
  quint64 asked_ = 0;
  std::map<NodeId, double> values_;
  double most_ = 0;
  QString sentence_;
  bool faded_ = false;
};

}  // namespace nw::ui
