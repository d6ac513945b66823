// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/command_palette.hpp"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QListWidget>
#include <QTemporaryDir>
#include <QTest>

#include "engine/design/project_file.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/design/design_page.hpp"
#include "ui/page/actions.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings_panel.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/application.hpp"

namespace nw::ui {
namespace {

struct PaletteTest : testing::Test {
  WindowHost desk{StartOptions{{}, QStringLiteral("lenet5")}};
  QTemporaryDir folder;
  Session& session() { return desk.workplace().session; }
  MainWindow& window() { return desk.window(); }
  CommandPalette& palette() { return *window().findChild<CommandPalette*>(); }
  QLineEdit& field() { return *palette().findChild<QLineEdit*>(); }
  QListWidget& list() { return *palette().findChild<QListWidget*>(); }
  GraphScene& scene() { return static_cast<DesignPage*>(window().page(QStringLiteral("design")))->canvas().scene(); }
  void type(const QString& words) {
    window().show();
    action(QStringLiteral("command-palette"))->trigger();
    QTest::keyClicks(&field(), words);
  }
  QString first() { return list().count() > 0 ? list().item(0)->text() : QString(); }
  void enter() { QTest::keyClick(&field(), Qt::Key_Return); }
};

TEST_F(PaletteTest, FindsATemplateAndOpensIt) {
  window().showPage(QStringLiteral("train"));
  type(QStringLiteral("resnet-18"));
  EXPECT_TRUE(first().contains(QStringLiteral("ResNet-18"))) << first().toStdString();
  enter();
  EXPECT_GT(session().doc().graph().nodes.size(), 14u);
  EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
}

TEST_F(PaletteTest, AddsALayerBehindTheSelectedOne) {
  const std::size_t before = session().doc().graph().nodes.size();
  window().showPage(QStringLiteral("runs"));
  type(QStringLiteral("add dropout"));
  EXPECT_EQ(first(), QStringLiteral("Add Dropout"));
  enter();
  EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
  EXPECT_EQ(session().doc().graph().nodes.size(), before + 1);
}

TEST_F(PaletteTest, GoesToALayerByItsName) {
  window().showPage(QStringLiteral("runs"));
  type(QStringLiteral("conv2"));
  EXPECT_EQ(first(), QStringLiteral("conv2"));
  enter();
  EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
  EXPECT_EQ(session().doc().graph().nodes.at(scene().selection().current()).name, "conv2");
}

TEST_F(PaletteTest, GoesIntoABlockToALayerOfIt) {
  session().replace(find_template("resnet18-cifar")->make(), {}, QStringLiteral("resnet"));
  std::string name;
  for (const auto& [id, node] : session().doc().blocks().at("BasicBlock").graph.nodes)
    if (node.type == "BatchNorm2d") name = node.name;
  ASSERT_FALSE(name.empty());
  type(QString::fromStdString(name));
  int row = -1;
  for (int i = 0; i < list().count(); ++i)
    if (list().item(i)->data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("in the block BasicBlock")))
      row = row < 0 ? i : row;
  ASSERT_GE(row, 0);
  list().setCurrentRow(row);
  const std::string title = list().item(row)->text().toStdString();
  enter();
  EXPECT_EQ(scene().scope(), "BasicBlock");
  EXPECT_EQ(scene().graph().nodes.at(scene().selection().current()).name, title);
}

TEST_F(PaletteTest, NamesBlocksAsTheUserDid) {
  session().replace(find_template("resnet18-cifar")->make(), {}, QStringLiteral("resnet"));
  type(QStringLiteral("add basicblock"));
  EXPECT_EQ(first(), QStringLiteral("Add BasicBlock"));
  const std::size_t before = session().doc().graph().nodes.size();
  enter();
  EXPECT_EQ(session().doc().graph().nodes.size(), before + 1);
}

TEST_F(PaletteTest, KeepsTheSelectedEntryWhenOthersArriveLater) {
  const fs::path runs = folder.path().toStdString();
  session().run().setRunsFolder(folder.path());
  RunDefinition definition = test::definition_of("mlp");
  definition.name = "conv";  // the run comes before the layers
  test::RunWriter run(runs, definition);
  type(QStringLiteral("conv"));
  ASSERT_GT(list().count(), 2);
  QTest::keyClick(&field(), Qt::Key_Down);
  QTest::keyClick(&field(), Qt::Key_Down);
  const QString chosen = list().currentItem()->data(Qt::AccessibleTextRole).toString();
  const int before = list().count();
  ASSERT_TRUE(QTest::qWaitFor([&] { return list().count() > before; }, 10000));
  EXPECT_EQ(list().currentItem()->data(Qt::AccessibleTextRole).toString(), chosen);
}

TEST_F(PaletteTest, GivesASettingTheFocus) {
  type(QStringLiteral("learning rate"));
  EXPECT_EQ(first(), QStringLiteral("Learning rate"));
  enter();
  QWidget* rate = window().findChild<SettingsPanel*>()->control(QStringLiteral("learning_rate"));
  ASSERT_NE(rate, nullptr);
  EXPECT_TRUE(rate == window().focusWidget() || rate->isAncestorOf(window().focusWidget()));
  EXPECT_TRUE(rate->isVisible());
}

TEST_F(PaletteTest, FindsARecentProject) {
  const QString path = folder.filePath(QStringLiteral("seagulls.netwright"));
  ASSERT_TRUE(ProjectFile::save(find_template("mlp")->make(), path.toStdString()));
  rememberProject(path);
  type(QStringLiteral("seagulls"));
  EXPECT_EQ(first(), QStringLiteral("seagulls.netwright"));
  enter();
  EXPECT_EQ(session().path(), path);
}

TEST_F(PaletteTest, FindsARunThatItReadInTheBackground) {
  const fs::path runs = folder.path().toStdString();
  session().run().setRunsFolder(folder.path());
  RunDefinition definition = test::definition_of("mlp");
  definition.name = "walrus";
  test::RunWriter run(runs, definition);
  type(QStringLiteral("walrus"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return list().item(0)->flags() & Qt::ItemIsSelectable; }, 10000));
  enter();
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  EXPECT_EQ(session().feed().folder().toStdString(), run.folder().string());
}

TEST_F(PaletteTest, SaysThatNothingFitsAndEnterDoesNothing) {
  type(QStringLiteral("xqzjkw"));
  ASSERT_EQ(list().count(), 1);
  EXPECT_EQ(first(), QStringLiteral("Nothing matches “xqzjkw”"));
  EXPECT_FALSE(list().item(0)->flags() & Qt::ItemIsSelectable);
  enter();
  EXPECT_TRUE(palette().isVisible()) << "the letters can be corrected";
}

TEST_F(PaletteTest, WithoutAQueryShowsCommandsAndPagesThroughThem) {
  type({});
  EXPECT_GT(list().count(), 20);
  QTest::keyClick(&field(), Qt::Key_PageDown);
  EXPECT_EQ(list().currentRow(), 9);
  QTest::keyClick(&field(), Qt::Key_PageUp);
  EXPECT_EQ(list().currentRow(), 0);
}

TEST_F(PaletteTest, ClosesWhenTheWindowGetsAnotherSize) {
  type(QStringLiteral("dropout"));
  ASSERT_TRUE(palette().isVisible());
  window().resize(window().size() - QSize(120, 80));
  EXPECT_TRUE(test::wait_for([&] { return !palette().isVisible(); }, 2000)) << "it was placed for the size before";
  type(QStringLiteral("dropout"));
  EXPECT_TRUE(window().rect().contains(palette().geometry()));
}

}  // namespace
}  // namespace nw::ui
