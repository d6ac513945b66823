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

constexpr const char* folderVariable = "NW_KILLED_WINDOW_FOLDER";  // of one window; its recovery files lie beside it
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

QString recoveryBeside(const QString& folder) { return folder + QStringLiteral("/../recovery"); }

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
  Recovery recovery(session, recoveryBeside(folder));
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

/// A window of another process, killed at the latest with this object.
class OtherWindow {
 public:
  OtherWindow(const QString& folder, const char* test) : folder_(folder) {
    QDir().mkpath(folder);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(folderVariable), folder);
    process_.setProcessEnvironment(environment);
    process_.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--gtest_filter=") + QLatin1String(test),
                                                             QStringLiteral("--gtest_also_run_disabled_tests")});
  }
  ~OtherWindow() { kill(); }
  /// True once this many recovery files lie beside the window's folder.
  bool hasSaved(qsizetype files = 1) {
    return process_.waitForStarted() && test::wait_for([&] {
             return QDir(recoveryBeside(folder_)).entryList({QStringLiteral("*.json")}).size() >= files;
           });
  }
  void kill() {
    if (process_.processId() > 0) ::kill(static_cast<pid_t>(process_.processId()), SIGKILL);
    process_.waitForFinished();
  }
  std::string output() { return process_.readAllStandardOutput().toStdString(); }
  std::vector<Logged> log() const { return readLog(folder_); }

 private:
  QString folder_;
  QProcess process_;
};

/// The edits that were made after the state of this recovery file; fails the test if it was never drawn.
std::vector<Logged> lostEdits(const Recovery& recovery, const RecoveredProject& file, const std::vector<Logged>& log) {
  EXPECT_EQ(file.name, QStringLiteral("lenet5"));
  const auto doc = recovery.load(file);
  EXPECT_TRUE(doc) << (doc ? "" : doc.error().str());
  if (!doc) return log;
  const QByteArray hash = hashOf(*doc);
  const auto found = std::find_if(log.rbegin(), log.rend(), [&](const Logged& l) { return l.hash == hash; });
  EXPECT_NE(found, log.rend()) << "what is offered was never drawn";
  return {found.base(), log.end()};
}

/// Starts a window, kills it `after` milliseconds after its first save, and checks what the next window would
/// recover. Counts in `within` the windows that lost no more than the edits that are allowed.
void killOnce(int after, int& within) {
  QTemporaryDir place;
  OtherWindow window(place.filePath(QStringLiteral("window")), "KilledWindow.DISABLED_Edits");
  ASSERT_TRUE(window.hasSaved()) << window.output();
  QTest::qWait(after);  // a fixed delay is intended: the test varies the moment of the kill
  window.kill();
  const std::vector<Logged> log = window.log();
  Session session;
  Recovery recovery(session, place.filePath(QStringLiteral("recovery")));
  const auto offered = recovery.found();
  ASSERT_EQ(offered.size(), 1U) << "killed after " << after << " ms and " << log.size() << " edits";
  const std::vector<Logged> lost = lostEdits(recovery, offered[0], log);
  within += static_cast<int>(lost.size()) <= mostEditsLost;
  EXPECT_TRUE(static_cast<int>(lost.size()) <= mostEditsLost || lost.back().ms - lost.front().ms <= mostMsLost)
      << lost.size() << " edits of " << lost.back().ms - lost.front().ms << " ms are lost";
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

TEST(KilledWindow, TwoBesideEachOtherAreBothOfferedAndAThirdOneThatRunsIsNot) {
  QTemporaryDir place;
  OtherWindow first(place.filePath(QStringLiteral("first")), "KilledWindow.DISABLED_Edits"),
      second(place.filePath(QStringLiteral("second")), "KilledWindow.DISABLED_Edits"),
      third(place.filePath(QStringLiteral("third")), "KilledWindow.DISABLED_Edits");
  ASSERT_TRUE(third.hasSaved(3)) << first.output() << second.output() << third.output();
  first.kill();
  second.kill();
  Session session;
  Recovery recovery(session, place.filePath(QStringLiteral("recovery")));
  auto offered = recovery.found();
  ASSERT_EQ(offered.size(), 2U);
  // which file is whose is told by what was drawn: the edits of each window are its own
  std::vector<Logged> both = first.log();
  const std::vector<Logged> others = second.log();
  both.insert(both.end(), others.begin(), others.end());
  for (const auto& file : offered) lostEdits(recovery, file, both);
  recovery.discard(offered[0]);
  ASSERT_EQ(recovery.found().size(), 1U) << "the decision on one is none on the other";
  EXPECT_EQ(recovery.found()[0].file, offered[1].file);
  third.kill();
  EXPECT_EQ(recovery.found().size(), 2U);
}

/// The child process: one edit, then nothing that would lead to a save by itself.
TEST(KilledWindow, DISABLED_EditsOnce) {
  Session session;
  session.replace(find_template("lenet5")->make(), {}, QStringLiteral("lenet5"));
  Recovery recovery(session, recoveryBeside(qEnvironmentVariable(folderVariable)));
  const NodeId id = session.doc().graph().nodes.begin()->first;
  ASSERT_TRUE(session.push(move_nodes(session.doc(), "", {{id, Point{1234, 0}}}), QStringLiteral("Move")));
  QEventLoop().exec();
}

TEST(KilledWindow, OffersAnEditThatWasFollowedByNoOther) {
  QTemporaryDir place;
  OtherWindow window(place.filePath(QStringLiteral("window")), "KilledWindow.DISABLED_EditsOnce");
  ASSERT_TRUE(window.hasSaved()) << "the timer has saved nothing; " << window.output();
  window.kill();
  Session session;
  Recovery recovery(session, place.filePath(QStringLiteral("recovery")));
  ASSERT_EQ(recovery.found().size(), 1U);
  const auto doc = recovery.load(recovery.found()[0]);
  ASSERT_TRUE(doc) << doc.error().str();
  EXPECT_EQ(doc->graph().nodes.begin()->second.position.x, 1234);
}

}  // namespace
}  // namespace nw::ui
