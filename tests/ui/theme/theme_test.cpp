// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.hpp"
#include <QApplication>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPalette>
#include <QToolTip>
#include "ui/theme/sentences.hpp"

#include <gtest/gtest.h>

#include <QDirIterator>
#include <QFile>
#include <QImage>
#include <QSvgRenderer>
#include <cmath>

#include "engine/design/layer_type.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/tokens.hpp"

namespace nw::ui {
namespace {

double channel(double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
/// Relative luminance and contrast of WCAG 2.1, 1.4.3.
double luminance(const QColor& c) {
  return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}
double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(Style, NamesInLabelsAndTooltipsAreNotMarkup) {
  applyTheme(ThemeMode::dark);
  const QString name = QStringLiteral("<img src=\"/etc/passwd\"><b>cat</b>");
  QLabel label(name);
  label.ensurePolished();
  EXPECT_EQ(label.textFormat(), Qt::PlainText);
  QToolTip::showText(QPoint(5, 5), name, nullptr);
  int tips = 0;
  for (QWidget* w : QApplication::topLevelWidgets())
    if (w->inherits("QTipLabel")) {
      ++tips;
      EXPECT_EQ(qobject_cast<QLabel*>(w)->textFormat(), Qt::PlainText);
      EXPECT_EQ(qobject_cast<QLabel*>(w)->text(), name);
    }
  EXPECT_EQ(tips, 1);
  QToolTip::hideText();
}

TEST(Style, NamesInMessageBoxesAndDialogsForATextAreNotMarkup) {
  applyTheme(ThemeMode::dark);
  const QString name = QStringLiteral("<img src=\"/etc/passwd\"><b>cat</b>");
  QMessageBox box(QMessageBox::Question, name, name);
  box.setInformativeText(name);
  QInputDialog input;
  input.setLabelText(name);
  for (QDialog* dialog : std::initializer_list<QDialog*>{&box, &input}) {
    dialog->show();
    int shown = 0;
    for (const QLabel* label : dialog->findChildren<QLabel*>()) {
      if (label->text() != name) continue;
      EXPECT_EQ(label->textFormat(), Qt::PlainText);
      ++shown;
    }
    EXPECT_GE(shown, 1);
  }
}

TEST(Style, ATextTooLongForItsComboBoxEndsWithAnEllipsis) {
  applyTheme(ThemeMode::dark);
  const auto picture = [](const QString& text) {
    QComboBox box;
    box.addItem(text);
    box.setFixedSize(140, 30);
    return box.grab().toImage();
  };
  const QString whole = QStringLiteral("Bilinear, antialiased (as torchvision)");
  const QImage drawn = picture(whole);
  bool found = false;
  for (int length = 3; length < whole.size() && !found; ++length) {
    const QString cut = whole.left(length) + QChar(0x2026);
    found = QFontMetrics(QComboBox().font()).horizontalAdvance(cut) < 120 && picture(cut) == drawn;
  }
  EXPECT_TRUE(found) << "it is cut off in the middle of a letter";
  EXPECT_NE(drawn, picture(whole.left(8)));
}

class BothThemes : public testing::TestWithParam<bool> {
 protected:
  Theme t = GetParam() ? darkTheme() : lightTheme();
};

TEST_P(BothThemes, TextHasEnoughContrastOnEverySurface) {
  for (const QColor& surface : {t.canvas, t.window, t.sunken, t.raised, t.overlay, t.hover}) {
    EXPECT_GE(contrast(t.text1, surface), 12.0) << surface.name().toStdString();
    EXPECT_GE(contrast(t.text2, surface), 6.0) << surface.name().toStdString();
    EXPECT_GE(contrast(t.text3, surface), 4.5) << surface.name().toStdString();
  }
  EXPECT_GE(contrast(t.onAccent, t.accent), 4.5);
  EXPECT_GE(contrast(t.accentText, t.accentSoft), 4.5);
  EXPECT_GE(contrast(t.ok, t.okSoft), 4.5);
  EXPECT_GE(contrast(t.warn, t.warnSoft), 4.5);
  EXPECT_GE(contrast(t.error, t.errorSoft), 4.5);
}

TEST_P(BothThemes, CurvesHaveEnoughContrastOnTheirChart) {
  for (const QColor& series : t.series) EXPECT_GE(contrast(series, t.chartCard), 4.5) << series.name().toStdString();
}

TEST_P(BothThemes, EveryLayerGroupHasAColourOfItsOwn) {
  QSet<QRgb> seen;
  for (const char* group : {"Input", "Convolution", "Pooling", "Normalization", "Activation", "Linear", "Attention",
                            "Regularization", "Shape", "Loss"}) {
    EXPECT_NE(t.group(group), t.text3) << group;
    seen.insert(t.group(group).rgb());
  }
  EXPECT_EQ(seen.size(), 10);
}

INSTANTIATE_TEST_SUITE_P(Theme, BothThemes, testing::Bool(),
                         [](const auto& info) { return info.param ? "Dark" : "Light"; });

TEST(HighContrast, HasAContrastOfSevenToOneOnEverySurface) {
  const Theme t = contrastTheme();
  EXPECT_TRUE(t.highContrast);
  for (const QColor& surface :
       {t.canvas, t.window, t.sunken, t.raised, t.overlay, t.hover, t.chosen, t.field, t.chartCard}) {
    for (const QColor& text : {t.text1, t.text2, t.text3})
      EXPECT_GE(contrast(text, surface), 7.0) << text.name().toStdString() << " on " << surface.name().toStdString();
    EXPECT_GE(contrast(t.border3, surface), 7.0) << surface.name().toStdString();
    EXPECT_GE(contrast(t.ring, surface), 7.0) << surface.name().toStdString();
  }
  for (const QColor& surface : {t.canvas, t.window, t.raised, t.overlay})
    for (const QColor& tone : {t.accentText, t.ok, t.warn, t.error})
      EXPECT_GE(contrast(tone, surface), 7.0) << tone.name().toStdString();
  EXPECT_GE(contrast(t.onAccent, t.accent), 7.0);
  EXPECT_GE(contrast(t.accentText, t.accentSoft), 7.0);
  EXPECT_GE(contrast(t.text1, t.accentSoft), 7.0);
  EXPECT_GE(contrast(t.ok, t.okSoft), 7.0);
  EXPECT_GE(contrast(t.warn, t.warnSoft), 7.0);
  EXPECT_GE(contrast(t.error, t.errorSoft), 7.0);
  EXPECT_GE(contrast(t.border2, t.window), 4.5) << "the edges of controls";
}

TEST(HighContrast, HoldsForCurvesAndLayers) {
  const Theme t = contrastTheme();
  for (const QColor& series : t.series) EXPECT_GE(contrast(series, t.chartCard), 7.0) << series.name().toStdString();
  for (const char* group : {"Input", "Convolution", "Pooling", "Normalization", "Activation", "Linear", "Attention",
                            "Regularization", "Shape", "Loss"}) {
    EXPECT_GE(contrast(t.group(group), t.raised), 7.0) << group;
    EXPECT_GE(contrast(t.group(group), t.tile(group)), 7.0) << group;
  }
}

TEST(HighContrast, FollowsABlackAndWhiteDesktopOnly) {
  QPalette desktop(Qt::white, Qt::black, Qt::white, Qt::black, Qt::gray, Qt::white, Qt::white, Qt::black, Qt::black);
  EXPECT_EQ(modeOf(desktop), ThemeMode::contrast);
  desktop.setColor(QPalette::Window, QColor(0x2b, 0x2b, 0x2b));
  EXPECT_EQ(modeOf(desktop), ThemeMode::dark);
  desktop.setColor(QPalette::Window, QColor(0xef, 0xef, 0xef));
  desktop.setColor(QPalette::WindowText, Qt::black);
  EXPECT_EQ(modeOf(desktop), ThemeMode::light);
  applyTheme(ThemeMode::contrast);
  EXPECT_TRUE(theme().highContrast);
  EXPECT_EQ(QGuiApplication::palette().color(QPalette::Window), contrastTheme().window);
  applyTheme(ThemeMode::light);
  EXPECT_FALSE(theme().highContrast);
}

TEST(Theme, AColourRampPassesThroughItsStops) {
  const Theme t = lightTheme();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Theme::ramp(t.countRamp, i / 4.0), t.countRamp[i]);
  EXPECT_EQ(Theme::ramp(t.countRamp, -1), t.countRamp[0]);
  EXPECT_EQ(Theme::ramp(t.countRamp, 2), t.countRamp[4]);
  EXPECT_EQ(Theme::ramp(t.countRamp, std::nan("")), t.countRamp[0]);
}

TEST(Theme, SwitchingChangesThePaletteOfTheApplication) {
  applyTheme(ThemeMode::dark);
  EXPECT_TRUE(theme().dark);
  EXPECT_EQ(QGuiApplication::palette().color(QPalette::Window), darkTheme().window);
  applyTheme(ThemeMode::light);
  EXPECT_FALSE(theme().dark);
  EXPECT_EQ(QGuiApplication::palette().color(QPalette::WindowText), lightTheme().text1);
}

TEST(Fonts, TheBundledFontIsLoadedWithTabularDigits) {
  const QFontInfo info(font(TextRole::body));
  EXPECT_EQ(info.family(), QStringLiteral("NwSans"));
  const QFontMetricsF metrics(font(TextRole::body));
  for (char c = '0'; c <= '9'; ++c)
    EXPECT_DOUBLE_EQ(metrics.horizontalAdvance(QChar(c)), metrics.horizontalAdvance(u'0')) << c;
}

TEST(Icons, EveryFileIsDrawnOnAGridOf24) {
  int count = 0;
  for (QDirIterator it(QStringLiteral(":/icons"), {QStringLiteral("*.svg")}); it.hasNext(); ++count) {
    QSvgRenderer drawing(it.next());
    EXPECT_TRUE(drawing.isValid()) << it.fileName().toStdString();
    EXPECT_TRUE(it.fileName() == QLatin1String("netwright.svg") || drawing.viewBoxF() == QRectF(0, 0, 24, 24))
        << it.fileName().toStdString();
  }
  EXPECT_GE(count, 70);
}

TEST(Icons, EveryLayerHasItsOwnOrThatOfItsGroup) {
  for (const LayerType* layer : all_layers()) {
    const QString type = QString::fromUtf8(layer->name.data(), qsizetype(layer->name.size())),
                  group = QString::fromUtf8(layer->group.data(), qsizetype(layer->group.size()));
    const QString found = layerIcon(type, group);
    EXPECT_NE(found.toStdString(), "layer-unknown")
        << "the layer " << layer->name << " has no icon and its group \"" << layer->group
        << "\" has none: draw resources/icons/layer-" << type.toLower().toStdString()
        << ".svg, or name the group's icon in groupIcon() of ui/theme/icons.cpp";
    EXPECT_TRUE(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(found)))
        << "resources/icons/" << found.toStdString() << ".svg, the icon of the layer " << layer->name
        << ", is missing: draw it";
  }
}

TEST(Icons, ALayerWithoutItsOwnGetsThatOfItsGroup) {
  EXPECT_EQ(layerIcon(QStringLiteral("Conv9d"), QStringLiteral("Convolution")).toStdString(), "layer-conv2d");
  EXPECT_EQ(layerIcon(QStringLiteral("Swish9"), QStringLiteral("Activation")).toStdString(), "layer-relu");
}

TEST(Icons, AreDrawnInTheColourRequestedAtAnyPixelRatio) {
  QImage image(48, 48, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(2);
  image.fill(Qt::transparent);
  QPainter p(&image);
  paintIcon(p, QStringLiteral("stop"), QRectF(0, 0, 24, 24), QColor(10, 200, 30));
  p.end();
  EXPECT_EQ(image.pixelColor(24, 24), QColor(10, 200, 30));
  EXPECT_EQ(image.pixelColor(1, 1).alpha(), 0);
}

TEST(Sentences, AreJoinedByASpaceExceptAfterAChineseFullStop) {
  EXPECT_EQ(joinedSentences(QStringLiteral("It ended."), QStringLiteral("Try again.")), "It ended. Try again.");
  EXPECT_EQ(joinedSentences(QStringLiteral("已结束。"), QStringLiteral("请重试。")),
            QStringLiteral("已结束。请重试。"));
  EXPECT_EQ(joinedSentences({}, QStringLiteral("Try again.")), "Try again.");
  EXPECT_EQ(joinedSentences(QStringLiteral("It ended."), {}), "It ended.");
}

TEST(Numbers, AreGroupedAndRoundedForReading) {
  const QChar thin(0x2009);
  EXPECT_EQ(grouped(60000), QStringLiteral("60") + thin + QStringLiteral("000"));
  EXPECT_EQ(grouped(-1234567), QStringLiteral("-1") + thin + QStringLiteral("234") + thin + QStringLiteral("567"));
  EXPECT_EQ(grouped(999), QStringLiteral("999"));
  EXPECT_EQ(rounded(850), QStringLiteral("850"));
  EXPECT_EQ(rounded(2416), QString::fromUtf8("2.4\u202Fk"));
  EXPECT_EQ(rounded(11200000), QString::fromUtf8("11.2\u202FM"));
  EXPECT_EQ(bytesText(610e6), QStringLiteral("610 MB"));
  EXPECT_EQ(bytesText(24e9), QStringLiteral("24.0 GB"));
  EXPECT_EQ(millisecondsText(0.0613), QStringLiteral("0.0613 ms"));
  EXPECT_EQ(millisecondsText(999.4), QStringLiteral("999 ms"));
  EXPECT_EQ(millisecondsText(1240.3), QString::fromUtf8("1\u2009240 ms"));
  EXPECT_EQ(millisecondsText(0), QString::fromUtf8("–"));
  EXPECT_EQ(durationText(458), QStringLiteral("7 min 38 s"));
  EXPECT_EQ(durationText(0.0523), QStringLiteral("52 ms"));
  EXPECT_EQ(percentText(0.989), QStringLiteral("98.9 %"));
  EXPECT_EQ(deviceText("cpu (Intel(R) Xeon(R) Processor, avx512)"), QStringLiteral("CPU"));
  EXPECT_EQ(deviceText("cpu:0, cpu:1 (Intel, avx2)"), QStringLiteral("CPU 0, CPU 1"));
  EXPECT_EQ(deviceText("cuda:0, cuda:1, cuda:2, cuda:3 (NVIDIA)"), QStringLiteral("4 × GPU"));
  EXPECT_EQ(deviceText("reference (plain loops)"), QStringLiteral("reference"));
}

}  // namespace
}  // namespace nw::ui
