// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <new>

#include <QCoreApplication>
#include <QFile>
#include <QLockFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/design/project_file.hpp"
#include "ui/session/edit_command.hpp"
#include "ui/session/run_title.hpp"

namespace nw::ui {
namespace {

constexpr int patience = 20000;

GraphDoc lenet() { return find_template("lenet5")->make(); }

struct Fixture : testing::Test {
  Session session;
  QTemporaryDir folder;
  QString file(const char* name) const { return folder.filePath(QString::fromLatin1(name)); }
  NodeId first(const char* type) const {
    for (const auto& [id, node] : session.doc().graph().nodes)
      if (node.type == type) return id;
    return 0;
  }
  bool moveTo(NodeId id, double x, int key = 0) {
    return session.push(move_nodes(session.doc(), "", {{id, Point{x, 0}}}), QStringLiteral("Move"), key);
  }
};
using SessionTest = Fixture;

TEST_F(SessionTest, UndoAndRedoGiveTheSameBytes) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  const std::string before = ProjectFile::text(session.doc());
  ASSERT_TRUE(session.push(set_attr(session.doc(), "", first("Conv2d"), "out_channels", std::int64_t{12}),
                           QStringLiteral("Filters")));
  ASSERT_TRUE(session.push(remove_nodes(session.doc(), "", {first("Flatten")}, true), QStringLiteral("Delete")));
  const std::string after = ProjectFile::text(session.doc());
  EXPECT_NE(before, after);
  session.undoStack().undo();
  session.undoStack().undo();
  EXPECT_EQ(ProjectFile::text(session.doc()), before);
  EXPECT_FALSE(session.isModified());
  session.undoStack().redo();
  session.undoStack().redo();
  EXPECT_EQ(ProjectFile::text(session.doc()), after);
  EXPECT_TRUE(session.isModified());
}

TEST_F(SessionTest, TitlesHoldNoControlCharacters) {
  const QString hostile = QStringLiteral("a\nb\x1b[2J\u202e\u2028\x7f\u0085.netwright");
  ASSERT_TRUE(ProjectFile::save(lenet(), file("x.netwright").toStdString()));
  ASSERT_TRUE(QFile::rename(file("x.netwright"), folder.filePath(hostile)));
  ASSERT_TRUE(session.open(folder.filePath(hostile)));
  EXPECT_EQ(session.displayName(), QStringLiteral("a?b?[2J????"));
  session.replace(lenet(), {}, QStringLiteral("x\r\ny"));
  EXPECT_EQ(session.displayName(), QStringLiteral("x??y"));
  RunSummary run;
  run.given_name = "mine\x1b]0;owned\x07";
  EXPECT_EQ(runTitle(run), QStringLiteral("mine?]0;owned?"));
  EXPECT_EQ(runTitle(QStringLiteral("/runs/2026-11-21-a\nb-a7")), QStringLiteral("a?b a7"));
  EXPECT_EQ(inOneLine(QStringLiteral("猫 – “net”")), QStringLiteral("猫 – “net”")) << "nothing else changes";
}

/// A worker that finds no memory says so among the problems, and the next analysis is as ever.
TEST(SessionMemory, AnAnalysisWithoutMemoryIsAProblemNotACrash) {
  Session::setAnalyser([](const GraphDoc& doc, const DataFacts&) -> Analysis {
    if (doc.graph().nodes.empty()) throw std::bad_alloc();
    return {};
  });
  Session session;
  Session::setAnalyser({});
  session.replace(GraphDoc(), {}, QStringLiteral("none"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session.analysisCurrent(); }, patience));
  ASSERT_EQ(session.analysis().problems.size(), 1U);
  EXPECT_FALSE(session.analysis().ok());
  EXPECT_NE(session.analysis().problems.front().what.str().find("not enough memory"), std::string::npos);
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session.analysisCurrent(); }, patience));
  EXPECT_TRUE(session.analysis().ok());
}

TEST_F(SessionTest, ADragIsOneStepOfUndo) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  const NodeId id = first("Conv2d");
  const Point before = session.doc().graph().nodes.at(id).position;
  for (int x = 1; x <= 50; ++x) ASSERT_TRUE(moveTo(id, x, 7));
  EXPECT_EQ(session.undoStack().count(), 1);
  session.undoStack().undo();
  EXPECT_EQ(session.doc().graph().nodes.at(id).position, before);
  session.undoStack().redo();
  EXPECT_EQ(session.doc().graph().nodes.at(id).position.x, 50);
}

TEST_F(SessionTest, EditsWithDifferentKeysAreSeparateUndoSteps) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  ASSERT_TRUE(moveTo(first("Conv2d"), 1, 7));
  ASSERT_TRUE(moveTo(first("Conv2d"), 2, 8));
  ASSERT_TRUE(moveTo(first("Conv2d"), 3));
  ASSERT_TRUE(moveTo(first("Conv2d"), 4));
  EXPECT_EQ(session.undoStack().count(), 4);
}

TEST_F(SessionTest, ARejectedEditIsReportedAndChangesNothing) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  QSignalSpy messages(&session, &Session::message), changed(&session, &Session::documentChanged);
  EXPECT_FALSE(session.push({PutConnection{"", Connection{9999, 0, 9998, 0}, true}}, QStringLiteral("Connect")));
  EXPECT_EQ(messages.count(), 1);
  EXPECT_EQ(changed.count(), 0);
  EXPECT_EQ(session.undoStack().count(), 0);
}

TEST_F(SessionTest, CountsTheParametersOfLeNetInTheBackground) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  session.setDataFacts(
      {.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 54000, .validation = 6000, .test = 10000});
  ASSERT_TRUE(QTest::qWaitFor([&] { return session.analysisCurrent(); }, patience));
  EXPECT_EQ(session.analysis().parameters, 61706);
  EXPECT_TRUE(session.analysis().ok());
}

TEST_F(SessionTest, TheNewestOfManyAnalysesWins) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  session.setDataFacts(
      {.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 54000, .validation = 6000, .test = 10000});
  for (std::int64_t filters = 1; filters <= 40; ++filters)
    ASSERT_TRUE(session.push(set_attr(session.doc(), "", first("Conv2d"), "out_channels", filters),
                             QStringLiteral("Filters"), 3));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session.analysisCurrent(); }, patience));
  const NodeInfo facts = session.analysis().facts.at("").at(first("Conv2d"));
  EXPECT_EQ(facts.output[1], 40);
}

TEST_F(SessionTest, SavedAndOpenedAgainIsEqual) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  ASSERT_TRUE(moveTo(first("Conv2d"), 77));
  const GraphDoc kept = session.doc();
  ASSERT_TRUE(session.save(file("net.netwright")));
  EXPECT_FALSE(session.isModified());
  EXPECT_EQ(session.displayName(), QStringLiteral("net"));
  session.replace({}, {}, {});
  ASSERT_TRUE(session.open(file("net.netwright")));
  EXPECT_EQ(session.doc(), kept);
}

TEST_F(SessionTest, ASecondWindowOpensTheProjectReadOnly) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  ASSERT_TRUE(session.save(file("net.netwright")));
  Session second;
  QSignalSpy messages(&second, &Session::message);
  ASSERT_TRUE(second.open(file("net.netwright")));
  EXPECT_TRUE(second.readOnly());
  ASSERT_EQ(messages.count(), 1);
  const QString sentence = messages.at(0).at(0).toString();
  EXPECT_TRUE(sentence.contains(QString::number(QCoreApplication::applicationPid()))) << sentence.toStdString();
  EXPECT_FALSE(second.save(file("net.netwright")));
  EXPECT_TRUE(second.save(file("copy.netwright")));
  EXPECT_FALSE(second.readOnly());
  EXPECT_FALSE(session.save(file("copy.netwright"))) << "the second window holds it now";
}

/// Another process that has locked a project as a window does; killed at the latest with this object.
class OtherHolder {
 public:
  explicit OtherHolder(const QString& lock) {
    int ready[2];
    if (::pipe(ready) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      QLockFile file(lock);
      file.setStaleLockTime(0);
      holds_ = file.tryLock(0);
      (void)!::write(ready[1], &holds_, 1);
      for (;;) ::pause();
    }
    (void)!::read(ready[0], &holds_, 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~OtherHolder() { kill(); }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, -1), nullptr, 0);
  }
  bool holds() const { return holds_; }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  bool holds_ = false;
};

/// The sentence of a window that opens the project, which must be read-only there.
QString saidWhenReadOnly(const QString& project) {
  Session window;
  QSignalSpy messages(&window, &Session::message);
  EXPECT_TRUE(window.open(project));
  EXPECT_TRUE(window.readOnly());
  EXPECT_FALSE(window.save(project));
  EXPECT_EQ(messages.count(), 1);
  return messages.isEmpty() ? QString() : messages.at(0).at(0).toString();
}

TEST_F(SessionTest, AnotherProcessHoldsItsProjectUntilItIsKilledHoweverLongThatLasts) {
  ASSERT_TRUE(ProjectFile::save(lenet(), file("net.netwright").toStdString()));
  const std::string lock = file(".net.netwright.lock").toStdString();
  OtherHolder holder(QString::fromStdString(lock));
  ASSERT_TRUE(holder.holds());
  for (const int hours : {0, 1, 24 * 365}) {
    fs::last_write_time(lock, fs::file_time_type::clock::now() - std::chrono::hours(hours));
    const QString said = saidWhenReadOnly(file("net.netwright"));
    EXPECT_TRUE(said.contains(QString::number(holder.pid()))) << hours << " h: " << said.toStdString();
  }
  holder.kill();
  Session next;
  ASSERT_TRUE(next.open(file("net.netwright")));
  EXPECT_FALSE(next.readOnly()) << "whoever was killed holds nothing";
  EXPECT_TRUE(next.save(file("net.netwright")));
}

TEST_F(SessionTest, AWindowOfAnotherComputerHoldsItsProjectAndIsNamed) {
  ASSERT_TRUE(ProjectFile::save(lenet(), file("net.netwright").toStdString()));
  const std::string lock = file(".net.netwright.lock").toStdString();
  // the process that it names is no process here: what runs there cannot be known
  ASSERT_TRUE(save_file(lock, "4194999\nnetwright\nlab-7.example\n"));
  for (const int hours : {0, 48}) {
    fs::last_write_time(lock, fs::file_time_type::clock::now() - std::chrono::hours(hours));
    const QString said = saidWhenReadOnly(file("net.netwright"));
    EXPECT_TRUE(said.contains(QStringLiteral("process 4194999 on lab-7.example"))) << said.toStdString();
  }
  EXPECT_EQ(*read_file(lock, 1 << 10), "4194999\nnetwright\nlab-7.example\n") << "it is not ours to change";
}

TEST_F(SessionTest, ALockThatIsAPipeOrADeviceDoesNotBlockOpening) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  ASSERT_TRUE(session.save(file("net.netwright")));
  session.replace({}, {}, {});
  const std::string lock = file(".net.netwright.lock").toStdString();
  for (const bool pipe : {true, false}) {
    fs::remove(lock);
    pipe ? (void)::mkfifo(lock.c_str(), 0600) : fs::create_symlink("/dev/zero", lock);
    Session other;
    EXPECT_TRUE(other.open(file("net.netwright")));
    EXPECT_FALSE(other.readOnly());
    EXPECT_EQ(other.doc(), lenet());
  }
}

TEST_F(SessionTest, AClosedDocumentCanBeWrittenByOthers) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  ASSERT_TRUE(session.save(file("net.netwright")));
  session.replace({}, {}, {});
  Session second;
  ASSERT_TRUE(second.open(file("net.netwright")));
  EXPECT_FALSE(second.readOnly());
}

TEST_F(SessionTest, AFileThatCannotBeReadLeavesTheDocumentAsItWas) {
  session.replace(lenet(), {}, QStringLiteral("lenet5"));
  QFile broken(file("broken.netwright"));
  ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
  broken.write("{\"format\": 1, \"format\": 2}");
  broken.close();
  EXPECT_FALSE(session.open(file("broken.netwright")));
  EXPECT_EQ(session.doc(), lenet());
  EXPECT_EQ(session.displayName(), QStringLiteral("lenet5"));
}

TEST_F(SessionTest, FindsTheDevicesOfThisComputer) {
  QSignalSpy found(&session, &Session::devicesChanged);
  ASSERT_TRUE(found.count() || found.wait(patience));
  ASSERT_FALSE(session.devices().empty());
  EXPECT_EQ(session.devices().front().name.rfind("cpu", 0), 0u);
}

TEST(JoinedEdits, KeepOnlyTheLastValueIfNoElementIsAddedOrRemoved) {
  Node a, b;
  a.position.x = 1;
  b.position.x = 2;
  EXPECT_EQ(joined({PutNode{"", 1, a}}, {PutNode{"", 1, b}}).size(), 1u);
  EXPECT_EQ(joined({PutNode{"", 1, a}}, {PutNode{"", 2, b}}).size(), 2u);
  EXPECT_EQ(joined({PutNode{"", 1, a}}, {PutNode{"", 1, std::nullopt}}).size(), 2u);
}

}  // namespace
}  // namespace nw::ui
