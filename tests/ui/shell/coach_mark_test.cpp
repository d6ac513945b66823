// SPDX-License-Identifier: GPL-3.0-or-later
// The guide's ring: how far the window below it stays visible.
#include <gtest/gtest.h>

#include <QWidget>

#include "ui/shell/help/coach_mark.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

/// The colour at a position of a plain red window with the ring around its middle.
QColor underTheGuide(ThemeMode mode, QPoint at) {
  applyTheme(mode);
  QWidget window;
  window.resize(800, 600);
  window.setAutoFillBackground(true);
  QPalette red;
  red.setColor(QPalette::Window, Qt::red);
  window.setPalette(red);
  CoachMark mark(&window);
  window.show();
  mark.pointAt({300, 200, 200, 100});
  const QColor seen(window.grab().toImage().pixel(at));
  applyTheme(ThemeMode::dark);
  return seen;
}

TEST(CoachMark, OutlinesItsTargetAndChangesNothingElse) {
  const QPoint beside(40, 40), inside(400, 250), edge(294, 250);
  EXPECT_EQ(underTheGuide(ThemeMode::dark, beside), QColor(Qt::red)) << "what is explained may lie beside the target";
  EXPECT_EQ(underTheGuide(ThemeMode::dark, inside), QColor(Qt::red));
  EXPECT_EQ(underTheGuide(ThemeMode::contrast, beside), QColor(Qt::red));
  EXPECT_EQ(underTheGuide(ThemeMode::contrast, inside), QColor(Qt::red));
  const QColor outline = underTheGuide(ThemeMode::contrast, edge);
  applyTheme(ThemeMode::contrast);
  EXPECT_EQ(outline, theme().ring);
  applyTheme(ThemeMode::dark);
}

}  // namespace
}  // namespace nw::ui
