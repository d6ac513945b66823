// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a device that answers with EIO or ENOSPC: where its settings, its recovery copies and its project are
// written. It goes on and says it once, what was on the disk stays, and it is written once the device works again.
#ifndef NW_SANITIZED  // a sanitizer has its own functions in the place of those that fail here
#include <QProcess>
#include <QSettings>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "engine/core/files.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/session/edit_command.hpp"
#include "ui/session/recovery.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/preferences/settings_watch.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

constexpr int deviceErrors[] = {EIO, ENOSPC};
constexpr double mostProcessorSeconds = 5;  // a window that tries again without pause uses more

double processorSeconds() { return static_cast<double>(::clock()) / CLOCKS_PER_SEC; }

class WindowOnAFailingDevice : public Journey {
 protected:
  void openProject() {
    said.clear();
    openSmallProject(3);
    QObject::connect(&session(), &Session::message, &session(), [this](const QString& sentence) { said << sentence; });
  }
  std::string project() const { return folder.filePath(QStringLiteral("small.netwright")).toStdString(); }
  static std::string bytesOf(const std::string& file) {
    const auto bytes = read_file(file, 64 << 20);
    return bytes ? *bytes : "none";
  }
  void edit(int times) {
    const NodeId id = session().doc().graph().nodes.begin()->first;
    for (int i = 0; i < times; ++i)
      ASSERT_TRUE(
          session().push(move_nodes(session().doc(), "", {{id, Point{1.0 * ++edits, 0}}}), QStringLiteral("Move")));
  }
  /// Plays `what` for each of these calls and each error; the calls of files below `below` fail while it lives.
  template <class What>
  void ofEach(const std::vector<const char*>& calls, What what) {
    for (const char* call : calls)
      for (const int error : deviceErrors) {
        SCOPED_TRACE(testing::Message() << call << ": " << std::strerror(error));
        const double before = processorSeconds();
        what(call, error);
        EXPECT_LT(processorSeconds() - before, mostProcessorSeconds);
        if (HasFailure()) return;
      }
  }
  SettingsWatch& watch() { return *desk->findChild<SettingsWatch*>(); }
  /// The sentences with these words that the window has said.
  qsizetype times(const QString& words) const { return said.filter(words).size(); }
  QStringList said;
  int edits = 0;
  QTemporaryDir home;
  test::Variable states{"XDG_STATE_HOME", home.path().toStdString()};
  const QString copies = home.filePath(QStringLiteral("netwright/recovery"));
  const QString unprotected = QStringLiteral("Your changes are not protected against a crash");
};

TEST_F(WindowOnAFailingDevice, SaysOnceThatNoRecoveryCopyCanBeWrittenAndWritesItLater) {
  ofEach({"mkdir", "open", "write", "fsync", "rename"}, [&](const char* call, int error) {
    QDir(copies).removeRecursively();
    openProject();
    {
      const test::FailingCalls device(call, error, copies.toStdString());
      edit(Recovery::maxEdits);
      ASSERT_TRUE(test::wait_for([&] { return times(unprotected) > 0; }));
      const int felt = device.felt();
      ASSERT_TRUE(test::wait_for([&] { return edit(1), device.felt() > felt + 2; })) << "it is tried again";
      EXPECT_EQ(said.size(), 1) << said.join(u'\n').toStdString();
      EXPECT_TRUE(said[0].contains(QLatin1String(std::strerror(error)))) << said[0].toStdString();
      EXPECT_TRUE(said[0].contains(copies)) << said[0].toStdString();
      EXPECT_TRUE(window().banner().isVisible());
    }
    const auto written = [&] { return !QDir(copies).entryList({QStringLiteral("*.json")}).isEmpty(); };
    ASSERT_TRUE(test::wait_for([&] { return edit(1), written(); }));
    session().undoStack().setClean();
  });
}

TEST_F(WindowOnAFailingDevice, KeepsTheRecoveryCopyThatItHas) {
  ofEach({"open", "write", "fsync", "rename"}, [&](const char* call, int error) {
    QDir(copies).removeRecursively();
    openProject();
    const auto copy = [&] {
      const QStringList files = QDir(copies).entryList({QStringLiteral("*.json")});
      return files.isEmpty() ? std::string() : bytesOf(copies.toStdString() + "/" + files[0].toStdString());
    };
    edit(Recovery::maxEdits);
    ASSERT_TRUE(test::wait_for([&] { return !copy().empty(); }));
    ASSERT_TRUE(desk->workplace().recovery.flush());
    const std::string before = copy();
    {
      const test::FailingCalls device(call, error, copies.toStdString());
      edit(Recovery::maxEdits);
      ASSERT_TRUE(test::wait_for([&] { return times(unprotected) > 0; }));
      EXPECT_FALSE(desk->workplace().recovery.flush());  // no write is under way
    }
    EXPECT_TRUE(copy() == before);
    session().undoStack().setClean();
  });
}

TEST_F(WindowOnAFailingDevice, SaysThatAnEarlierCopyCannotBeReadAndOffersItLater) {
  ASSERT_TRUE(make_folder(copies.toStdString(), 0700));
  const std::string file = copies.toStdString() + "/7-7.json";  // of a process that has ended
  const Json copy{{"name", "lenet5"}, {"path", ""}, {"project", ProjectFile::json(find_template("lenet5")->make())}};
  ASSERT_TRUE(save_file(file, canonical(copy), 0600));
  const std::string before = bytesOf(file);
  for (const char* call : {"open", "read"}) {
    SCOPED_TRACE(call);
    {
      const test::FailingCalls device(call, EIO, file);
      openWindow();
      EXPECT_GT(device.felt(), 0);
    }
    const QString text = window().banner().text();
    EXPECT_TRUE(window().banner().isVisible());
    EXPECT_TRUE(text.contains(QStringLiteral("Unsaved work of an earlier session"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QLatin1String(std::strerror(EIO)))) << text.toStdString();
    EXPECT_TRUE(text.contains(QString::fromStdString(file))) << text.toStdString();
    openWindow();
    EXPECT_FALSE(window().banner().text().contains(QStringLiteral("Unsaved work of an earlier session")));
    EXPECT_EQ(desk->workplace().recovery.found().size(), 1U);
    EXPECT_TRUE(bytesOf(file) == before);
  }
}

TEST_F(WindowOnAFailingDevice, SaysWhyAProjectCannotBeOpened) {
  openProject();
  for (const char* call : {"open", "read"}) {
    SCOPED_TRACE(call);
    said.clear();
    const std::uint64_t state = session().version();
    const test::FailingCalls device(call, EIO, project());
    EXPECT_FALSE(window().files().openPath(QString::fromStdString(project())));
    EXPECT_EQ(said.size(), 1) << said.join(u'\n').toStdString();
    EXPECT_EQ(times(QLatin1String(std::strerror(EIO))), 1) << said.join(u'\n').toStdString();
    EXPECT_EQ(session().version(), state) << "what was open stays";
  }
}

TEST_F(WindowOnAFailingDevice, SaysWhyAProjectIsNotSavedAndKeepsTheOldOne) {
  ofEach({"open", "write", "fsync", "rename"}, [&](const char* call, int error) {
    openProject();
    const std::string before = bytesOf(project());
    edit(1);
    {
      const test::FailingCalls device(call, error, folder.path().toStdString());
      hand.key(Qt::Key_S, Qt::ControlModifier);
      EXPECT_GT(device.felt(), 0);
    }
    EXPECT_EQ(times(QLatin1String(std::strerror(error))), 1) << said.join(u'\n').toStdString();
    EXPECT_EQ(said.size(), 1) << said.join(u'\n').toStdString();
    EXPECT_TRUE(window().banner().isVisible());
    EXPECT_TRUE(session().isModified());
    EXPECT_TRUE(bytesOf(project()) == before);
    hand.key(Qt::Key_S, Qt::ControlModifier);
    EXPECT_FALSE(session().isModified());
    EXPECT_TRUE(bytesOf(project()) == ProjectFile::text(session().doc()));
  });
}

TEST_F(WindowOnAFailingDevice, KnowsWhyItsSettingsCannotBeRead) {
  QSettings().setValue(QStringLiteral("threads"), 3);
  const QString file = QSettings().fileName();
  EXPECT_EQ(unreadableSettings(), QString());
  for (const char* call : {"open", "read"}) {
    const test::FailingCalls device(call, EIO, file.toStdString());
    const QString sentence = unreadableSettings();
    EXPECT_TRUE(sentence.contains(file)) << call << ": " << sentence.toStdString();
    EXPECT_TRUE(sentence.contains(QLatin1String(std::strerror(EIO)))) << call << ": " << sentence.toStdString();
  }
}

/// The program, whose every read of its settings fails, writes at its first start that it has offered the guide.
TEST_F(WindowOnAFailingDevice, LeavesSettingsAsTheyAreThatItCannotRead) {
  if (std::system("strace -qq -o /dev/null true 2>/dev/null") != 0) GTEST_SKIP() << "strace cannot trace here";
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
  const std::string file = home.filePath(QStringLiteral("netwright/netwright.conf")).toStdString();
  const std::string users = "[General]\nthreads=3\nlanguage=en\n";
  ASSERT_TRUE(make_folder(fs::path(file).parent_path(), 0700));
  ASSERT_TRUE(save_file(file, users));
  QProcess program;
  program.setProcessEnvironment(environment);
  program.start(QStringLiteral("strace"),
                {QStringLiteral("-D"), QStringLiteral("-f"), QStringLiteral("-qq"), QStringLiteral("-o"),
                 QStringLiteral("/dev/null"), QStringLiteral("-P"), QString::fromStdString(file), QStringLiteral("-e"),
                 QStringLiteral("inject=read:error=EIO:when=1+"),
                 QString::fromStdString(test::programs_folder() + "/netwright")});
  ASSERT_TRUE(program.waitForStarted());
  const QString own = home.filePath(QStringLiteral("netwright/netwright-safe.conf"));
  const auto offered = [&](const std::string& of) { return bytesOf(of).find("guideOffered") != std::string::npos; };
  EXPECT_TRUE(test::wait_for([&] { return offered(own.toStdString()) || offered(file); }));
  EXPECT_EQ(bytesOf(file), users);
  program.kill();  // by strace's -D the process is the program
  program.waitForFinished();
}

/// Qt does not look whether a sync of the settings fails.
TEST_F(WindowOnAFailingDevice, SaysOnceThatItsSettingsAreNotSavedAndSavesThemLater) {
  const std::string file = QSettings().fileName().toStdString();
  const QString lost = QStringLiteral("settings cannot be saved");
  int threads = 0;
  const auto change = [&] {
    Preferences p = preferences();
    p.threads = ++threads;
    setPreferences(p);
  };
  ofEach({"open", "write", "rename"}, [&](const char* call, int error) {
    openProject();
    change();
    const std::string before = bytesOf(file);
    {
      const test::FailingCalls device(call, error, file);
      change();
      EXPECT_GT(device.felt(), 0);
      ASSERT_TRUE(test::wait_for([&] { return times(lost) > 0; }, 20000));
      const int felt = device.felt();
      watch().look();
      EXPECT_GT(device.felt(), felt) << "it is tried again";
      EXPECT_EQ(said.size(), 1) << said.join(u'\n').toStdString();
      EXPECT_TRUE(said[0].contains(QString::fromStdString(file))) << said[0].toStdString();
      if (qstrcmp(call, "open") != 0) EXPECT_TRUE(bytesOf(file) == before);
      EXPECT_EQ(preferences().threads, threads) << "they hold while the window is open";
    }
    EXPECT_TRUE(bytesOf(file) == before);
    watch().look();
    const std::string line = "threads=" + std::to_string(threads) + "\n";
    EXPECT_NE(bytesOf(file).find(line), std::string::npos) << bytesOf(file);
    EXPECT_EQ(said.size(), 1);
  });
}

}  // namespace
}  // namespace nw::ui
#endif
