// SPDX-License-Identifier: GPL-3.0-or-later
// Cards tinted by what layers cost or how they stand: time of the last profiled run, memory of the plan, outputs for a
// sample image, gradients and updates of the last run's last look at its layers. A legend in the corner names the
// figures, or says what is missing and how to get it.
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

/// Of the newest run of this network that looked at its layers.
std::optional<LayerStatistics> latestStatistics(const fs::path& runs, std::uint64_t networkHash);
/// The L2 norm of a layer's gradients, or its step's share of its weights; a block's is that of all in it. Nothing: no
/// weights.
std::optional<double> gradientNorm(const LayerStatistics&, const std::string& name, bool block);
std::optional<double> updateRatio(const LayerStatistics&, const std::string& name, bool block);

class Heatmap : public QWidget {
  Q_OBJECT
 public:
  Heatmap(GraphScene& scene, NodeOutputs& outputs, QWidget* parent);
  HeatmapQuantity by() const { return by_; }
  void setBy(HeatmapQuantity by);
  /// What a node was found to have, in seconds, bytes, or as a share; nothing: not known.
  std::optional<double> value(NodeId id) const;
  QString sentence() const { return sentence_; }  // why there is nothing to see
  QSize sizeHint() const override;
  static QString title(HeatmapQuantity by);
  /// Whether its legend lets through what lies below it, until the pointer comes.
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
