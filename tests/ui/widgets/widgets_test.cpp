// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/widgets.hpp"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QImage>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

#include "ui/theme/theme.hpp"
#include "ui/widgets/adaptive.hpp"

namespace nw::ui {
namespace {

TEST(WrappingBar, AWidgetWiderThanItsHintOverlapsNoOther) {
  WrappingBar bar;
  auto* wide = new QLineEdit;
  wide->setMinimumWidth(400);  // more than its size hint
  auto* beside = new QLineEdit;
  bar.addWidget(wide);
  bar.addWidget(beside, true);
  for (const int width : {1000, 600, 520, 410}) {
    bar.resize(width, 100);
    bar.show();
    QApplication::sendPostedEvents();
    EXPECT_FALSE(wide->geometry().intersects(beside->geometry())) << width;
  }
}

TEST(WrappingBar, APartShownWhileTheBarIsHiddenOverlapsNoOther) {
  WrappingBar bar;
  QLineEdit* parts[3];
  for (QLineEdit*& part : parts) bar.addWidget(part = new QLineEdit, false);
  parts[1]->hide();
  bar.resize(1000, 40);
  bar.show();
  QApplication::sendPostedEvents();
  bar.hide();
  parts[1]->show();
  QApplication::sendPostedEvents();
  bar.show();
  QApplication::sendPostedEvents();
  EXPECT_FALSE(parts[0]->geometry().intersects(parts[1]->geometry()));
  EXPECT_FALSE(parts[1]->geometry().intersects(parts[2]->geometry()));
}

TEST(WrappingBar, PartsOfTheFirstLineThatDoNotFitGoOnBelow) {
  WrappingBar bar;
  QLineEdit* parts[3];
  for (QLineEdit*& part : parts) {
    bar.addWidget(part = new QLineEdit, &part == &parts[2]);
    part->setMinimumWidth(200);
  }
  bar.show();
  bar.resize(300, bar.sizeHint().height());
  QApplication::sendPostedEvents();
  for (const QLineEdit* part : parts) {
    EXPECT_EQ(part->width(), 200) << "none is cut off";
    EXPECT_LE(part->geometry().bottom(), bar.sizeHint().height());
  }
  EXPECT_LT(parts[0]->geometry().bottom(), parts[1]->y());
  EXPECT_LT(parts[1]->geometry().bottom(), parts[2]->y());
}

TEST(SegmentedControl, NarrowerThanItsTextsItShortensThemAndEverySegmentIsReached) {
  SegmentedControl control;
  for (const char* text : {"All 2000", "Predicted in another range 375", "Low confidence"})
    control.addSegment(QString::fromLatin1(text));
  control.resize(control.sizeHint());
  EXPECT_EQ(control.shownText(1), control.segmentText(1));
  control.resize(260, control.height());
  EXPECT_TRUE(control.shownText(1).endsWith(u'…')) << control.shownText(1).toStdString();
  EXPECT_LE(control.segmentRect(2).right(), 260);
  QTest::mouseClick(&control, Qt::LeftButton, {}, {250, control.height() / 2});
  EXPECT_EQ(control.current(), 2);
}

TEST(SegmentedControl, IsMovedByArrowKeysAndByTheMouse) {
  SegmentedControl control;
  for (const char* text : {"Design", "Train", "Predict", "Runs"}) control.addSegment(QString::fromLatin1(text));
  QSignalSpy spy(&control, &SegmentedControl::currentChanged);
  control.resize(control.sizeHint());
  control.show();
  QTest::keyClick(&control, Qt::Key_Right);
  EXPECT_EQ(control.current(), 1);
  QTest::keyClick(&control, Qt::Key_End);
  EXPECT_EQ(control.current(), 3);
  QTest::keyClick(&control, Qt::Key_Right);
  EXPECT_EQ(control.current(), 3);
  QTest::mouseClick(&control, Qt::LeftButton, {}, {20, control.height() / 2});
  EXPECT_EQ(control.current(), 0);
  EXPECT_EQ(spy.count(), 3);
}

TEST(SegmentedControl, IsAListOfTabsToAScreenReader) {
  SegmentedControl control;
  for (const char* text : {"Design", "Train", "Predict"}) control.addSegment(QString::fromLatin1(text));
  control.resize(control.sizeHint());
  control.show();
  QAccessibleInterface* voice = QAccessible::queryAccessibleInterface(&control);
  ASSERT_NE(voice, nullptr);
  EXPECT_EQ(voice->role(), QAccessible::PageTabList);
  ASSERT_EQ(voice->childCount(), 3);
  QAccessibleInterface* train = voice->child(1);
  EXPECT_EQ(train->text(QAccessible::Name), QStringLiteral("Train"));
  EXPECT_EQ(train->role(), QAccessible::PageTab);
  EXPECT_EQ(voice->indexOfChild(train), 1);
  EXPECT_EQ(voice->childAt(train->rect().center().x(), train->rect().center().y()), train);
  EXPECT_TRUE(voice->child(0)->state().selected);
  train->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  EXPECT_EQ(control.current(), 1);
  EXPECT_TRUE(train->state().selected);
  EXPECT_FALSE(voice->child(0)->state().selected);
  control.setSegmentText(1, QStringLiteral("Look"));
  EXPECT_EQ(train->text(QAccessible::Name), QStringLiteral("Look"));
}

double brightness(bool on, ThemeMode mode) {
  applyTheme(mode);
  ToggleSwitch toggle(QStringLiteral("Shuffle"));
  toggle.setChecked(on);
  toggle.resize(toggle.sizeHint());
  QImage image(toggle.size(), QImage::Format_RGB32);
  image.fill(theme().window);
  toggle.render(&image, {}, {}, QWidget::DrawChildren);
  double sum = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) sum += qGray(image.pixel(x, y));
  return sum / (image.width() * image.height());
}

TEST(ToggleSwitch, OnIsBrighterThanOffInHighContrastAndBothCanBeSeen) {
  const double on = brightness(true, ThemeMode::contrast), off = brightness(false, ThemeMode::contrast);
  EXPECT_GT(on, off);
  EXPECT_GT(off, 10) << "the outline";
  applyTheme(ThemeMode::dark);
}

TEST(Labels, ShowMarkupAsPlainText) {
  const std::unique_ptr<QLabel> label(makeLabel(QStringLiteral("<b>conv1</b>")));
  EXPECT_EQ(label->textFormat(), Qt::PlainText);
  const std::unique_ptr<QLabel> pill(makePill(QStringLiteral("<i>x</i>"), QStringLiteral("ok")));
  EXPECT_EQ(pill->textFormat(), Qt::PlainText);
}

TEST(Labels, FollowASwitchOfTheme) {
  applyTheme(ThemeMode::light);
  const std::unique_ptr<QLabel> label(makeLabel(QStringLiteral("a"), 2));
  label->show();
  applyTheme(ThemeMode::dark);
  QCoreApplication::processEvents();
  EXPECT_EQ(label->palette().color(QPalette::WindowText), theme().text2);
  applyTheme(ThemeMode::light);
}

TEST(IconButtons, HaveAnAccessibleName) {
  const std::unique_ptr<QPushButton> button(makeIconButton(QStringLiteral("undo"), QStringLiteral("Undo")));
  EXPECT_EQ(button->accessibleName(), QStringLiteral("Undo"));
}

TEST(FormSection, NamesItsControlsAfterTheirRows) {
  FormSection section(QStringLiteral("Layer"));
  auto* box = new QComboBox;
  section.addRow(QStringLiteral("Optimizer"), box, QStringLiteral("How weights are changed."));
  EXPECT_EQ(box->accessibleName(), QStringLiteral("Optimizer"));
  EXPECT_EQ(box->toolTip(), QStringLiteral("How weights are changed."));
  section.show();
  EXPECT_TRUE(box->isVisible());
  section.setOpen(false);
  EXPECT_FALSE(box->isVisible());
}

TEST(EmptyState, OffersOneAction) {
  EmptyState state;
  QSignalSpy spy(&state, &EmptyState::actionTriggered);
  state.resize(400, 300);
  state.show(QStringLiteral("image"), QStringLiteral("No predictions yet"), QStringLiteral("Train, or load weights"),
             QStringLiteral("Load weights"));
  EXPECT_FALSE(state.isVisible()) << "without a place it must not become a window of its own";
  state.setVisible(true);
  auto* button = state.findChild<QPushButton*>();
  ASSERT_TRUE(button && button->isVisible());
  button->click();
  EXPECT_EQ(spy.count(), 1);
  state.show(QStringLiteral("image"), QStringLiteral("Nothing"), QStringLiteral("At all"));
  EXPECT_FALSE(button->isVisible());
}

TEST(Buttons, APrimaryOneIsPaintedInTheAccent) {
  const std::unique_ptr<QPushButton> button(makeButton(QStringLiteral("Train"), ButtonKind::primary));
  button->resize(120, 30);
  EXPECT_EQ(button->grab().toImage().pixelColor(8, 15), theme().accent);
  setButtonKind(button.get(), ButtonKind::tonal);
  EXPECT_EQ(button->grab().toImage().pixelColor(8, 15), theme().accentSoft);
}

}  // namespace
}  // namespace nw::ui
