// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks in the window: created from a selection by key, entered, edited with all instances following, made unique,
// dissolved, shared.
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QPushButton>

#include "engine/core/files.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/ui/canvas/bench.hpp"
#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/editors/add_layer.hpp"
#include "ui/canvas/editors/add_list.hpp"
#include "ui/canvas/editors/save_block_dialog.hpp"
#include "ui/canvas/edits/saved_blocks.hpp"
#include "ui/canvas/input/layer_drop.hpp"
#include "ui/canvas/overlays/breadcrumbs.hpp"

namespace nw::ui {
namespace {

struct Blocks : CanvasTest {
  void TearDown() override {
    for (const QString& name : savedBlocks()) EXPECT_TRUE(forgetBlock(name.toStdString()));
  }
  /// LeNet-5 with conv1, relu1 and pool1 as the block "Stage".
  /// Accepts what the dialog proposes.
  void saveStage() {
    runCommand(view(), "save-block");
    auto* dialog = canvas.findChild<SaveBlockDialog*>();
    ASSERT_NE(dialog, nullptr);
    Q_EMIT dialog->wanted();
  }
  void stage() {
    open("lenet5");
    view().camera().setZoom(1, QPointF(0, 0));
    scene().clearSelection();
    for (const char* name : {"conv1", "relu1", "pool1"}) {
      view().camera().reveal(find(name));
      click(nodePosition(view(), find(name)), Qt::ShiftModifier);
    }
    key(Qt::Key_G, Qt::ControlModifier);
    QLineEdit* name = editor();
    ASSERT_NE(name, nullptr) << "the new block is named at once";
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("Stage"));
    QTest::keyClick(name, Qt::Key_Return);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    canvas.setFocus();
  }
  QLineEdit* editor() { return port()->findChild<QLineEdit*>(QStringLiteral("inlineEdit")); }
  const std::map<std::string, Block>& definitions() { return session.doc().blocks(); }
};

TEST_F(Blocks, ControlGMakesABlockThatIsNamedAtOnceAndComputesTheSame) {
  open("lenet5");
  const auto parameters = session.analysis().parameters;
  const auto nodes = graph().nodes.size();
  stage();
  ASSERT_TRUE(definitions().contains("Stage"));
  EXPECT_EQ(graph().nodes.size(), nodes - 2);
  analysed();
  EXPECT_TRUE(session.analysis().ok());
  EXPECT_EQ(session.analysis().parameters, parameters);
  EXPECT_EQ(scene().elements().node(scene().selection().current())->look().title, QStringLiteral("Stage"));
}

TEST_F(Blocks, UndoingBlockCreationTakesTwoStepsAndRestoresTheBytes) {
  open("lenet5");
  const std::string before = text();
  stage();
  const std::string after = text();
  session.undoStack().undo();
  session.undoStack().undo();
  EXPECT_EQ(text(), before);
  session.undoStack().redo();
  session.undoStack().redo();
  EXPECT_EQ(text(), after);
}

TEST_F(Blocks, InvalidGroupingIsReported) {
  open("lenet5");
  scene().selection().selectOnly({find("images"), find("conv1")});
  QSignalSpy messages(&session, &Session::message);
  const std::string before = text();
  key(Qt::Key_G, Qt::ControlModifier);
  EXPECT_EQ(text(), before);
  ASSERT_EQ(messages.count(), 1);
  EXPECT_TRUE(messages[0][0].toString().contains(QStringLiteral("images")));
}

TEST_F(Blocks, TabEntersAndTheBreadcrumbsLeadOut) {
  stage();
  key(Qt::Key_Tab);
  EXPECT_EQ(scene().scope(), "Stage");
  EXPECT_NE(find("conv1"), 0);
  auto* crumbs = canvas.findChild<Breadcrumbs*>();
  ASSERT_TRUE(crumbs->isVisible());
  QTest::mouseClick(crumbs->findChild<QPushButton*>(), Qt::LeftButton);
  EXPECT_EQ(scene().scope(), "");
}

TEST_F(Blocks, EditingADefinitionChangesEveryInstance) {
  stage();
  const NodeId first = scene().selection().current();
  key(Qt::Key_D, Qt::ControlModifier);
  const NodeId second = scene().selection().current();
  ASSERT_NE(first, second);
  scene().selection().setCurrent(first);
  key(Qt::Key_Tab);
  scene().selection().setCurrent(find("relu1"));
  const std::string before = text();
  key(Qt::Key_Delete, Qt::ControlModifier);
  expectUndoable(before);
  key(Qt::Key_Escape);
  EXPECT_EQ(graph().nodes.at(first).attrs.at("block"), graph().nodes.at(second).attrs.at("block"));
  EXPECT_EQ(definitions().at("Stage").graph.nodes.size(), 4u);
}

TEST_F(Blocks, MakeUniqueCopiesTheDefinition) {
  stage();
  key(Qt::Key_D, Qt::ControlModifier);
  const std::string before = text();
  runCommand(view(), "make-unique");
  EXPECT_TRUE(definitions().contains("Stage2"));
  EXPECT_EQ(graph().nodes.at(scene().selection().current()).attrs.at("block"), Attr(std::string("Stage2")));
  expectUndoable(before);
}

TEST_F(Blocks, ControlShiftGUngroupsWithoutChangingTheNetwork) {
  open("resnet18-cifar");
  const auto parameters = session.analysis().parameters;
  scene().selection().setCurrent(find("layer1"));
  const std::string before = text();
  key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_NE(find("layer1.0.conv1"), 0);
  EXPECT_NE(find("layer1.1.conv1"), 0);
  analysed();
  EXPECT_TRUE(session.analysis().ok());
  EXPECT_EQ(session.analysis().parameters, parameters);
  const std::vector<NodeId> made = scene().selection().nodes();
  for (const NodeId a : made)
    for (const auto& [b, item] : scene().elements().nodes())
      EXPECT_TRUE(a == b || !scene().elements().node(a)->outline().intersects(item->outline()))
          << graph().nodes.at(a).name << " and " << graph().nodes.at(b).name;
  expectUndoable(before);
}

TEST_F(Blocks, CopiedTextIncludesTheBlockDefinition) {
  stage();
  key(Qt::Key_C, Qt::ControlModifier);
  Session other;
  Canvas there(other);
  there.show();
  QTest::keyClick(&there.view(), Qt::Key_V, Qt::ControlModifier);
  ASSERT_EQ(other.doc().graph().nodes.size(), 1u);
  EXPECT_TRUE(other.doc().blocks().contains("Stage"));
}

TEST_F(Blocks, SavedOnesAreOfferedInEveryProjectAndComeWithTheirDefinition) {
  stage();
  saveStage();
  EXPECT_EQ(savedBlocks(), QStringList{QStringLiteral("Stage")});
  EXPECT_TRUE(std::filesystem::exists(data_folder() / "blocks" / "Stage.nwblock"));
  session.replace({}, {}, {});
  QTest::mouseDClick(port(), Qt::LeftButton, {}, at({50, 60}));
  ASSERT_NE(openedAddList(view()), nullptr);
  EXPECT_TRUE(openedAddList(view())->shown().contains(QStringLiteral("Mine/Stage")));
  QTest::keyClicks(&openedAddList(view())->search(), QStringLiteral("stage"));
  QTest::keyClick(&openedAddList(view())->search(), Qt::Key_Return);
  ASSERT_TRUE(definitions().contains("Stage"));
  ASSERT_EQ(graph().nodes.size(), 1u);
  EXPECT_EQ(graph().nodes.begin()->second.attrs.at("block"), Attr(std::string("Stage")));
  session.undoStack().undo();
  EXPECT_TRUE(graph().nodes.empty());
  EXPECT_TRUE(definitions().empty()) << "one step of undo takes both away";
}

TEST_F(Blocks, ADamagedFileOfASavedBlockIsReportedAndAddsNothing) {
  stage();
  saveStage();
  ASSERT_TRUE(save_file(data_folder() / "blocks" / "Stage.nwblock", "{\"netwright-graph\": 1, \"network\":"));
  session.replace({}, {}, {});
  QSignalSpy messages(&session, &Session::message);
  EXPECT_EQ(canvas.layerDrop().drop(QStringLiteral("Mine/Stage"), at({0, 0})), 0);
  EXPECT_EQ(messages.count(), 1);
  EXPECT_TRUE(graph().nodes.empty());
}

}  // namespace
}  // namespace nw::ui
