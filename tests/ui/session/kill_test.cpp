// SPDX-License-Identifier: GPL-3.0-or-later
// A window killed at any moment of editing: the next start offers its work, except for the last seconds or edits. The
// window is another process of this test program.
#include <gtest/gtest.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <random>

#include "engine/core/files.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/session/recovery.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr const char* folderVariable = "NW_KILLED_WINDOW_FOLDER";
constexpr int mostEditsLost = 20, mostMsLost = 10000;

QByteArray hashOf(const GraphDoc& doc) { return QByteArray::number(xxh3(ProjectFile::text(doc))); }

/// Edits without pause: adds, duplicates, moves, deletes and undoes by the keys of the canvas.
void editForEver(Canvas& canvas) {
  std::mt19937 random(static_cast<unsigned>(QCoreApplication::applicationPid()));
  GraphScene& scene = canvas.scene();
  for (;;) {
    std::vector<NodeId> ids;
    for (const auto& [id, item] : scene.elements().nodes()) ids.push_back(id);
    if (!ids.empty()) scene.selection().setCurrent(ids[random() % ids.size()]);
    const unsigned what = random() % 8;
    if (what < 2 || ids.size() < 5)
      QTest::keyClick(&canvas.view(), Qt::Key_D, Qt::ControlModifier);
    else if (what == 2)
      QTest::keyClick(&canvas.view(), Qt::Key_M);
    else if (what == 3)
      QTest::keyClick(&canvas.view(), Qt::Key_H);
    else if (what == 4 && ids.size() > 30)
      QTest::keyClick(&canvas.view(), Qt::Key_Delete);
    else if (what == 5)
      scene.session().undoStack().undo();
    else
      QTest::keyClick(&canvas.view(), Qt::Key_Right, Qt::ControlModifier);
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  }
}

/// The child process; it never ends by itself. Every edit is logged before the window can save it.
TEST(KilledWindow, DISABLED_Edits) {
  const QString folder = qEnvironmentVariable(folderVariable);
  ASSERT_FALSE(folder.isEmpty());
  Session session;
  session.replace(find_template("lenet5")->make(), {}, QStringLiteral("lenet5"));
  QFile log(folder + QStringLiteral("/edits"));
  ASSERT_TRUE(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
  QElapsedTimer clock;
  clock.start();
  QObject::connect(&session, &Session::documentChanged,
                   [&] { log.write(hashOf(session.doc()) + ' ' + QByteArray::number(clock.elapsed()) + '\n'); });
  Recovery recovery(session, folder + QStringLiteral("/recovery"));
  Canvas canvas(session);
  canvas.resize(1200, 900);
  canvas.show();
  editForEver(canvas);
}

struct Logged {
  QByteArray hash;
  qint64 ms = 0;
};
std::vector<Logged> readLog(const QString& folder) {
  QFile file(folder + QStringLiteral("/edits"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  std::vector<Logged> lines;
  const QByteArray all = file.readAll();
  for (const QByteArray& line : all.left(all.lastIndexOf('\n')).split('\n'))
    if (const int space = static_cast<int>(line.indexOf(' ')); space > 0)
      lines.push_back({line.left(space), line.mid(space + 1).toLongLong()});
  return lines;
}

/// Starts a window, kills it `after` milliseconds after its first save, and checks what the next window would
/// recover. Counts in `within` the windows that lost no more than the edits that are allowed.
void killOnce(int after, int& within) {
  QTemporaryDir folder;
  QProcess window;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QLatin1String(folderVariable), folder.path());
  window.setProcessEnvironment(environment);
  window.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--gtest_filter=KilledWindow.DISABLED_Edits"),
                                                         QStringLiteral("--gtest_also_run_disabled_tests")});
  ASSERT_TRUE(window.waitForStarted());
  ASSERT_TRUE(test::wait_for([&] {
    return !QDir(folder.filePath(QStringLiteral("recovery"))).entryList({QStringLiteral("*.json")}).isEmpty();
  })) << window.readAllStandardOutput().toStdString();
  QTest::qWait(after);  // a fixed delay is intended: the test varies the moment of the kill
  ASSERT_EQ(::kill(static_cast<pid_t>(window.processId()), SIGKILL), 0);
  window.waitForFinished();
  const std::vector<Logged> log = readLog(folder.path());
  Session session;
  Recovery recovery(session, folder.filePath(QStringLiteral("recovery")));
  const auto offered = recovery.found();
  ASSERT_EQ(offered.size(), 1U) << "killed after " << after << " ms and " << log.size() << " edits";
  EXPECT_EQ(offered[0].name, QStringLiteral("lenet5"));
  const auto doc = recovery.load(offered[0]);
  ASSERT_TRUE(doc) << doc.error().str();
  const QByteArray hash = hashOf(*doc);
  const auto found = std::find_if(log.rbegin(), log.rend(), [&](const Logged& l) { return l.hash == hash; });
  ASSERT_NE(found, log.rend()) << "what is offered was never drawn";
  const auto lost = found - log.rbegin();
  within += lost <= mostEditsLost;
  EXPECT_TRUE(lost <= mostEditsLost || log.back().ms - found->ms <= mostMsLost)
      << lost << " edits of " << log.back().ms - found->ms << " ms are lost";
}

TEST(KilledWindow, OffersTheNetworkWithoutTheLastEdits) {
  const bool longer = qEnvironmentVariableIsSet("NETWRIGHT_LONG");
  std::mt19937 random(7);
  const int kills = longer ? 200 : 10;
  int within = 0;
  for (int i = 0; i < kills && !testing::Test::HasFatalFailure(); ++i)
    killOnce(static_cast<int>(random() % 1500), within);
  // These windows are younger than the time that may be lost: only the number of edits shows that it is saved often.
  EXPECT_GT(2 * within, kills) << "windows that lost at most " << mostEditsLost << " edits";
}

}  // namespace
}  // namespace nw::ui
