// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/recovery.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "engine/design/project_file.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct RecoveryTest : testing::Test {
  QTemporaryDir folder;
  Session session;

  void change(double x) {
    const NodeId id = session.doc().graph().nodes.begin()->first;
    ASSERT_TRUE(session.push(move_nodes(session.doc(), "", {{id, Point{x, 0}}}), QStringLiteral("Move")));
  }
  void start() { session.replace(find_template("lenet5")->make(), {}, QStringLiteral("lenet5")); }
  /// Creates the state after a kill: the recovery file, and its lock without an owner.
  QString leaveBehind() {
    QString copy = folder.filePath(QStringLiteral("99-1.json"));
    const QStringList ours = QDir(folder.path()).entryList({QStringLiteral("*.json")});
    QFile::copy(folder.filePath(ours.value(0)), copy);
    return copy;
  }
};

TEST_F(RecoveryTest, WritesNothingWhileNothingHasChanged) {
  Recovery recovery(session, folder.path());
  start();
  EXPECT_TRUE(recovery.flush());
  EXPECT_TRUE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).isEmpty());
}

TEST_F(RecoveryTest, FilesOfARunningWindowAreNotOffered) {
  Recovery recovery(session, folder.path());
  start();
  change(5);
  EXPECT_TRUE(recovery.flush());
  EXPECT_EQ(QDir(folder.path()).entryList({QStringLiteral("*.json")}).size(), 1);
  EXPECT_TRUE(recovery.found().empty());
}

TEST_F(RecoveryTest, FilesOfAKilledWindowAreOfferedUntilTheUserDecides) {
  Recovery recovery(session, folder.path());
  start();
  change(5);
  EXPECT_TRUE(recovery.flush());
  leaveBehind();
  for (int start = 0; start < 3; ++start) {
    Session other;
    Recovery next(other, folder.path());
    ASSERT_EQ(next.found().size(), 1u);
    const Result<GraphDoc> doc = next.load(next.found().front());
    ASSERT_TRUE(doc);
    EXPECT_EQ(*doc, session.doc());
    EXPECT_EQ(next.found().front().name, QStringLiteral("lenet5"));
  }
  recovery.discard(recovery.found().front());
  EXPECT_TRUE(recovery.found().empty());
}

TEST_F(RecoveryTest, AFailedAutosaveIsSaidAndTriedAgain) {
  QFile blocker(
      folder.filePath(QStringLiteral("state")));  // a file in the place of the folder: root may write anywhere
  ASSERT_TRUE(blocker.open(QIODevice::WriteOnly));
  Recovery recovery(session, blocker.fileName());
  QStringList said;
  QObject::connect(&session, &Session::message, [&](const QString& sentence) { said += sentence; });
  start();
  change(5);
  EXPECT_FALSE(recovery.flush());
  EXPECT_FALSE(recovery.flush()) << "the same version is tried again";
  ASSERT_EQ(said.size(), 1) << "once, not at every tick";
  EXPECT_TRUE(said[0].contains(blocker.fileName())) << said[0].toStdString();
  ASSERT_TRUE(blocker.remove());
  EXPECT_TRUE(recovery.flush());
  EXPECT_EQ(QDir(blocker.fileName()).entryList({QStringLiteral("*.json")}).size(), 1);
  ASSERT_TRUE(QDir(blocker.fileName()).removeRecursively());
  ASSERT_TRUE(blocker.open(QIODevice::WriteOnly));
  change(6);
  EXPECT_FALSE(recovery.flush()) << "the folder went away";
  EXPECT_EQ(said.size(), 2);
}

TEST_F(RecoveryTest, SavingRemovesTheRecoveryFile) {
  Recovery recovery(session, folder.path());
  start();
  change(5);
  EXPECT_TRUE(recovery.flush());
  ASSERT_TRUE(session.save(folder.filePath(QStringLiteral("net.netwright"))));
  EXPECT_TRUE(QDir(folder.path()).entryList({QStringLiteral("*.json")}).isEmpty());
}

TEST_F(RecoveryTest, AKilledProcessLeavesItsLastAutosave) {
  start();
  change(5);
  const std::string kept = ProjectFile::text(session.doc());
  // The child holds the lock as a window does, and ends without releasing it.
  const pid_t child = fork();
  if (child == 0) {
    const std::string file = folder.filePath(QStringLiteral("7-7.json")).toStdString();
    auto lock = FileLock::take(file + ".lock");
    const bool ok = lock && save_file(file,
                                      canonical(Json{{"name", "lenet5"},
                                                     {"path", ""},
                                                     {"project", ProjectFile::json(session.doc())},
                                                     {"saved", 1},
                                                     {"schema", 1}}),
                                      0600);
    if (!ok) _exit(1);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  Session other;
  Recovery recovery(other, folder.path());
  ASSERT_EQ(recovery.found().size(), 1u);
  const auto doc = recovery.load(recovery.found().front());
  ASSERT_TRUE(doc);
  EXPECT_EQ(ProjectFile::text(*doc), kept);
}

TEST_F(RecoveryTest, MalformedFilesAreLeftOut) {
  for (const char* text : {"", "{", "[1,2]", "{\"name\": 3, \"name\": 4}"}) {
    QFile file(folder.filePath(QStringLiteral("%1.json").arg(qHash(QLatin1String(text)))));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  Recovery recovery(session, folder.path());
  for (const RecoveredProject& project : recovery.found()) EXPECT_FALSE(recovery.load(project));
  EXPECT_TRUE(recovery.found().empty());
}

}  // namespace
}  // namespace nw::ui
