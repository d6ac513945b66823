// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/scroll_input.hpp"

#include <cmath>

#include "ui/canvas/view/graph_view.hpp"

namespace nw::ui {

bool ScrollInput::handle(QEvent& event) {
  if (event.type() == QEvent::NativeGesture) return touchpad(static_cast<QNativeGestureEvent&>(event));
  if (event.type() != QEvent::Wheel) return false;
  wheel(static_cast<QWheelEvent&>(event));
  return true;
}

void ScrollInput::wheel(QWheelEvent& event) {
  Camera& camera = view_.camera();
  const bool fingers = !event.pixelDelta().isNull() && event.phase() != Qt::NoScrollPhase;
  event.accept();
  if (fingers && !(event.modifiers() & Qt::ControlModifier)) return camera.scrollBy(event.pixelDelta());
  if (event.modifiers() & Qt::ShiftModifier)
    return camera.scrollBy(QPointF(event.angleDelta().y() + event.angleDelta().x(), 0));
  camera.setZoom(camera.zoom() * std::pow(1.0015, event.angleDelta().y()), event.position());
}

/// Pinching zooms at the pointer; a double tap switches between the whole network and 100 %.
bool ScrollInput::touchpad(const QNativeGestureEvent& event) {
  Camera& camera = view_.camera();
  switch (event.gestureType()) {
    case Qt::ZoomNativeGesture:
      camera.setZoom(camera.zoom() * (1 + event.value()), event.position());
      return true;
    case Qt::PanNativeGesture:
      camera.scrollBy(event.delta());
      return true;
    case Qt::SmartZoomNativeGesture:
      if (camera.zoom() < 0.99)
        camera.setZoom(1, event.position());
      else
        camera.fitAll();
      return true;
    default:
      return false;
  }
}

}  // namespace nw::ui
