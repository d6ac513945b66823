// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/banner.hpp"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "ui/session/session.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/window/application.hpp"

namespace nw::ui {
namespace {

struct BannerTest : testing::Test {
  WindowHost desk{StartOptions{{}, QStringLiteral("lenet5")}};
  QTemporaryDir folder;
  Session& session() { return desk.workplace().session; }
  MainWindow& window() { return desk.window(); }
  Banner& banner() { return window().banner(); }
  QWidget* page() { return window().page(QStringLiteral("design")); }
  QAbstractButton* button(const char* name) { return banner().findChild<QAbstractButton*>(QLatin1String(name)); }
  QRect inWindow(QWidget* widget) { return {widget->mapTo(&window(), QPoint(0, 0)), widget->size()}; }
};

TEST_F(BannerTest, ALongNameInAButtonIsShortenedWithItsToolTip) {
  window().show();
  const QString name = QStringLiteral("Use ") + QString(300, u'm');
  banner().say(QStringLiteral("The name is taken."), 1, {{name, {}}});
  QCoreApplication::processEvents();
  QAbstractButton* use = button("bannerAction");
  EXPECT_LT(use->width(), 320);
  EXPECT_EQ(use->width(), use->sizeHint().width()) << "it is whole";
  EXPECT_EQ(use->toolTip(), name);
  EXPECT_EQ(use->accessibleName(), name);
  banner().say(QStringLiteral("The name is taken."), 1, {{QStringLiteral("Use conv2"), {}}});
  EXPECT_EQ(use->toolTip(), QString());
}

TEST_F(BannerTest, AMessageMovesNothingOnThePageAndLiesWithinIt) {
  window().show();
  for (const QSize size : {QSize(1600, 950), QSize(1024, 700)}) {
    window().resize(size);
    QCoreApplication::processEvents();
    const QRect before = inWindow(page());
    for (const int words : {1, 12, 120}) {
      banner().say(QStringLiteral("sentence ").repeated(words), 2, {{QStringLiteral("Resume"), {}}});
      QCoreApplication::processEvents();
      EXPECT_EQ(inWindow(page()), before) << words;
      EXPECT_TRUE(before.contains(inWindow(&banner()))) << words << " at " << size.width();
      EXPECT_LE(std::abs(inWindow(&banner()).center().x() - before.center().x()), 1) << "centred";
    }
    EXPECT_GE(banner().height(), 100) << "long sentences wrap";
  }
}

TEST_F(BannerTest, ItFollowsTheWindowWhileItIsShown) {
  window().resize(1500, 900);
  window().show();
  banner().say(QStringLiteral("The disk is full"), 2);
  window().resize(1000, 650);
  QCoreApplication::processEvents();
  EXPECT_TRUE(inWindow(page()).contains(inWindow(&banner())));
  EXPECT_LE(std::abs(inWindow(&banner()).center().x() - inWindow(page()).center().x()), 1);
}

TEST_F(BannerTest, ButtonsActOnceAndCloseIt) {
  int first = 0, second = 0;
  banner().say(QStringLiteral("Saved"), 0,
               {{QStringLiteral("Open"), [&] { ++first; }}, {QStringLiteral("Show folder"), [&] { ++second; }}});
  EXPECT_EQ(button("bannerSecondAction")->text(), QStringLiteral("Show folder"));
  QTest::mouseClick(button("bannerSecondAction"), Qt::LeftButton);
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
  EXPECT_TRUE(banner().isHidden());
  banner().say(QStringLiteral("A message without buttons"), 0);
  EXPECT_TRUE(button("bannerAction")->isHidden());
  EXPECT_TRUE(button("bannerSecondAction")->isHidden());
}

TEST_F(BannerTest, AnOfferEndsWithItsEventAndOnlyWithThat) {
  banner().say(QStringLiteral("A run is training"), 0, {{QStringLiteral("Show"), {}, ValidUntil::run_ends}});
  banner().expire(ValidUntil::run_starts);
  EXPECT_FALSE(banner().isHidden());
  window().showPage(QStringLiteral("train"));
  EXPECT_TRUE(banner().isHidden()) << "the page shows the run";
}

TEST_F(BannerTest, ChosenDataIsUndoneByItsButtonUntilTheNextEdit) {
  QFile table(folder.filePath(QStringLiteral("digits.csv")));
  ASSERT_TRUE(table.open(QIODevice::WriteOnly));
  table.write("label,1x1,1x2\n0,1,2\n1,3,4\n");
  table.close();
  const DataChoice before = session().doc().data();
  ASSERT_TRUE(window().files().openPath(table.fileName()));
  ASSERT_NE(session().doc().data(), before);
  ASSERT_EQ(button("bannerAction")->text(), QStringLiteral("Undo"));
  QTest::mouseClick(button("bannerAction"), Qt::LeftButton);
  EXPECT_EQ(session().doc().data(), before);
  ASSERT_TRUE(window().files().openPath(table.fileName()));
  ASSERT_FALSE(banner().isHidden());
  session().undoStack().undo();
  EXPECT_TRUE(banner().isHidden()) << "another undo would undo another edit";
}

TEST_F(BannerTest, EscapeClosesItFromItsButtons) {
  window().show();
  banner().say(QStringLiteral("The disk is full"), 2, {{QStringLiteral("Resume"), {}}});
  QTest::keyClick(button("bannerAction"), Qt::Key_Escape);
  EXPECT_TRUE(banner().isHidden());
}

}  // namespace
}  // namespace nw::ui
