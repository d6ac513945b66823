// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/display_options.hpp"

namespace nw::ui {

void DisplayOptions::setShowShapes(bool on) {
  showShapes_ = on;
  Q_EMIT changed();
}

void DisplayOptions::setShowCounts(bool on) {
  showCounts_ = on;
  Q_EMIT changed();
}

void DisplayOptions::setSample(const QImage& image) {
  sample_ = image;
  Q_EMIT changed();
}

const QImage* DisplayOptions::output(NodeId id) const {
  const auto found = outputs_.find(id);
  return found == outputs_.end() ? nullptr : &found->second;
}

void DisplayOptions::setOutputs(std::map<NodeId, QImage> images) {
  if (images.empty() && outputs_.empty()) return;
  outputs_ = std::move(images);
  Q_EMIT changed();
}

const HeatmapValue* DisplayOptions::heat(NodeId id) const {
  const auto found = heat_.find(id);
  return found == heat_.end() ? nullptr : &found->second;
}

void DisplayOptions::setHeatmap(std::map<NodeId, HeatmapValue> heat) {
  if (heat.empty() && heat_.empty()) return;
  heat_ = std::move(heat);
  Q_EMIT changed();
}

}  // namespace nw::ui
