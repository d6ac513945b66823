// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/try/drawing_pad.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/ui/predict/hands.hpp"

namespace nw::ui {
namespace {

TEST(DrawingPad, CentresTheDrawingAsMnistDoes) {
  DrawingPad pad;
  pad.resize(200, 200);
  pad.setInputSize(28, 28);
  EXPECT_TRUE(pad.isEmpty());
  mouse(pad, QEvent::MouseButtonPress, {10, 10});  // a small stroke in a corner
  mouse(pad, QEvent::MouseMove, {10, 40});
  mouse(pad, QEvent::MouseButtonRelease, {10, 40});
  const QImage input = pad.input();
  ASSERT_EQ(input.size(), QSize(28, 28));
  ASSERT_EQ(input.format(), QImage::Format_Grayscale8);
  double sum = 0, sx = 0, sy = 0;
  int top = 28, bottom = -1;
  for (int y = 0; y < 28; ++y)
    for (int x = 0; x < 28; ++x)
      if (const int v = input.constScanLine(y)[x]; v > 0) {
        sum += v;
        sx += v * (x + 0.5);
        sy += v * (y + 0.5);
        top = std::min(top, y);
        bottom = std::max(bottom, y);
      }
  ASSERT_GT(sum, 0);
  EXPECT_NEAR(sx / sum, 14, 1);
  EXPECT_NEAR(sy / sum, 14, 1);
  EXPECT_EQ(bottom - top + 1, 20) << "twenty of twenty-eight pixels high";
}

TEST(DrawingPad, UndoesStrokesOneByOne) {
  DrawingPad pad;
  pad.resize(200, 200);
  int changes = 0;
  QObject::connect(&pad, &DrawingPad::changed, [&] { ++changes; });
  click(pad, {50, 50});
  click(pad, {90, 90});
  EXPECT_EQ(pad.strokes(), 2);
  pad.undo();
  EXPECT_EQ(pad.strokes(), 1);
  key(pad, Qt::Key_Delete);
  EXPECT_TRUE(pad.isEmpty());
  EXPECT_EQ(changes, 4);
  pad.clear();
  EXPECT_EQ(changes, 4) << "nothing to clear, nothing to say";
}

}  // namespace
}  // namespace nw::ui
