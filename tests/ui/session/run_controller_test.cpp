// SPDX-License-Identifier: GPL-3.0-or-later
// The controller with a shell script in place of netwright-cli: the script takes the run's lock, writes events and
// exits as each test requires. A pipe controls when it continues, so that no test depends on timing.
#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <fstream>
#include <thread>

#include <csignal>
#include <cstring>

#include "engine/runs/lock_holder.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/run_process.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

using State = RunController::State;
using test::wait_for;

struct RunControllerTest : testing::Test {
  test::TemporaryFolder place;
  Session session;
  RunController& run = session.run();
  QString died;
  bool canResume = false;
  QStringList messages;

  void SetUp() override {
    session.replace(test::definition_of().doc, {}, QStringLiteral("My net 5"));
    ::setenv("XDG_STATE_HOME", (place.path() / "state").c_str(), 1);
    run.setRunsFolder(text(place.path() / "runs"));
    QObject::connect(&run, &RunController::endedUnexpectedly, [&](const QString& sentence, bool resume) {
      died = sentence;
      canResume = resume;
    });
    QObject::connect(&session, &Session::message, [&](const QString& sentence) { messages += sentence; });
  }
  void TearDown() override {
    if (run.processId() > 0 && run.processId() != ::getpid()) ::kill(static_cast<pid_t>(run.processId()), SIGKILL);
    wait_for([&] { return run.state() == State::idle; });
  }
  static QString text(const fs::path& p) { return QString::fromStdString(p.string()); }
  fs::path folder() const { return run.folder().toStdString(); }

  /// Installs a script that runs `body` with RUN set to the run's folder and the run's lock held as file descriptor
  /// 9.
  void program(const std::string& body) {
    const fs::path path = place.path() / "fake-cli";
    std::ofstream(path) << "#!/bin/bash\n"
                           "if [ \"$1\" = train ]; then RUN=$4; PROJECT=$2; else RUN=$2; fi\n"
                           "exec 9> \"$RUN/lock\"\nflock -n 9 || exit 1\n"
                        << body << "\n";
    ::chmod(path.c_str(), 0700);
    run.setProgram(text(path));
  }
  std::string definitionFile() {
    const fs::path path = place.path() / "run.json";
    RunDefinition d = test::definition_of();
    std::ofstream(path) << canonical(to_json(d));
    return path.string();
  }
  static std::string say(const Event& e) { return "echo '" + event_line(e) + "' >> \"$RUN/events.jsonl\"\n"; }
  std::string begin() {
    Started s;
    s.time = 1000;
    s.epochs = 2;
    s.steps_per_epoch = 10;
    return "cp '" + definitionFile() + "' \"$RUN/run.json\"\n" + say({0, s});
  }
  /// A line that blocks the script until go() is called.
  std::string hold() {
    const fs::path gate = place.path() / "gate";
    if (!fs::exists(gate)) ::mkfifo(gate.c_str(), 0600);
    return "read -r _ < '" + gate.string() + "'\n";
  }
  void go() { std::ofstream(place.path() / "gate") << "\n"; }
  static std::string end(EndReason reason) {
    Ended e;
    e.reason = reason;
    return say({1, e});
  }
};

TEST_F(RunControllerTest, StartsTheProgramWithASnapshotAndFollowsItToItsEnd) {
  program("grep -q '\"format\"' \"$PROJECT\" || exit 3\n" + begin() + hold() + end(EndReason::finished));
  ASSERT_TRUE(run.start());
  EXPECT_EQ(run.state(), State::starting);
  ASSERT_TRUE(wait_for([&] { return run.state() == State::running; }));
  EXPECT_EQ(session.feed().folder(), run.folder());
  EXPECT_EQ(folder().parent_path(), place.path() / "runs");
  EXPECT_NE(folder().filename().string().find("my-net-5"), std::string::npos);
  go();
  ASSERT_TRUE(wait_for([&] { return run.state() == State::idle; }));
  EXPECT_TRUE(died.isEmpty()) << died.toStdString();
  ASSERT_TRUE(wait_for([&] { return session.feed().status() == RunStatus::finished; }));
  EXPECT_FALSE(fs::exists(state_folder() / "starting" / folder().filename())) << "the snapshot is taken away";
}

TEST_F(RunControllerTest, TheProcessLeadsItsOwnSessionAndIsNiceAndWritesItsLog) {
  program(begin() + "ps -o sid=,ni= -p $$ >&2\n" + hold() + end(EndReason::finished));
  ASSERT_TRUE(run.start());
  ASSERT_TRUE(wait_for([&] { return run.state() == State::running; }));
  const auto pid = static_cast<pid_t>(run.processId());
  EXPECT_EQ(::getsid(pid), pid);
  go();
  ASSERT_TRUE(wait_for([&] { return run.state() == State::idle; }));
  EXPECT_TRUE(lastLine(text(folder() / "log.txt")).endsWith(QStringLiteral(" 5")))
      << lastLine(text(folder() / "log.txt")).toStdString();
}

TEST_F(RunControllerTest, AProcessKilledByASignalIsNamed) {
  program(begin() + hold());
  for (const auto& [signal, name] :
       {std::pair{SIGKILL, "SIGKILL"}, {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}}) {
    died.clear();
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(wait_for([&] { return run.state() == State::running; })) << name;
    ::kill(static_cast<pid_t>(run.processId()), signal);
    ASSERT_TRUE(wait_for([&] { return !died.isEmpty(); })) << name;
    EXPECT_TRUE(died.contains(QLatin1String(name))) << died.toStdString();
    EXPECT_EQ(run.state(), State::idle);
    EXPECT_FALSE(canResume) << "it had no checkpoint";
    ASSERT_TRUE(wait_for([&] { return session.feed().status() == RunStatus::interrupted; })) << name;
  }
}

TEST_F(RunControllerTest, AProcessThatEndsInMidRunIsNamedWithItsCodeAndItsLastWord) {
  for (const int code : {1, 70, 255}) {
    program(begin() + "echo 'an illegal address was read' >&2\n" + hold() + "exit " + std::to_string(code));
    died.clear();
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(wait_for([&] { return run.state() == State::running; })) << code;
    go();
    ASSERT_TRUE(wait_for([&] { return !died.isEmpty(); })) << code;
    EXPECT_TRUE(died.contains(QStringLiteral("code %1").arg(code))) << died.toStdString();
    EXPECT_TRUE(died.contains(QStringLiteral("an illegal address was read"))) << died.toStdString();
    EXPECT_EQ(run.state(), State::idle);
    ASSERT_TRUE(wait_for([&] { return session.feed().status() == RunStatus::interrupted; })) << code;
  }
}

TEST_F(RunControllerTest, AProgramThatDoesNotStartReportsWhyAndLeavesNoFolderBehind) {
  program("echo 'the data set is missing' >&2; exit 3");
  ASSERT_TRUE(run.start());
  ASSERT_TRUE(wait_for([&] { return !died.isEmpty(); }));
  EXPECT_TRUE(died.contains(QStringLiteral("the data set is missing"))) << died.toStdString();
  EXPECT_TRUE(list_runs(place.path() / "runs").empty());
  EXPECT_TRUE(session.feed().folder().isEmpty());
}

TEST_F(RunControllerTest, ALogThatIsALinkOrAPipeIsRefusedAndNothingIsWritten) {
  program("echo OWNED; exit 3");
  test::RunWriter old(place.path() / "runs", test::definition_of());
  test::write_training(old, {.epochs_done = 2, .end = EndReason::stopped});
  const fs::path victim = place.path() / "victim", log = old.folder() / "log.txt";
  for (const bool pipe : {false, true}) {
    std::ofstream(victim) << "keep";
    fs::remove(log);
    pipe ? (void)::mkfifo(log.c_str(), 0600) : fs::create_symlink(victim, log);
    messages.clear();
    EXPECT_FALSE(run.resume(text(old.folder())));
    EXPECT_EQ(run.state(), State::idle);
    ASSERT_FALSE(messages.isEmpty());
    EXPECT_TRUE(messages.last().contains(QStringLiteral("log.txt"))) << messages.last().toStdString();
    EXPECT_EQ(*read_file(victim, 100), "keep");
    EXPECT_EQ(lastLine(text(log)), QString()) << "and it is not read through it";
  }
}

TEST_F(RunControllerTest, TheLastLineOfALogHoldsNoControlCharacters) {
  const fs::path log = place.path() / "log.txt";
  std::ofstream(log) << "first\n\x1b[2J\x07the device x is missing\n\n";
  EXPECT_EQ(lastLine(text(log)), QStringLiteral("?[2J?the device x is missing"));
}

TEST_F(RunControllerTest, AMissingProgramIsReportedAtOnce) {
  run.setProgram(QStringLiteral("/nonexistent/netwright-cli"));
  EXPECT_FALSE(run.start());
  EXPECT_EQ(run.state(), State::idle);
  ASSERT_FALSE(messages.isEmpty());
  EXPECT_TRUE(messages.last().contains(QStringLiteral("/nonexistent/netwright-cli")));
}

TEST_F(RunControllerTest, ANetworkWithProblemsIsNotTrained) {
  session.replace(GraphDoc(), {}, QStringLiteral("empty"));
  EXPECT_FALSE(run.start());
  ASSERT_FALSE(messages.isEmpty());
  EXPECT_TRUE(messages.last().contains(QStringLiteral("Solve"))) << messages.last().toStdString();
}

TEST_F(RunControllerTest, StopIsShownAtOnceAndStopNowEndsAProcessThatDoesNotListen) {
  program(begin() + hold());
  ASSERT_TRUE(run.start());
  ASSERT_TRUE(wait_for([&] { return run.state() == State::running; }));
  run.stop();
  EXPECT_EQ(run.state(), State::stopping) << "before anybody answered";
  run.stopNow();
  ASSERT_TRUE(wait_for([&] { return run.state() == State::idle; }));
  EXPECT_TRUE(died.isEmpty()) << "it was asked for";
}

// The real program, on data that take a minute to open: it hears a stop all the same.
TEST_F(RunControllerTest, StopEndsARunWhileItsDataOpen) {
  GraphDoc doc = session.doc();
  DataChoice data = doc.data();
  data.kind = SourceKind::synthetic;
  data.synthetic_train = 1'000'000;
  ASSERT_TRUE(doc.apply({PutData{data}}));
  session.replace(doc, {}, QStringLiteral("My net 5"));
  ASSERT_TRUE(run.start());
  const fs::path dir = folder();
  ASSERT_TRUE(wait_for([&] { return fs::exists(control_socket(dir)) || run.state() == State::idle; }));
  QElapsedTimer clock;
  clock.start();
  run.stop();
  ASSERT_TRUE(wait_for([&] { return run.state() == State::idle; }));
  EXPECT_LT(clock.elapsed(), 3000) << "1 s until it ends itself, then its end is read";
  EXPECT_TRUE(died.isEmpty()) << died.toStdString();
  EXPECT_EQ(summarize_run(dir)->status, RunStatus::stopped);
}

// The socket of a killed process stays; a stop that is asked for before the resumed process listens must not be lost.
TEST_F(RunControllerTest, AStopReachesAProcessThatListensLater) {
  GraphDoc doc = session.doc();
  DataChoice data = doc.data();
  data.kind = SourceKind::synthetic;
  TrainSettings settings = doc.settings();
  settings.epochs = 100'000;
  ASSERT_TRUE(doc.apply({PutData{data}, PutSettings{settings}}));
  session.replace(doc, {}, QStringLiteral("My net 6"));
  ASSERT_TRUE(run.start());
  const fs::path dir = folder();
  ASSERT_TRUE(wait_for([&] { return control_listens(dir); }));
  run.stop();
  ASSERT_TRUE(wait_for([&] { return run.state() == State::idle; }));
  const std::string path = control_socket(dir).string();
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const int dead = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ::unlink(address.sun_path);  // a process that ends itself while its data open leaves its own
  ASSERT_EQ(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(dead);
  ASSERT_TRUE(run.resume(QString::fromStdString(dir.string())));
  const auto process = static_cast<pid_t>(run.processId());
  ASSERT_GT(process, 0);
  ::kill(process, SIGSTOP);
  const std::jthread later([process] {
    std::this_thread::sleep_for(std::chrono::seconds(3));  // longer than a request waits for a process that begins
    ::kill(process, SIGCONT);
  });
  run.stop();
  EXPECT_TRUE(wait_for([&] { return run.state() == State::idle; }));
  EXPECT_FALSE(messages.join(u'\n').contains(QStringLiteral("rejected"))) << messages.join(u'\n').toStdString();
}

TEST_F(RunControllerTest, OneRunAtATime) {
  program(begin() + hold() + end(EndReason::finished));
  ASSERT_TRUE(run.start());
  EXPECT_FALSE(run.start());
  ASSERT_TRUE(wait_for([&] { return run.state() == State::running; }));
  go();
}

TEST_F(RunControllerTest, AStoppedRunIsResumedInItsFolder) {
  test::RunWriter old(place.path() / "runs", test::definition_of());
  test::write_training(old, {.epochs_done = 2, .end = EndReason::stopped});
  program(say({0, Resumed{1688, 1, 2000}}) + hold() + end(EndReason::finished));
  ASSERT_TRUE(run.resume(text(old.folder())));
  ASSERT_TRUE(wait_for([&] { return run.state() == State::running; }));
  go();
  ASSERT_TRUE(wait_for([&] { return run.state() == State::idle; }));
  EXPECT_EQ(summarize_run(old.folder())->status, RunStatus::finished);
}

TEST_F(RunControllerTest, ARunStartedElsewhereIsFollowedAndItsEndIsSeen) {
  test::RunWriter other(place.path() / "runs", test::definition_of());
  test::write_training(other, {.epochs_done = 2});
  other.lock();
  run.attach(text(other.folder()));
  EXPECT_EQ(run.state(), State::running);
  EXPECT_FALSE(run.resume(text(other.folder()))) << "a second one is refused";
  other.unlock();
  ASSERT_TRUE(wait_for([&] { return run.state() == State::idle; }));
  EXPECT_FALSE(died.isEmpty());
}

TEST_F(RunControllerTest, TheProcessThatHoldsALockIsFound) {
  test::RunWriter other(place.path() / "runs", test::definition_of());
  EXPECT_EQ(lock_holder(other.folder() / "lock"), 0);
  other.lock();
  EXPECT_EQ(lock_holder(other.folder() / "lock"), ::getpid());
}

TEST(SignalText, NamesTheSignalAndSaysWhatItMeans) {
  EXPECT_TRUE(signalText(SIGKILL).startsWith(QStringLiteral("SIGKILL (")));
  EXPECT_TRUE(signalText(SIGSEGV).startsWith(QStringLiteral("SIGSEGV (")));
  EXPECT_EQ(signalText(SIGUSR1), QStringLiteral("SIGUSR1"));
}

}  // namespace
}  // namespace nw::ui
