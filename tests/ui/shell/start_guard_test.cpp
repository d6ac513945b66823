// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/start_guard.hpp"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>

#include "engine/design/project_file.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

struct StartGuardTest : testing::Test {
  QTemporaryDir folder;
  fs::path file = fs::path(folder.path().toStdString()) / "state" / "starting";
};

TEST_F(StartGuardTest, TheFourthStartAfterThreeFailedOnesIsInSafeMode) {
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(StartGuard(file).safe()) << i;
  EXPECT_TRUE(StartGuard(file).safe());
  EXPECT_TRUE(StartGuard(file).safe()) << "until one comes up";
}

TEST_F(StartGuardTest, ASuccessfulStartResetsTheCount) {
  for (int i = 0; i < 3; ++i) StartGuard guard(file);
  StartGuard(file).startSucceeded();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(StartGuard(file).safe()) << i;
}

TEST_F(StartGuardTest, AMalformedFileOrAReadOnlyFolderDoesNotPreventTheStart) {
  ASSERT_TRUE(make_folder(file.parent_path(), 0700));
  ASSERT_TRUE(save_file(file, std::string(100000, 'x')));
  EXPECT_FALSE(StartGuard(file).safe());
  EXPECT_FALSE(StartGuard("/proc/nowhere/starting").safe());
}

TEST_F(StartGuardTest, AWindowInSafeModeOpensNothingAndOffersTheRequestedFile) {
  const QString project = folder.filePath(QStringLiteral("mine.netwright"));
  ASSERT_TRUE(ProjectFile::save(find_template("mlp")->make(), project.toStdString()));
  WindowHost desk({.path = project, .templateName = {}, .safe = true});
  EXPECT_EQ(desk.window().currentPage(), QStringLiteral("welcome"));
  EXPECT_TRUE(desk.window().banner().isVisible());
  EXPECT_TRUE(desk.workplace().session.path().isEmpty());
  auto* button = desk.window().banner().findChild<QAbstractButton*>(QStringLiteral("bannerAction"));
  ASSERT_NE(button, nullptr);
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(desk.workplace().session.path(), project);
  EXPECT_EQ(desk.window().currentPage(), QStringLiteral("design"));
}

/// What the user has set, and what an earlier window in safe mode has left behind.
TEST_F(StartGuardTest, ASafeStartUsesDefaultsInTheUsersLanguageAndLeavesTheSettingsAsTheyAre) {
  struct Name {
    QString before = QCoreApplication::applicationName();
    ~Name() { QCoreApplication::setApplicationName(before); }
  } name;
  const auto keys = [](const QString& of) {
    QCoreApplication::setApplicationName(of);
    return QSettings().allKeys();
  };
  keys(QStringLiteral("netwright-safe"));
  QSettings().setValue(QStringLiteral("window"), QByteArray("left by a window"));
  QCoreApplication::setApplicationName(name.before);
  setPreferences({.theme = ThemeMode::dark, .language = QStringLiteral("zh_CN"), .threads = 3, .reduceMotion = true});
  QSettings().setValue(QStringLiteral("design/layout"), QByteArray("of the user"));
  QSettings().sync();
  const auto content = [] { return *read_file(QSettings().fileName().toStdString(), 1 << 20); };
  const std::string users = content();
  useSafeSettings();
  const Preferences p = preferences();
  EXPECT_EQ(p.language, QStringLiteral("zh_CN"));
  EXPECT_EQ(p.theme, ThemeMode::system);
  EXPECT_EQ(p.threads, 0);
  EXPECT_FALSE(p.reduceMotion);
  EXPECT_FALSE(QSettings().contains(QStringLiteral("window")));
  EXPECT_FALSE(QSettings().contains(QStringLiteral("design/layout")));
  {
    WindowHost desk({.path = {}, .templateName = {}, .safe = true});
    EXPECT_TRUE(desk.window().banner().text().startsWith(QStringLiteral("Safe mode: ")));
    desk.window().close();
  }
  EXPECT_FALSE(keys(QStringLiteral("netwright-safe")).empty());
  QCoreApplication::setApplicationName(name.before);
  QSettings().sync();
  EXPECT_EQ(content(), users);
  QSettings().clear();
}

/// The real program with folders of its own, which opens a project; killed at the latest with this object.
class RealWindow {
 public:
  RealWindow(const QTemporaryDir& place, const QStringList& words) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name :
         {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"}) {
      const QString folder = place.filePath(QString::fromLatin1(name));
      QDir().mkpath(folder);
      QFile::setPermissions(folder, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
      environment.insert(QLatin1String(name), folder);
    }
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    process_.setProcessEnvironment(environment);
    process_.start(QString::fromStdString(test::programs_folder() + "/netwright"), words);
    process_.waitForStarted();
  }
  ~RealWindow() { kill(); }
  void kill() {
    if (process_.processId() > 0) ::kill(static_cast<pid_t>(process_.processId()), SIGKILL);
    process_.waitForFinished();
  }
  qint64 id() const { return process_.processId(); }

 private:
  QProcess process_;
};

TEST_F(StartGuardTest, TheProgramKilledThreeTimesWhileItStartsLeavesTheProjectAloneTheFourthTime) {
  const QString project = folder.filePath(QStringLiteral("mine.netwright"));
  ASSERT_TRUE(ProjectFile::save(find_template("mlp")->make(), project.toStdString()));
  const fs::path count = fs::path(folder.path().toStdString()) / "XDG_STATE_HOME/netwright/window-start";
  const auto holder = [&] {
    qint64 process = 0;
    QString host, name;
    QLockFile(folder.filePath(QStringLiteral(".mine.netwright.lock"))).getLockInfo(&process, &host, &name);
    return process;
  };
  const auto starts = [&] {
    const auto dots = read_file(count, 64);
    return dots ? dots->size() : 0;
  };
  for (std::size_t start = 1; start <= 3; ++start) {
    RealWindow window(folder, {project});
    ASSERT_TRUE(test::wait_for([&] { return starts() == start; })) << "start " << start;
  }
  {
    RealWindow safe(folder, {project});
    ASSERT_TRUE(test::wait_for([&] { return starts() == 4; }));
    ASSERT_TRUE(test::wait_for([&] { return starts() == 0; })) << "it serves for five seconds";
    EXPECT_NE(holder(), safe.id()) << "it has opened the project";
  }
  RealWindow next(folder, {project});
  EXPECT_TRUE(test::wait_for([&] { return holder() == next.id(); })) << "the next one opens it again";
}

TEST_F(StartGuardTest, TheProgramOpensNothingWhereSafeModeIsAskedFor) {
  const QString project = folder.filePath(QStringLiteral("mine.netwright"));
  ASSERT_TRUE(ProjectFile::save(find_template("mlp")->make(), project.toStdString()));
  const fs::path place(folder.path().toStdString());
  RealWindow safe(folder, {QStringLiteral("--safe-mode"), project});
  ASSERT_TRUE(test::wait_for([&] { return fs::exists(place / "XDG_CONFIG_HOME/netwright/netwright-safe.conf"); }));
  // an empty count: it has served for five seconds
  ASSERT_TRUE(test::wait_for([&] {
    const auto dots = read_file(place / "XDG_STATE_HOME/netwright/window-start", 64);
    return !dots || dots->empty();
  }));
  EXPECT_FALSE(fs::exists(place / ".mine.netwright.lock")) << "it has opened the project";
  EXPECT_FALSE(fs::exists(place / "XDG_CONFIG_HOME/netwright/netwright.conf"));
}

}  // namespace
}  // namespace nw::ui
