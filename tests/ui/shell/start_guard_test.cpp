// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/start_guard.hpp"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QTemporaryDir>
#include <QTest>

#include "engine/design/project_file.hpp"
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

}  // namespace
}  // namespace nw::ui
