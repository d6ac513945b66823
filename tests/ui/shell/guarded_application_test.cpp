// SPDX-License-Identifier: GPL-3.0-or-later
// An exception in an event handler does not end the window: the work is saved and the window reports it.
#include "ui/shell/window/guarded_application.hpp"

#include <gtest/gtest.h>

#include <QDir>
#include <QPushButton>
#include <QTest>

#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

class UncaughtException : public testing::Test {
 protected:
  GuardedApplication& app() { return *static_cast<GuardedApplication*>(qApp); }
  void TearDown() override { app().setExceptionHandler({}); }
  /// A click on a button whose handler throws.
  static void clickAndThrow(const char* what) {
    QPushButton button;
    QObject::connect(&button, &QPushButton::clicked, &button, [what] { throw std::out_of_range(what); });
    button.show();
    QTest::mouseClick(&button, Qt::LeftButton);
    QCoreApplication::processEvents();
  }
};

TEST_F(UncaughtException, IsReportedOnceAndTheEventLoopContinues) {
  QStringList reported;
  app().setExceptionHandler([&](const QString& what) { reported << what; });
  clickAndThrow("map::at");
  clickAndThrow("map::at");
  clickAndThrow("vector::at");
  EXPECT_EQ(reported, (QStringList{QStringLiteral("map::at"), QStringLiteral("vector::at")}));
}

TEST_F(UncaughtException, SavesTheWorkAndIsShownInTheWindow) {
  WindowHost host(StartOptions{{}, QStringLiteral("lenet5")});
  app().setExceptionHandler([&](const QString& what) { host.reportException(what); });
  Session& session = host.workplace().session;
  const NodeId id = session.doc().graph().nodes.begin()->first;
  ASSERT_TRUE(session.push(move_nodes(session.doc(), "", {{id, Point{5, 6}}}), QStringLiteral("Move")));
  const GraphDoc work = session.doc();
  clickAndThrow("something unexpected");
  EXPECT_TRUE(host.window().banner().isVisible());
  EXPECT_TRUE(host.window().banner().text().contains(QStringLiteral("something unexpected")));
  EXPECT_EQ(session.doc(), work);
  const QDir states(QString::fromStdString((state_folder() / "recovery").string()));
  EXPECT_FALSE(states.entryList({QStringLiteral("*.json")}).isEmpty()) << "the recovery file";
}

TEST(FirstWindow, FitsTheScreenWithItsFrame) {
  EXPECT_EQ(MainWindow::firstSize({2560, 1440}), QSize(1600, 1000));
  for (const QSize screen : {QSize(1366, 728), QSize(1600, 1000), QSize(1920, 1050), QSize(1024, 700)}) {
    const QSize first = MainWindow::firstSize(screen);
    EXPECT_LE(first.width() + 12, screen.width());
    EXPECT_LE(first.height() + 40, screen.height()) << "a title bar has room, too";
  }
}

}  // namespace
}  // namespace nw::ui
