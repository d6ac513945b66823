// SPDX-License-Identifier: GPL-3.0-or-later
// Gestures on existing connections: cut, detach, shake, bundles, dots; and the arrangement of nodes.
#include <QApplication>
#include <QContextMenuEvent>

#include "tests/support/canvas_positions.hpp"
#include "tests/ui/canvas/bench.hpp"
#include "ui/canvas/commands/arrange.hpp"
#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/overlays/minimap.hpp"

namespace nw::ui {
namespace {

struct Rewiring : CanvasTest {
  /// The connected nodes a, b, c from top to bottom.
  void chain() {
    a = add("Input", "a", {0, 0});
    b = add("ReLU", "b", {0, 150});
    c = add("Conv2d", "c", {0, 300});
    wire(a, b);
    wire(b, c);
  }
  NodeId a = 0, b = 0, c = 0;
};

TEST_F(Rewiring, AStrokeWithControlAndTheRightButtonCutsWhatItCrosses) {
  chain();
  const NodeId side = add("ReLU", "side", {400, 150});
  wire(a, side);
  const std::string before = text();
  drag(at({-120, 225}), at({120, 225}), Qt::ControlModifier, Qt::RightButton);
  EXPECT_TRUE(connected(a, b));
  EXPECT_FALSE(connected(b, c));
  EXPECT_TRUE(connected(a, side));
  expectUndoable(before);
}

TEST_F(Rewiring, WithYHeldTheLeftButtonCutsAndEscapeKeepsAll) {
  chain();
  const std::string before = text();
  QTest::keyPress(&view(), Qt::Key_Y);
  press(at({-120, 75}));
  move(at({120, 75}));
  key(Qt::Key_Escape);
  release(at({120, 75}));
  EXPECT_EQ(text(), before);
  drag(at({-120, 70}), at({120, 235}));
  QTest::keyRelease(&view(), Qt::Key_Y);
  EXPECT_EQ(graph().connections.size(), 2u) << "between the cards the stroke crossed none";
  QTest::keyPress(&view(), Qt::Key_Y);
  press(at({-150, 75}));
  for (const QPointF p : {QPointF(150, 75), QPointF(150, 225), QPointF(-150, 225)}) move(at(p));
  release(at({-150, 225}));
  QTest::keyRelease(&view(), Qt::Key_Y);
  EXPECT_TRUE(graph().connections.empty());
  expectUndoable(before);
  drag(at({-200, 60}), at({-180, 80}));
  EXPECT_TRUE(graph().connections.empty()) << "once Y is up the left button selects again";
}

TEST_F(Rewiring, ARightButtonWithControlOpensNoMenu) {
  chain();
  QContextMenuEvent event(QContextMenuEvent::Mouse, at({0, 75}), port()->mapToGlobal(at({0, 75})), Qt::ControlModifier);
  QCoreApplication::sendEvent(port(), &event);
  EXPECT_EQ(QApplication::activePopupWidget(), nullptr);
}

TEST_F(Rewiring, AltDragDetachesANodeAndReconnectsItsNeighbours) {
  chain();
  const std::string before = text();
  drag(nodePosition(view(), b), nodePosition(view(), b) + QPoint(350, 0), Qt::AltModifier);
  EXPECT_TRUE(connected(a, c));
  EXPECT_FALSE(connected(a, b));
  EXPECT_FALSE(connected(b, c));
  EXPECT_EQ(graph().nodes.at(b).position, (Point{350, 150}));
  expectUndoable(before);
}

TEST_F(Rewiring, EscapeWhileDetachingChangesNothing) {
  chain();
  const std::string before = text();
  press(nodePosition(view(), b), Qt::AltModifier);
  move(at({300, 150}), Qt::AltModifier);
  EXPECT_LT(scene().elements().connection({a, 0, b, 0})->opacity(), 1);
  key(Qt::Key_Escape);
  release(at({300, 150}), Qt::AltModifier);
  EXPECT_EQ(text(), before);
  EXPECT_EQ(scene().elements().connection({a, 0, b, 0})->opacity(), 1);
}

TEST_F(Rewiring, ADetachedNodeCanBeDroppedOnAnotherConnection) {
  chain();
  const NodeId d = add("ReLU", "d", {400, 0}), e = add("ReLU", "e", {400, 300});
  wire(d, e);
  const std::string before = text();
  drag(nodePosition(view(), b), at({400, 150}), Qt::AltModifier);
  EXPECT_TRUE(connected(a, c));
  EXPECT_TRUE(connected(d, b));
  EXPECT_TRUE(connected(b, e));
  EXPECT_FALSE(connected(d, e));
  expectUndoable(before);
}

TEST_F(Rewiring, ShakingANodeDetachesIt) {
  chain();
  const std::string before = text();
  const QPoint start = nodePosition(view(), b);
  press(start);
  for (const int x : {40, -40, 40, -40, 40}) move(start + QPoint(x, 0));
  release(start + QPoint(40, 0));
  EXPECT_TRUE(connected(a, c));
  EXPECT_FALSE(connected(a, b));
  expectUndoable(before);
}

TEST_F(Rewiring, MovingANodeThereAndBackOnceIsNoShake) {
  chain();
  const QPoint start = nodePosition(view(), b);
  press(start);
  for (const int x : {60, -60, 20}) move(start + QPoint(x, 0));
  release(start + QPoint(20, 0));
  EXPECT_TRUE(connected(a, b));
  EXPECT_TRUE(connected(b, c));
}

TEST_F(Rewiring, SeveralDetachedNodesKeepTheConnectionsAmongThem) {
  chain();
  const NodeId d = add("ReLU", "d", {0, 450});
  wire(c, d);
  scene().selection().selectOnly({b, c});
  drag(nodePosition(view(), b), nodePosition(view(), b) + QPoint(350, 0), Qt::AltModifier);
  EXPECT_TRUE(connected(a, d));
  EXPECT_TRUE(connected(b, c));
  EXPECT_FALSE(connected(c, d));
}

TEST_F(Rewiring, ControlDragFromAnOutputMovesAllItsConnections) {
  const NodeId from = add("ReLU", "from", {0, 0}), to = add("ReLU", "to", {400, 0});
  const NodeId x = add("ReLU", "x", {0, 200}), y = add("ReLU", "y", {300, 300});
  wire(from, x);
  wire(from, y);
  const std::string before = text();
  drag(portPosition(view(), from, true), portPosition(view(), to, true), Qt::ControlModifier);
  EXPECT_TRUE(connected(to, x));
  EXPECT_TRUE(connected(to, y));
  EXPECT_FALSE(connected(from, x));
  expectUndoable(before);
}

TEST_F(Rewiring, ControlDragThatWouldCreateACycleIsRejected) {
  chain();
  const std::string before = text();
  drag(portPosition(view(), a, true), portPosition(view(), c, true), Qt::ControlModifier);
  EXPECT_EQ(text(), before);
  EXPECT_EQ(scene().elements().connection({a, 0, b, 0})->opacity(), 1);
}

TEST_F(Rewiring, AltClickOnAPortRemovesItsConnections) {
  const NodeId from = add("ReLU", "from", {0, 0}), x = add("ReLU", "x", {0, 200}), y = add("ReLU", "y", {300, 300});
  wire(from, x);
  wire(from, y);
  const std::string before = text();
  click(portPosition(view(), x, false), Qt::AltModifier);
  EXPECT_FALSE(connected(from, x));
  EXPECT_TRUE(connected(from, y));
  session.undoStack().undo();
  click(portPosition(view(), from, true), Qt::AltModifier);
  EXPECT_TRUE(graph().connections.empty());
  expectUndoable(before);
}

TEST_F(Rewiring, AltClickOnAConnectionInsertsARerouteDot) {
  chain();
  const std::string before = text();
  click(at({2, 225}), Qt::AltModifier);
  const NodeId dot = find("dot1");
  ASSERT_NE(dot, 0);
  EXPECT_TRUE(connected(b, dot));
  EXPECT_TRUE(connected(dot, c));
  EXPECT_TRUE(scene().elements().node(dot)->look().dot);
  expectUndoable(before);
  drag(nodePosition(view(), dot), nodePosition(view(), dot) + QPoint(200, 10));
  EXPECT_EQ(graph().nodes.at(find("dot1")).position, (Point{202, 235}));
  const NodeId more = add("ReLU", "more", {420, 400});
  drag(portPosition(view(), dot, true), portPosition(view(), more, false));
  EXPECT_TRUE(connected(dot, more));
  scene().selection().setCurrent(dot);
  key(Qt::Key_Delete, Qt::ControlModifier);
  EXPECT_TRUE(connected(b, c));
  EXPECT_TRUE(connected(b, more));
}

TEST_F(Rewiring, RerouteDotDoesNotChangeTheOutput) {
  open("lenet5");
  const auto parameters = session.analysis().parameters;
  const NodeId conv = find("conv1"), relu = find("relu1");
  const QPointF middle = scene().elements().connection({conv, 0, relu, 0})->middle();
  view().camera().setZoom(2, QPointF(0, 0));
  view().centerOn(middle);
  click(at(middle), Qt::AltModifier);
  analysed();
  EXPECT_TRUE(session.analysis().ok());
  EXPECT_EQ(session.analysis().parameters, parameters);
  ASSERT_NE(scene().facts(find("dot1")), nullptr);
  EXPECT_EQ(scene().facts(find("dot1"))->output, scene().facts(conv)->output);
}

TEST_F(Rewiring, ControlLConnectsFromTopToBottom) {
  const NodeId x = add("Input", "x", {0, 0}), y = add("ReLU", "y", {50, 150}), z = add("Conv2d", "z", {0, 300});
  scene().selection().selectOnly({z, y, x});
  const std::string before = text();
  key(Qt::Key_L, Qt::ControlModifier);
  EXPECT_TRUE(connected(x, y));
  EXPECT_TRUE(connected(y, z));
  EXPECT_EQ(graph().connections.size(), 2u);
  expectUndoable(before);
  QSignalSpy messages(&session, &Session::message);
  key(Qt::Key_L, Qt::ControlModifier);
  EXPECT_EQ(messages.count(), 1) << "a message says that nothing is left to connect";
}

TEST_F(Rewiring, DuplicateWithInputsKeepsTheInputConnections) {
  chain();
  scene().selection().selectOnly({b, c});
  const std::string before = text();
  key(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_EQ(graph().nodes.size(), 5u);
  const std::vector<NodeId> made = scene().selection().nodes();
  ASSERT_EQ(made.size(), 2u);
  EXPECT_TRUE(connected(a, made[0]));
  EXPECT_TRUE(connected(made[0], made[1]));
  EXPECT_TRUE(connected(a, b));
  expectUndoable(before);
}

TEST_F(Rewiring, AltDeleteRemovesAllConnectionsOfTheSelection) {
  chain();
  scene().selection().setCurrent(b);
  const std::string before = text();
  key(Qt::Key_Delete, Qt::AltModifier);
  EXPECT_EQ(graph().nodes.size(), 3u);
  EXPECT_TRUE(graph().connections.empty());
  expectUndoable(before);
}

TEST_F(Rewiring, LAndShiftLSelectPredecessorsAndSuccessors) {
  chain();
  scene().selection().setCurrent(b);
  key(Qt::Key_L);
  EXPECT_EQ(scene().selection().nodes(), (std::vector{a, b}));
  scene().selection().setCurrent(b);
  key(Qt::Key_L, Qt::ShiftModifier);
  EXPECT_EQ(scene().selection().nodes(), (std::vector{b, c}));
}

// --- arrangement

struct Arranging : CanvasTest {
  Arranging() {
    x = add("Conv2d", "x", {0, 0});
    y = add("ReLU", "y", {400, 100});
    z = add("Conv2d", "z", {900, 170});
    scene().selection().selectOnly({x, y, z});
  }
  Point place(NodeId id) { return graph().nodes.at(id).position; }
  NodeId x, y, z;
};

TEST_F(Arranging, SixWaysToAlign) {
  struct Case {
    const char* command;
    bool across;
    double line;
  };
  for (const Case& c : {Case{"align-left", true, 0}, {"align-centre", true, 450}, {"align-right", true, 900}}) {
    const std::string before = text();
    runCommand(view(), c.command);
    for (const NodeId id : {x, y, z}) EXPECT_EQ(place(id).x, c.line) << c.command;
    expectUndoable(before);
    session.undoStack().undo();
  }
  runCommand(view(), "align-top");  // the compact node's upper edge, not its centre
  EXPECT_EQ(place(y).y, -12);
  EXPECT_EQ(place(z).y, 0);
  session.undoStack().undo();
  runCommand(view(), "align-middle");
  for (const NodeId id : {x, y, z}) EXPECT_EQ(place(id).y, 85);
  session.undoStack().undo();
  runCommand(view(), "align-bottom");
  EXPECT_EQ(place(x).y, 170);
  EXPECT_EQ(place(y).y, 182);
}

TEST_F(Arranging, EqualGapsLeaveTheOutermostWhereTheyAre) {
  const std::string before = text();
  runCommand(view(), "distribute-across");
  EXPECT_EQ(place(x).x, 0);
  EXPECT_EQ(place(y).x, 450);
  EXPECT_EQ(place(z).x, 900);
  expectUndoable(before);
  runCommand(view(), "distribute-down");  // 230 high in total; nodes of 60, 36, 60 leave two gaps of 37
  EXPECT_EQ(place(y).y, 85);
}

TEST_F(Arranging, StraightenAlignsEachNodeWithItsInput) {
  wire(x, y);
  wire(y, z);
  scene().selection().selectOnly({y, z});
  const std::string before = text();
  runCommand(view(), "straighten");
  EXPECT_EQ(place(y).x, 0);
  EXPECT_EQ(place(z).x, 0);
  EXPECT_EQ(place(y).y, 100);
  expectUndoable(before);
}

TEST_F(Arranging, MiniMapVisibilityIsToggledAndStored) {
  auto* map = canvas.findChild<MiniMap*>();
  ASSERT_TRUE(map->isVisible());
  key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_FALSE(map->isVisible());
  add("Conv2d", "more", {0, 300});
  EXPECT_FALSE(map->isVisible());
  Session other;
  Canvas later(other);
  EXPECT_FALSE(later.view().mapShown());
  key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_TRUE(map->isVisible());
}

}  // namespace
}  // namespace nw::ui
