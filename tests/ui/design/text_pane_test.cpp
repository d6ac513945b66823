// SPDX-License-Identifier: GPL-3.0-or-later
// The text form in the window: the canvas follows the text, the text follows the canvas, invalid lines are named.
#include "ui/design/text_pane.hpp"

#include <algorithm>

#include "tests/ui/design/bench.hpp"
#include "ui/design/tabbed_panel.hpp"

namespace nw::ui {
namespace {

struct TextPaneTest : DesignTest {
  TextPaneTest() {
    open("lenet5");
    pane = page.findChild<TextPane*>();
    auto* panel = page.findChild<TabbedPanel*>(QStringLiteral("problemsPanel"));
    panel->showPage(3);
    EXPECT_TRUE(pane->isVisible());
  }
  QString text() { return pane->editor().toPlainText(); }
  /// Types at the end of the line that starts with `begin`.
  void typeAfter(const QString& begin, const QString& words) {
    pane->editor().setFocus();
    QTextCursor at = pane->editor().document()->find(begin);
    ASSERT_FALSE(at.isNull());
    at.clearSelection();
    at.movePosition(QTextCursor::EndOfBlock);
    pane->editor().setTextCursor(at);
    QTest::keyClicks(&pane->editor(), words);
  }
  bool settled() {
    return QTest::qWaitFor([this] { return session.undoStack().count() > 0 || !pane->faults().empty(); }, 10000);
  }
  TextPane* pane;
};

TEST_F(TextPaneTest, ShowsTheNetworkAndFollowsEdits) {
  EXPECT_TRUE(text().contains(QStringLiteral("conv1: Conv2d")));
  session.push(rename_node(session.doc(), "", find("conv1"), "stem"), QStringLiteral("Rename"));
  EXPECT_TRUE(text().contains(QStringLiteral("stem: Conv2d")));
  session.undoStack().undo();
  EXPECT_TRUE(text().contains(QStringLiteral("conv1: Conv2d")));
}

TEST_F(TextPaneTest, TypedTextChangesTheCanvasAfterAPauseAsOneUndoStep) {
  const std::string before = DesignTest::text();
  typeAfter(QStringLiteral("conv1:"), QStringLiteral(" frozen"));
  ASSERT_TRUE(settled());
  EXPECT_TRUE(graph().nodes.at(find("conv1")).frozen);
  EXPECT_EQ(session.undoStack().count(), 1);
  expectUndoable(before);
}

TEST_F(TextPaneTest, ANewLineIsANewLayer) {
  typeAfter(QStringLiteral("conv1:"), {});
  QTest::keyClick(&pane->editor(), Qt::Key_Return);
  QTest::keyClicks(&pane->editor(), QStringLiteral("norm: BatchNorm2d"));
  ASSERT_TRUE(settled());
  const NodeId norm = find("norm");
  ASSERT_NE(norm, 0);
  const auto& wires = graph().connections;
  EXPECT_TRUE(std::any_of(wires.begin(), wires.end(),
                          [&](const Connection& c) { return c.from == find("conv1") && c.to == norm; }));
  EXPECT_TRUE(std::any_of(wires.begin(), wires.end(),
                          [&](const Connection& c) { return c.from == norm && c.to == find("relu1"); }));
}

TEST_F(TextPaneTest, AnInvalidLineIsNamedAndTheNetworkStays) {
  const std::string before = DesignTest::text();
  typeAfter(QStringLiteral("conv1:"), QStringLiteral(" loud"));
  pane->takeOver();
  EXPECT_EQ(DesignTest::text(), before);
  ASSERT_EQ(pane->faults().size(), 1u);
  EXPECT_TRUE(child<QLabel>(QStringLiteral("textFault"))->text().contains(QStringLiteral("loud")));
  EXPECT_EQ(pane->editor().extraSelections().size(), 1);
  for (int i = 0; i < 5; ++i) QTest::keyClick(&pane->editor(), Qt::Key_Backspace);
  pane->takeOver();
  EXPECT_TRUE(pane->faults().empty());
  EXPECT_TRUE(pane->editor().extraSelections().isEmpty());
}

TEST_F(TextPaneTest, FollowingTheNetworkKeepsTheEditorsUndo) {
  typeAfter(QStringLiteral("conv1:"), QStringLiteral(" frozen"));
  pane->takeOver();
  session.push(rename_node(session.doc(), "", find("conv1"), "stem"), QStringLiteral("Rename"));
  EXPECT_TRUE(text().contains(QStringLiteral("stem: Conv2d")));
  EXPECT_TRUE(pane->editor().document()->isUndoAvailable());
  EXPECT_FALSE(pane->isPending());
}

TEST_F(TextPaneTest, TextThatLosesTheFocusIsTakenOverAtOnce) {
  typeAfter(QStringLiteral("conv1:"), QStringLiteral(" frozen"));
  EXPECT_TRUE(pane->isPending());
  page.setFocus();
  EXPECT_FALSE(pane->isPending());
  EXPECT_TRUE(graph().nodes.at(find("conv1")).frozen);
}

TEST_F(TextPaneTest, TheLineUnderTheCursorIsSelectedOnTheCanvas) {
  pane->editor().setFocus();
  typeAfter(QStringLiteral("relu1:"), {});
  EXPECT_EQ(scene().selection().current(), find("relu1"));
}

TEST_F(TextPaneTest, AnOpenBlockHasItsOwnText) {
  open("resnet18-cifar");
  EXPECT_TRUE(text().contains(QStringLiteral("layer1: BasicBlock")));
  scene().setScope("BasicBlock");
  EXPECT_TRUE(text().contains(QStringLiteral("in: BlockInput")));
}

}  // namespace
}  // namespace nw::ui
