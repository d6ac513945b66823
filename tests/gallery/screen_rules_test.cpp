// SPDX-License-Identifier: GPL-3.0-or-later
// The rules for screens find the fault of a small window, and nothing in the same window without it.
#include "tests/gallery/screen_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>

#include "tests/gallery/exceptions.hpp"
#include "tests/gallery/text_form.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// What a window shows.
class Shown {
 public:
  Shown() { window.resize(400, 200); }
  template <class W>
  W& add(W* w, const QRect& place) {
    w->setParent(&window);
    w->setGeometry(place);
    return *w;
  }
  QLabel& label(const QString& text, const QRect& place) { return add(new QLabel(text), place); }
  QPushButton& button(const QString& text, const QRect& place) { return add(new QPushButton(text), place); }
  std::string faults(bool chinese = false) {
    window.show();
    const QImage picture = window.grab().toImage();
    return screenFaults(window, paintedTexts(window), picture, chinese).join(u'\n').toStdString();
  }
  QStringList form() {
    window.show();
    const QImage picture = window.grab().toImage();
    return textForm(window, paintedTexts(window), picture, Figures::settled);
  }
  QWidget window;
};

/// Paints a text that is shortened to its width.
class Short : public QWidget {
 public:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.setPen(theme().text1);
    p.drawText(rect(), Qt::AlignVCenter, fontMetrics().elidedText(text, Qt::ElideRight, width()));
  }
  QString text = QStringLiteral("a name that is too long");
};

using testing::HasSubstr;

TEST(ScreenRules, AClearWindowHasNoFaults) {
  Shown s;
  s.label(QStringLiteral("Learning rate"), {10, 10, 200, 24});
  s.button(QStringLiteral("Train"), {10, 50, 100, 30});
  s.add(new QLineEdit(QStringLiteral("0.05")), {10, 100, 100, 30});
  EXPECT_EQ(s.faults(), "");
}

TEST(ScreenRules, ATextThatIsCutOff) {
  Shown s;
  s.label(QStringLiteral("a name that is too long"), {10, 10, 40, 24});
  EXPECT_THAT(s.faults(), HasSubstr("cut off"));
}

TEST(ScreenRules, ATextThatItsPainterCutsOff) {
  Shown s;
  s.add(new Short, {10, 10, 400, 8});
  EXPECT_THAT(s.faults(), HasSubstr("cut off: \"a name that is too long\""));
}

TEST(ScreenRules, AShortenedTextNeedsAToolTip) {
  Shown s;
  auto& text = s.add(new Short, {10, 10, 60, 24});
  EXPECT_THAT(s.faults(), HasSubstr("elided: \"a name"));
  text.setToolTip(text.text);
  EXPECT_EQ(s.faults(), "");
}

TEST(ScreenRules, AButtonOf23Pixels) {
  Shown s;
  auto& button = s.button(QStringLiteral("OK"), {10, 10, 60, 23});
  EXPECT_THAT(s.faults(), HasSubstr("60 x 23 pixels: \"OK\" QPushButton"));
  button.resize(23, 24);
  EXPECT_THAT(s.faults(), HasSubstr("23 x 24 pixels"));
  button.resize(60, 24);
  EXPECT_EQ(s.faults(), "");
}

TEST(ScreenRules, PaleLetters) {
  Shown s;
  auto& label = s.label(QStringLiteral("Learning rate"), {10, 10, 200, 24});
  QPalette pale = label.palette();
  pale.setColor(QPalette::WindowText, theme().border3);
  label.setPalette(pale);
  EXPECT_THAT(s.faults(), HasSubstr("contrast 2.0"));
  label.setEnabled(false);
  EXPECT_EQ(s.faults(), "");
}

TEST(ScreenRules, LargeLettersNeedLess) {
  Shown s;
  auto& label = s.label(QStringLiteral("89"), {10, 10, 200, 60});
  QPalette grey = label.palette();
  grey.setColor(QPalette::WindowText, QColor(0x888888));  // 3.5:1
  label.setPalette(grey);
  EXPECT_THAT(s.faults(), HasSubstr("contrast 3."));
  QFont large = label.font();
  large.setPixelSize(26);
  label.setFont(large);
  EXPECT_EQ(s.faults(), "");
}

TEST(ScreenRules, TextsOverEachOther) {
  Shown s;
  s.label(QStringLiteral("Learning rate"), {10, 10, 200, 24});
  auto& other = s.label(QStringLiteral("Momentum"), {40, 14, 200, 24});
  EXPECT_THAT(s.faults(), HasSubstr("over each other: \"Learning rate\""));
  other.move(40, 40);
  EXPECT_EQ(s.faults(), "");
}

TEST(ScreenRules, WhatAFieldHidesLiesOverNothing) {
  Shown s;
  s.add(new QLineEdit(QString(60, u'm')), {10, 10, 60, 30});
  s.label(QStringLiteral("Momentum"), {80, 13, 200, 24});
  EXPECT_EQ(s.faults(), "");
}

TEST(ScreenRules, AClosedMenuShowsNothing) {
  Shown s;
  auto* menu = new QMenu(&s.window);
  menu->addAction(QStringLiteral("Delete"));
  menu->resize(menu->sizeHint());
  EXPECT_EQ(s.form(), QStringList());
}

TEST(ScreenRules, OneButtonOverAnother) {
  Shown s;
  s.button(QStringLiteral("Train"), {10, 10, 100, 30});
  auto& other = s.button(QStringLiteral("Stop"), {100, 10, 100, 30});
  EXPECT_THAT(s.faults(), HasSubstr("overlap: \"Train\""));
  other.move(120, 10);
  EXPECT_EQ(s.faults(), "");
}

TEST(ScreenRules, AButtonThatIsCovered) {
  Shown s;
  s.button(QStringLiteral("Train"), {10, 10, 100, 30});
  s.label(QString(), {0, 0, 200, 100}).raise();
  EXPECT_THAT(s.faults(), HasSubstr("covered: \"Train\""));
}

TEST(ScreenRules, EnglishInAChineseWindow) {
  Shown s;
  auto& label = s.label(QStringLiteral("训练 the network"), {10, 10, 300, 24});
  EXPECT_THAT(s.faults(true), HasSubstr("not Chinese: the network"));
  EXPECT_EQ(s.faults(false), "");
  label.setText(QStringLiteral("训练 LeNet-5：Conv2d、GPU、AdamW"));
  EXPECT_EQ(s.faults(true), "");
  label.setText(QStringLiteral("Image…"));
  EXPECT_EQ(s.faults(true), "") << "what is left of Imagenette";
  label.setText(QStringLiteral("Preferences…"));
  EXPECT_THAT(s.faults(true), HasSubstr("not Chinese: Preferences"));
}

TEST(ScreenRules, ExceptionsHoldForTheirScreenAlone) {
  const QStringList faults{QStringLiteral("over each other: \"a\", \"b\""), QStringLiteral("elided: \"a…\"")};
  EXPECT_EQ(withoutExceptions(QStringLiteral("lanes"), faults), faults.mid(1));
  EXPECT_EQ(withoutExceptions(QStringLiteral("lanes-small"), faults), faults);
}

TEST(TextForm, TellsRoleWordsPlaceStateAndColours) {
  Shown s;
  s.label(QStringLiteral("Learning rate"), {16, 8, 200, 24});
  s.add(makeButton(QStringLiteral("Train"), ButtonKind::primary), {16, 48, 80, 30}).setEnabled(true);
  EXPECT_EQ(s.form(), (QStringList{QStringLiteral("StaticText \"Learning rate\" @2,1+25x3 text1 on window"),
                                   QStringLiteral("Button \"Train\" @2,6+10x4 raised on accent")}));
}

/// The lines that a change of the window changes.
std::string changed(const std::function<void(QLabel&, QPushButton&)>& change) {
  Shown s;
  auto& label = s.label(QStringLiteral("Learning rate"), {16, 8, 200, 24});
  auto& button = s.button(QStringLiteral("Train"), {16, 48, 80, 30});
  const QStringList before = s.form();
  change(label, button);
  return differences(before, s.form()).join(u'\n').toStdString();
}

TEST(TextForm, DiffersWhereAnythingChanges) {
  EXPECT_EQ(changed([](QLabel&, QPushButton&) {}), "");
  EXPECT_THAT(changed([](QLabel& l, QPushButton&) { l.setText(QStringLiteral("Learning rates")); }),
              HasSubstr("+StaticText \"Learning rates\""));
  EXPECT_THAT(changed([](QLabel&, QPushButton& b) { b.setEnabled(false); }), HasSubstr(" disabled"));
  EXPECT_THAT(changed([](QLabel& l, QPushButton&) { l.setForegroundRole(QPalette::Highlight); }),
              HasSubstr("+StaticText \"Learning rate\" @2,1+25x3 accent on window"));
  EXPECT_THAT(changed([](QLabel&, QPushButton& b) { b.hide(); }), HasSubstr("-Button \"Train\""));
  EXPECT_THAT(changed([](QLabel& l, QPushButton&) { l.move(60, 8); }), HasSubstr("@8,1+25x3"));
  EXPECT_EQ(changed([](QLabel& l, QPushButton&) { l.move(20, 8); }), "");
}

TEST(TextForm, LeavesOutWhatComputersDoDifferently) {
  const auto settled = [](const char* text) { return masked(QString::fromUtf8(text), Figures::settled).toStdString(); };
  EXPECT_EQ(settled("/home/ada/runs/x: 12 of 44,426 parameters"), "<path>: 12 of 44,426 parameters");
  EXPECT_EQ(settled("2026-11-26-lenet5-a7 began 09:21:03"), "<date> began <time>");
  EXPECT_EQ(settled("took 3.1 s at 812 MB/s"), "took <figure> at <figure>");
  EXPECT_EQ(settled("/home/\u200bada/\u200bruns"), "<path>");
  EXPECT_EQ(settled("lenet5 · d4, mlp be, resnet18-cifar 77 98"), "lenet5 · <id>, mlp <id>, resnet18-cifar <id> 98");
  EXPECT_EQ(settled("mlp 98.73 %"), "mlp <figure>");
  EXPECT_EQ(masked(QStringLiteral("12 epochs, loss 0.31"), Figures::measured).toStdString(), "# epochs, loss #");
  EXPECT_EQ(masked(QStringLiteral("1.2 k requests"), Figures::measured).toStdString(), "# requests");
}

}  // namespace
}  // namespace nw::ui
