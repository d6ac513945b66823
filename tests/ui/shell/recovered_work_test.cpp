// SPDX-License-Identifier: GPL-3.0-or-later
// The work of a window that crashed is offered at every start until the user decides.
#include <gtest/gtest.h>

#include <QDir>
#include <QTest>

#include "engine/core/files.hpp"
#include "engine/design/project_file.hpp"
#include "ui/shell/welcome/welcome_page.hpp"
#include "ui/shell/welcome/welcome_side.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

struct RecoveredWork : testing::Test {
  const fs::path file = state_folder() / "recovery" / "7-7.json";  // of a process that has ended
  const GraphDoc work = find_template("lenet5")->make();
  void SetUp() override {
    ASSERT_TRUE(make_folder(file.parent_path(), 0700));
    ASSERT_TRUE(save_file(
        file,
        canonical(
            Json{{"name", "lenet5"}, {"path", ""}, {"project", ProjectFile::json(work)}, {"saved", 1}, {"schema", 1}}),
        0600));
  }
  void TearDown() override { fs::remove(file); }
  static QList<RecoveredRow*> offered(WindowHost& host) {
    auto* page = static_cast<WelcomePage*>(host.window().page(QStringLiteral("welcome")));
    return page->findChildren<RecoveredRow*>();
  }
};

TEST_F(RecoveredWork, IsOfferedAgainAfterAWindowThatWasClosedWithoutAnAnswer) {
  for (int start = 0; start < 3; ++start) {
    WindowHost host{StartOptions{}};
    EXPECT_EQ(host.window().currentPage(), QStringLiteral("welcome"));
    EXPECT_EQ(offered(host).size(), 1) << "start " << start;
  }
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(RecoveredWork, IsSaidAboveAProjectThatIsOpenedInstead) {
  WindowHost host{StartOptions{{}, QStringLiteral("mlp")}};
  EXPECT_TRUE(host.window().banner().isVisible());
  EXPECT_TRUE(host.window().banner().text().contains(QStringLiteral("unsaved changes from the last session")))
      << host.window().banner().text().toStdString();
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(RecoveredWork, OnceOpenedIsHeldByTheFileOfThisWindow) {
  WindowHost host{StartOptions{}};
  const QList<RecoveredRow*> rows = offered(host);
  ASSERT_EQ(rows.size(), 1);
  Q_EMIT rows.front()->openRequested();
  EXPECT_EQ(ProjectFile::text(host.workplace().session.doc()), ProjectFile::text(work));
  EXPECT_TRUE(host.workplace().session.isModified()) << "it was never saved";
  EXPECT_EQ(host.window().currentPage(), QStringLiteral("design"));
  EXPECT_FALSE(fs::exists(file));
  const QDir folder(QString::fromStdString(file.parent_path().string()));
  EXPECT_EQ(folder.entryList({QStringLiteral("*.json")}).size(), 1) << "a crash now loses nothing either";
}

TEST_F(RecoveredWork, IsRemovedWhenTheUserDiscardsIt) {
  WindowHost host{StartOptions{}};
  const QList<RecoveredRow*> rows = offered(host);
  ASSERT_EQ(rows.size(), 1);
  Q_EMIT rows.front()->discardRequested();
  EXPECT_FALSE(fs::exists(file));
}

}  // namespace
}  // namespace nw::ui
