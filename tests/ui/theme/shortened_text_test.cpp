// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/shortened_text.hpp"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/theme/contrast.hpp"
#include "ui/theme/tokens.hpp"

namespace nw::ui {
namespace {

const QString name = QStringLiteral("n02102040 <English springer>");

class Painted : public QWidget {
 public:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.translate(10, 0);
    const QRectF where(0, 20, width() - 10, 20);
    p.drawText(where, shown = shortenedText(p, where, name));
  }
  QString shown;
};

/// What is said where the pointer rests. Qt's own way to hide a tool tip takes some time.
QString tipAt(QWidget& w, const QPoint& at) {
  for (QWidget* top : QApplication::topLevelWidgets())
    if (top->inherits("QTipLabel")) top->hide();
  QHelpEvent rest(QEvent::ToolTip, at, w.mapToGlobal(at));
  QApplication::sendEvent(&w, &rest);
  return QToolTip::isVisible() ? QToolTip::text() : QString();
}

Painted& shown(Painted& w, int width) {
  w.resize(width, 60);
  w.grab();
  return w;
}

TEST(ShortenedText, IsWholeWhereThePointerRestsOnIt) {
  Painted w;
  EXPECT_EQ(tipAt(shown(w, 80), {30, 30}), name);
  EXPECT_TRUE(w.shown.endsWith(QChar(0x2026)));
  EXPECT_EQ(tipAt(w, {5, 30}), QString()) << "left of it: the painter was moved";
  EXPECT_EQ(tipAt(w, {30, 50}), QString());
}

TEST(ShortenedText, SaysNothingWhereThereIsRoom) {
  Painted w;
  shown(w, 80);
  EXPECT_EQ(tipAt(shown(w, 400), {30, 30}), QString()) << "what was said of the narrow one is forgotten";
  EXPECT_EQ(w.shown, name);
}

TEST(ShortenedText, StandsBeforeTheWidgetsOwnToolTip) {
  Painted w;
  w.setToolTip(QStringLiteral("A class"));
  EXPECT_EQ(tipAt(shown(w, 80), {30, 30}), name + QStringLiteral("\nA class"));
  w.setToolTip(name);
  EXPECT_EQ(tipAt(w, {30, 30}), name);
}

TEST(ShortenedText, OfAComboBoxToo) {
  QComboBox box;
  box.addItem(QStringLiteral("A Kubernetes cluster, by kubectl: a Job"));
  box.setFixedSize(140, 30);
  box.grab();
  EXPECT_EQ(tipAt(box, {40, 15}), box.currentText());
}

/// Figures in bars of any colour that the themes have.
TEST(BlackOrWhite, CanBeReadOnEveryColour) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  for (int grey = 0; grey < 256; ++grey) {
    const double light = linear(grey / 255.0);
    const bool black = blackOrWhiteOn(QColor(grey, grey, grey)) == QColor(Qt::black);
    EXPECT_GE(black ? (light + 0.05) / 0.05 : 1.05 / (light + 0.05), 4.5) << grey;
  }
}

}  // namespace
}  // namespace nw::ui
