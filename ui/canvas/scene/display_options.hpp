// SPDX-License-Identifier: GPL-3.0-or-later
// What a scene can show beside the network: shapes, numbers of parameters, a sample image, the outputs of layers,
// the heatmap.
#pragma once
#include <QImage>
#include <QObject>
#include <map>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

/// How much of the heatmap's quantity a node has, 0…1, and the figure as text.
struct HeatmapValue {
  double share = 0;
  QString text;
};

class DisplayOptions : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  bool showShapes() const { return showShapes_; }
  void setShowShapes(bool on);
  bool showCounts() const { return showCounts_; }
  void setShowCounts(bool on);
  const QImage& sample() const { return sample_; }
  void setSample(const QImage& image);
  const QImage* output(NodeId) const;  // of the layer for a sample; null: not shown
  void setOutputs(std::map<NodeId, QImage> images);
  const HeatmapValue* heat(NodeId) const;  // null: no tint
  void setHeatmap(std::map<NodeId, HeatmapValue> heat);

 Q_SIGNALS:
  void changed();

 private:
  bool showShapes_ = true, showCounts_ = true;
  QImage sample_;
  std::map<NodeId, QImage> outputs_;
  std::map<NodeId, HeatmapValue> heat_;
};

}  // namespace nw::ui
