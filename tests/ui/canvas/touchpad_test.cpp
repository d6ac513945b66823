// SPDX-License-Identifier: GPL-3.0-or-later
// Two-finger gestures on a touchpad.
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QWheelEvent>

#include "tests/ui/canvas/bench.hpp"

namespace nw::ui {
namespace {

class Touchpad : public CanvasTest {
 protected:
  Touchpad() {
    open("lenet5");
    view().camera().setZoom(1, QPointF(0, 0));
    view().centerOn(0, 300);
  }
  void pinch(Qt::NativeGestureType type, qreal value, QPointF delta = {}) {
    QNativeGestureEvent event(type, QPointingDevice::primaryPointingDevice(), 2, pointer, pointer,
                              port()->mapToGlobal(pointer), value, delta);
    QCoreApplication::sendEvent(port(), &event);
  }
  void fingers(QPoint pixels, Qt::ScrollPhase phase, Qt::KeyboardModifiers keys = {}) {
    QWheelEvent event(pointer, port()->mapToGlobal(pointer), pixels, pixels * 8, Qt::NoButton, keys, phase, false);
    QCoreApplication::sendEvent(port(), &event);
  }
  QPointF under() { return view().mapToScene(pointer.toPoint()); }
  const QPointF pointer{700, 350};
};

TEST_F(Touchpad, TwoFingersScrollByAsManyPixels) {
  const QPointF before = under();
  fingers({30, -50}, Qt::ScrollBegin);
  fingers({10, -10}, Qt::ScrollUpdate);
  EXPECT_DOUBLE_EQ(view().camera().zoom(), 1);
  EXPECT_NEAR(under().x(), before.x() - 40, 1);
  EXPECT_NEAR(under().y(), before.y() + 60, 1);
}

TEST_F(Touchpad, WithControlTwoFingersZoom) {
  const QPointF before = under();
  fingers({0, 20}, Qt::ScrollUpdate, Qt::ControlModifier);
  EXPECT_GT(view().camera().zoom(), 1.1);
  EXPECT_LT(QLineF(under(), before).length(), 2) << "what is under the pointer stays there";
}

TEST_F(Touchpad, PinchingZoomsAtThePointer) {
  const QPointF before = under();
  pinch(Qt::ZoomNativeGesture, 0.2);
  EXPECT_NEAR(view().camera().zoom(), 1.2, 1e-6);
  pinch(Qt::ZoomNativeGesture, 0.25);
  EXPECT_NEAR(view().camera().zoom(), 1.5, 1e-6);
  EXPECT_LT(QLineF(under(), before).length(), 2);
  for (int i = 0; i < 60; ++i) pinch(Qt::ZoomNativeGesture, -0.2);
  EXPECT_GE(view().camera().zoom(), 0.099) << "there is an end";
}

TEST_F(Touchpad, DoubleTapTogglesBetweenFitAllAndActualSize) {
  view().camera().fitAll();
  const qreal whole = view().camera().zoom();
  view().camera().setZoom(0.3, QPointF(0, 0));
  pinch(Qt::SmartZoomNativeGesture, 0);
  EXPECT_DOUBLE_EQ(view().camera().zoom(), 1);
  view().camera().setZoom(2.5, QPointF(0, 0));
  pinch(Qt::SmartZoomNativeGesture, 0);
  EXPECT_DOUBLE_EQ(view().camera().zoom(), whole);
}

TEST_F(Touchpad, APanGestureMovesTheView) {
  const QPointF before = under();
  pinch(Qt::PanNativeGesture, 0, {-25, 40});
  EXPECT_NEAR(under().x(), before.x() + 25, 1);
  EXPECT_NEAR(under().y(), before.y() - 40, 1);
}

}  // namespace
}  // namespace nw::ui
