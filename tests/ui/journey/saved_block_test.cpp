// SPDX-License-Identifier: GPL-3.0-or-later
// A block kept in the user's palette with its own name, icon and help, and used in another project.
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>

#include "engine/core/files.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/edits/saved_blocks.hpp"
#include "ui/design/layer_rows.hpp"
#include "ui/design/palette_tree.hpp"
#include "ui/design/tabbed_panel.hpp"
#include "ui/page/page.hpp"
#include "ui/shell/files/project_files.hpp"

namespace nw::ui {
namespace {

class SavedBlock : public Journey {
 protected:
  QDialog* dialog() { return window().findChild<QDialog*>(QStringLiteral("saveBlockDialog")); }
  PaletteTree& blocks() { return *child<PaletteTree>(QStringLiteral("blockPalette")); }
  void showBlocks() {
    auto* panel = qobject_cast<TabbedPanel*>(blocks().parentWidget()->parentWidget()->parentWidget());
    for (QWidget* w = &blocks(); w && !panel; w = w->parentWidget()) panel = qobject_cast<TabbedPanel*>(w);
    ASSERT_NE(panel, nullptr);
    hand.click(&panel->tabs(), panel->tabs().tabRect(1).center());
  }
  /// Three layers of LeNet-5 become the block "Stage", which is selected.
  void makeBlock() {
    openWindow({{}, QStringLiteral("lenet5")});
    analysed();
    Qt::KeyboardModifiers held = Qt::NoModifier;
    for (const char* name : {"conv1", "relu1", "pool1"}) {
      hand.click(view().viewport(), nodePosition(view(), find(name)), held);
      held = Qt::ControlModifier;
    }
    hand.key(Qt::Key_G, Qt::ControlModifier);
    hand.type(QStringLiteral("Stage"));
    hand.key(Qt::Key_Return);
    ASSERT_TRUE(session().doc().blocks().contains("Stage"));
  }
  void openDialog() {
    action(QStringLiteral("save-block"))->trigger();
    ASSERT_TRUE(test::wait_for([&] { return dialog() && dialog()->isVisible(); }));
  }
  QTreeWidgetItem* row(const QString& id) {
    for (QTreeWidgetItemIterator it(&blocks()); *it; ++it)
      if ((*it)->data(0, rowId).toString() == id) return *it;
    return nullptr;
  }
  test::Variable data{"XDG_DATA_HOME", fs::path(folder.path().toStdString()) / "data"};
};

TEST_F(SavedBlock, IsKeptWithNameIconAndHelpAndDraggedIntoAnotherProject) {
  makeBlock();
  openDialog();
  auto* name = dialog()->findChild<QLineEdit*>(QStringLiteral("blockName"));
  EXPECT_EQ(name->text(), QStringLiteral("Stage"));
  hand.fill(name, QStringLiteral("4 bad name"));
  EXPECT_FALSE(button(QStringLiteral("Save"), dialog())->isEnabled());
  hand.fill(name, QStringLiteral("FirstStage"));
  hand.click(dialog()->findChild<QWidget*>(QStringLiteral("icon-layer-conv2d")));
  hand.fill(dialog()->findChild<QPlainTextEdit*>(QStringLiteral("blockHelp")),
            QStringLiteral("Halves <b>an image</b>"));
  hand.click(button(QStringLiteral("Save"), dialog()));
  ASSERT_TRUE(test::wait_for([&] { return !dialog(); }));
  EXPECT_TRUE(fs::exists(data_folder() / "blocks" / "FirstStage.nwblock"));

  session().replace({}, {}, QStringLiteral("other"));
  analysed();
  EXPECT_TRUE(session().doc().blocks().empty()) << "a project never takes one by itself";
  showBlocks();
  QTreeWidgetItem* saved = row(QStringLiteral("Mine/FirstStage"));
  ASSERT_NE(saved, nullptr);
  EXPECT_EQ(saved->parent()->text(0), QStringLiteral("My blocks"));
  EXPECT_EQ(saved->data(0, rowIcon).toString(), QStringLiteral("layer-conv2d"));
  EXPECT_EQ(saved->toolTip(0), QStringLiteral("Halves <b>an image</b>"));
  hand.drag(blocks().viewport(), blocks().rowPosition(QStringLiteral("Mine/FirstStage")), view().viewport(),
            {400, 300});
  ASSERT_EQ(graph().nodes.size(), 1U);
  EXPECT_EQ(graph().nodes.begin()->second.attrs.at("block"), Attr(std::string("FirstStage")));
  EXPECT_EQ(session().doc().blocks().at("FirstStage").graph.nodes.size(), 5U) << "three layers and two ends";
}

TEST_F(SavedBlock, FilesOfStrangersAreListedWithoutTheirWordsBeingBelieved) {
  const fs::path folder_of_blocks = data_folder() / "blocks";
  ASSERT_TRUE(make_folder(folder_of_blocks, 0700));
  ASSERT_TRUE(
      save_file(folder_of_blocks / "Odd.nwblock",
                "{\"netwright-graph\":1,\"network\":{\"nodes\":[]},\"card\":{\"icon\":\"../../etc\",\"help\":\"" +
                    std::string(5000, 'x') + "\\u001b\"}}"));
  ASSERT_TRUE(save_file(folder_of_blocks / "Broken.nwblock", "{\"netwright-graph\": [[[["));
  openWindow({{}, QStringLiteral("lenet5")});
  analysed();
  showBlocks();
  ASSERT_NE(row(QStringLiteral("Mine/Odd")), nullptr);
  EXPECT_EQ(row(QStringLiteral("Mine/Odd"))->data(0, rowIcon).toString(), QStringLiteral("layer-block"));
  EXPECT_LE(row(QStringLiteral("Mine/Odd"))->toolTip(0).size(), 500);
  ASSERT_NE(row(QStringLiteral("Mine/Broken")), nullptr);
  const std::size_t before = graph().nodes.size();
  for (const char* id : {"Mine/Odd", "Mine/Broken"})
    hand.drag(blocks().viewport(), blocks().rowPosition(QLatin1String(id)), view().viewport(), {60, 60});
  EXPECT_EQ(graph().nodes.size(), before) << "neither holds a block";
}

}  // namespace
}  // namespace nw::ui
