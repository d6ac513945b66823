// SPDX-License-Identifier: GPL-3.0-or-later
// Shift+F1 explains the control that has the focus, with a link into the guide; a click in the mode of pointing does it
// for any control.
#include "ui/shell/help/whats_this.hpp"

#include <gtest/gtest.h>

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QHelpEvent>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QWhatsThis>
#include <QWhatsThisClickedEvent>

#include "tests/ui/shell/browser.hpp"
#include "ui/page/page.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/shell/window/main_window.hpp"

namespace nw::ui {
namespace {

struct WhatsThisKey : testing::Test {
  QTemporaryDir data;
  QByteArray before = qgetenv("XDG_DATA_DIRS");
  Browser browser;
  WindowHost desk{StartOptions{{}, QStringLiteral("lenet5")}};
  WhatsThisKey() { qputenv("XDG_DATA_DIRS", data.path().toLocal8Bit()); }
  ~WhatsThisKey() override {
    QWhatsThis::hideText();
    qputenv("XDG_DATA_DIRS", before);
  }
  void SetUp() override {
    const QString file = data.path() + QStringLiteral("/doc/netwright-doc/guide/en/own_photos.html");
    QDir().mkpath(QFileInfo(file).path());
    ASSERT_TRUE(QFile(file).open(QIODevice::WriteOnly));
    desk.window().activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&desk.window()));
  }
  static bool bubbleIsShown() {
    for (const QWidget* top : QApplication::topLevelWidgets())
      if (QLatin1String(top->metaObject()->className()) == QLatin1String("QWhatsThat") && top->isVisible()) return true;
    return false;
  }
  QWidget* find(const char* name) { return desk.window().findChild<QWidget*>(QLatin1String(name)); }
};

TEST_F(WhatsThisKey, ShiftF1ExplainsTheControlWithTheFocus) {
  QWidget* search = find("paletteSearch");
  ASSERT_NE(search, nullptr);
  search->setFocus();
  ASSERT_TRUE(search->hasFocus());
  EXPECT_FALSE(bubbleIsShown());
  QTest::keyClick(search, Qt::Key_F1, Qt::ShiftModifier);
  EXPECT_TRUE(bubbleIsShown());
  EXPECT_TRUE(helpBubble(search).contains(QStringLiteral("whose name has these letters")));
  EXPECT_TRUE(helpBubble(search).contains(QStringLiteral("<a href=\"")));
}

TEST_F(WhatsThisKey, TheLinkOpensTheGuideAtThePage) {
  QWidget* check = find("checkData");
  ASSERT_NE(check, nullptr);
  EXPECT_TRUE(helpBubble(check).contains(QStringLiteral("href=\"own_photos\""))) << helpBubble(check).toStdString();
  QWhatsThisClickedEvent click(QStringLiteral("own_photos"));
  QCoreApplication::sendEvent(check, &click);
  EXPECT_TRUE(browser.opened.endsWith(QStringLiteral("/guide/en/own_photos.html"))) << browser.opened.toStdString();
}

TEST_F(WhatsThisKey, AClickInTheModeOfPointingExplainsWhatIsClicked) {
  action(QStringLiteral("point-for-help"))->trigger();
  EXPECT_TRUE(QWhatsThis::inWhatsThisMode());
  QWidget* train = find("trainButton");
  QHelpEvent asks(QEvent::QueryWhatsThis, {}, {});
  asks.setAccepted(false);
  QCoreApplication::sendEvent(train, &asks);
  EXPECT_TRUE(asks.isAccepted()) << "the pointer says that there is an explanation";
  QHelpEvent shows(QEvent::WhatsThis, QPoint(5, 5), train->mapToGlobal(QPoint(5, 5)));
  QCoreApplication::sendEvent(train, &shows);
  EXPECT_TRUE(bubbleIsShown());
  QWhatsThis::leaveWhatsThisMode();
}

TEST_F(WhatsThisKey, WhereThereIsNothingItSaysSo) {
  auto* strange = new QWidget(&desk.window());
  strange->setFocusPolicy(Qt::StrongFocus);
  strange->show();
  strange->setFocus();
  const QSignalSpy messages(&desk.workplace().session, &Session::message);
  action(QStringLiteral("whats-this"))->trigger();
  ASSERT_EQ(messages.size(), 1);
  EXPECT_TRUE(messages[0][0].toString().contains(QStringLiteral("nothing to explain")));
}

TEST_F(WhatsThisKey, TheFieldInsideASpinBoxIsTheSpinBox) {
  QWidget around;
  QSpinBox spin(&around);
  EXPECT_EQ(controlOf(spin.findChild<QLineEdit*>()), &spin);
}

}  // namespace
}  // namespace nw::ui
