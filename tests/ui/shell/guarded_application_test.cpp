// SPDX-License-Identifier: GPL-3.0-or-later
// An exception in an event handler does not end the window: the work is saved and the window reports it.
#include "ui/shell/window/guarded_application.hpp"

#include <gtest/gtest.h>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QThreadPool>
#include <new>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"
#include "tests/support/paths.hpp"
#include "ui/session/background.hpp"
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

/// Exceptions on other threads than the GUI's.
class InTheBackground : public UncaughtException {
 protected:
  void SetUp() override {
    app().setExceptionHandler([this](const QString& what) { reported << what; });
  }
  bool reports(const char* what) {
    return QTest::qWaitFor([&] { return reported.contains(QLatin1String(what)); }, 10000);
  }
  QStringList reported;
};

TEST_F(InTheBackground, WorkThatThrowsIsReportedAndNotUsed) {
  QObject owner;
  bool used = false;
  inBackground(
      &owner, []() -> int { throw std::out_of_range("no such run"); }, [&](int) { used = true; });
  EXPECT_TRUE(reports("no such run"));
  EXPECT_FALSE(used);
  int got = 0;
  inBackground(
      &owner, [] { return 7; }, [&](int n) { got = n; });
  EXPECT_TRUE(QTest::qWaitFor([&] { return got == 7; }, 10000)) << "work after it runs as ever";
}

TEST_F(InTheBackground, AWorkerWithoutMemoryIsReportedInWords) {
  QObject owner;
  inBackground(
      &owner, []() -> int { throw std::bad_alloc(); }, [](int) {});
  EXPECT_TRUE(reports("there is not enough memory")) << reported.join(u' ').toStdString();
}

TEST_F(InTheBackground, ThreadsAndPoolsAreGuarded) {
  QThreadPool::globalInstance()->start(guarded([] { throw std::runtime_error("in the pool"); }));
  EXPECT_TRUE(reports("in the pool"));
  {
    const std::jthread thread(guarded([](const std::stop_token&) { throw std::runtime_error("in a thread"); }));
  }
  EXPECT_TRUE(reports("in a thread"));
  EXPECT_EQ(guarded([]() -> int { throw 3; })(), std::nullopt);
  EXPECT_TRUE(reports("?"));
  EXPECT_EQ(guarded([](int n) { return n + 1; })(4), 5);
}

/// A thread of the window that is not guarded would end the program with its first exception.
TEST(Threads, OfTheWindowAreAllGuarded) {
  const QRegularExpression starts(
      QStringLiteral("QtConcurrent::run\\(|std::j?thread\\(|(?:globalInstance\\(\\)|worker)(?:->|\\.)start\\("));
  int found = 0;
  QDirIterator files(QString::fromStdString(test::source_folder() + "/ui"),
                     {QStringLiteral("*.cpp"), QStringLiteral("*.hpp")}, QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    QFile file(files.next());
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    for (auto hits = starts.globalMatch(text); hits.hasNext();) {
      const auto hit = hits.next();
      ++found;
      EXPECT_TRUE(text.mid(hit.capturedEnd(), 60).contains(QStringLiteral("guarded(")))
          << file.fileName().toStdString() << ": " << text.mid(hit.capturedStart(), 60).toStdString();
    }
  }
  EXPECT_GT(found, 8) << "the search finds them";
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
