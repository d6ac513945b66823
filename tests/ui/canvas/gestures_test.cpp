// SPDX-License-Identifier: GPL-3.0-or-later
// Each gesture with real mouse events, against the document.
#include <QDragEnterEvent>
#include <QMimeData>
#include <QWheelEvent>

#include "tests/support/canvas_positions.hpp"
#include "tests/ui/canvas/bench.hpp"
#include "ui/canvas/editors/add_layer.hpp"
#include "ui/canvas/editors/add_list.hpp"
#include "ui/canvas/input/layer_drop.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_geometry.hpp"

namespace nw::ui {
namespace {

using Gestures = CanvasTest;

TEST_F(Gestures, AClickSelectsAndAClickOnEmptyDeselects) {
  const NodeId conv = add("Conv2d", "conv1", {0, 0});
  click(nodePosition(view(), conv));
  EXPECT_EQ(scene().selection().nodes(), std::vector{conv});
  click(at({400, 400}));
  EXPECT_TRUE(scene().selection().nodes().empty());
}

TEST_F(Gestures, ShiftAddsAndControlToggles) {
  const NodeId a = add("Conv2d", "a", {0, 0}), b = add("Conv2d", "b", {0, 200});
  click(nodePosition(view(), a));
  click(nodePosition(view(), b), Qt::ShiftModifier);
  EXPECT_EQ(scene().selection().nodes(), (std::vector{a, b}));
  click(nodePosition(view(), a), Qt::ControlModifier);
  EXPECT_EQ(scene().selection().nodes(), std::vector{b});
}

TEST_F(Gestures, ABoxSelectsWhatItTouches) {
  const NodeId a = add("Conv2d", "a", {0, 0}), b = add("Conv2d", "b", {0, 200});
  add("Conv2d", "far", {400, 0});
  drag(at({-200, -100}), at({100, 300}));
  EXPECT_EQ(scene().selection().nodes(), (std::vector{a, b}));
}

TEST_F(Gestures, DraggingANodeMovesItInOneStepOfUndo) {
  const NodeId a = add("Conv2d", "a", {0, 0});
  const std::string before = text();
  const int steps = session.undoStack().count();
  drag(nodePosition(view(), a), nodePosition(view(), a) + QPoint(83, 41));
  EXPECT_EQ(graph().nodes.at(a).position, (Point{83, 41}));
  EXPECT_EQ(session.undoStack().count(), steps + 1);
  expectUndoable(before);
}

TEST_F(Gestures, ShiftWhileMovingSnapsToTheGrid) {
  const NodeId a = add("Conv2d", "a", {3, 4});
  press(nodePosition(view(), a));
  move(nodePosition(view(), a) + QPoint(60, 60), Qt::ShiftModifier);
  release(at({3 + 58, 4 + 57}), Qt::ShiftModifier);
  const Point p = graph().nodes.at(a).position;
  EXPECT_EQ(std::fmod(p.x, 10), 0);
  EXPECT_EQ(std::fmod(p.y, 10), 0);
}

TEST_F(Gestures, EscapeCancelsAMove) {
  const NodeId a = add("Conv2d", "a", {0, 0});
  const std::string before = text();
  press(nodePosition(view(), a));
  move(at({200, 200}));
  EXPECT_EQ(scene().elements().node(a)->pos(), QPointF(200, 200));
  key(Qt::Key_Escape);
  release(at({200, 200}));
  EXPECT_EQ(scene().elements().node(a)->pos(), QPointF(0, 0));
  EXPECT_EQ(text(), before);
}

TEST_F(Gestures, DraggingFromPortToPortConnects) {
  const NodeId input = add("Input", "images", {0, 0}), conv = add("Conv2d", "conv1", {0, 150});
  const std::string before = text();
  drag(portPosition(view(), input, true), portPosition(view(), conv, false));
  EXPECT_TRUE(connected(input, conv));
  expectUndoable(before);
}

TEST_F(Gestures, DraggingBackwardsFromAnInputConnectsToo) {
  const NodeId input = add("Input", "images", {0, 0}), conv = add("Conv2d", "conv1", {0, 150});
  drag(portPosition(view(), conv, false), portPosition(view(), input, true));
  EXPECT_TRUE(connected(input, conv));
}

TEST_F(Gestures, DroppingAConnectionAnywhereOnANodeConnects) {
  const NodeId input = add("Input", "images", {0, 0}), conv = add("Conv2d", "conv1", {0, 150});
  drag(portPosition(view(), input, true), nodePosition(view(), conv) + QPoint(60, 0));
  EXPECT_TRUE(connected(input, conv));
}

TEST_F(Gestures, ANewConnectionReplacesTheOldOne) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("ReLU", "b", {300, 0}), conv = add("Conv2d", "conv1", {0, 150});
  wire(a, conv);
  const std::string before = text();
  drag(portPosition(view(), b, true), portPosition(view(), conv, false));
  EXPECT_TRUE(connected(b, conv));
  EXPECT_FALSE(connected(a, conv));
  expectUndoable(before);
}

TEST_F(Gestures, AddAcceptsASecondConnectionBesideTheFirst) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("ReLU", "b", {0, 150}), sum = add("Add", "sum", {0, 300});
  wire(a, b);
  wire(b, sum);
  drag(portPosition(view(), a, true), portPosition(view(), sum, false, 1));
  EXPECT_TRUE(connected(a, sum));
  EXPECT_TRUE(connected(b, sum));
}

TEST_F(Gestures, AConnectionThatFormsACycleIsRejected) {
  const NodeId a = add("ReLU", "a", {0, 0}), b = add("ReLU", "b", {0, 150});
  wire(a, b);
  const std::string before = text();
  drag(portPosition(view(), b, true), portPosition(view(), a, false));
  EXPECT_EQ(text(), before);
}

TEST_F(Gestures, FittingAndUnfitPortsAreMarked) {
  open("lenet5");
  view().camera().fitAll();
  QSignalSpy looks(&scene(), &GraphScene::lookChanged);
  const NodeId conv = find("conv1"), fc = find("fc1");
  const QImage before = port()->grab().toImage();
  press(portPosition(view(), conv, true));
  move(portPosition(view(), conv, true) + QPoint(40, 40));
  EXPECT_NE(port()->grab().toImage(), before);
  move(portPosition(view(), fc, false));
  release(portPosition(view(), fc, false));
  EXPECT_TRUE(connected(conv, fc));  // a shape error does not prevent the connection
  analysed();
  EXPECT_EQ(scene().elements().node(fc)->look().state, NodeState::error);
}

TEST_F(Gestures, AConnectionsEndCanBeMovedToAnotherInput) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("ReLU", "b", {0, 150}), c = add("ReLU", "c", {300, 150});
  wire(a, b);
  const std::string before = text();
  drag(portPosition(view(), b, false), portPosition(view(), c, false));
  EXPECT_FALSE(connected(a, b));
  EXPECT_TRUE(connected(a, c));
  expectUndoable(before);
}

TEST_F(Gestures, AConnectionsEndDroppedInSpaceDisconnects) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("ReLU", "b", {0, 150});
  wire(a, b);
  drag(portPosition(view(), b, false), at({400, 300}));
  EXPECT_FALSE(connected(a, b));
}

TEST_F(Gestures, AConnectionDroppedInSpaceOffersFittingLayersAndConnectsTheChosenOne) {
  const NodeId input = add("Input", "images", {0, 0});
  analysed();
  drag(portPosition(view(), input, true), at({0, 200}));
  ASSERT_NE(openedAddList(view()), nullptr);
  const QStringList shown = openedAddList(view())->shown();
  EXPECT_TRUE(shown.contains(QStringLiteral("Conv2d")));
  EXPECT_FALSE(shown.contains(QStringLiteral("Linear")));  // needs a vector
  EXPECT_FALSE(shown.contains(QStringLiteral("Input")));
  QTest::keyClicks(&openedAddList(view())->search(), QStringLiteral("maxp"));
  QTest::keyClick(&openedAddList(view())->search(), Qt::Key_Return);
  const NodeId pool = find("pool1");
  ASSERT_NE(pool, 0);
  EXPECT_TRUE(connected(input, pool));
}

TEST_F(Gestures, ADoubleClickOnEmptyAddsByTyping) {
  QTest::mouseDClick(port(), Qt::LeftButton, {}, at({50, 60}));
  ASSERT_NE(openedAddList(view()), nullptr);
  QTest::keyClicks(&openedAddList(view())->search(), QStringLiteral("conv"));
  QTest::keyClick(&openedAddList(view())->search(), Qt::Key_Return);
  ASSERT_EQ(graph().nodes.size(), 1u);
  EXPECT_EQ(graph().nodes.begin()->second.type, "Conv2d");
  EXPECT_EQ(graph().nodes.begin()->second.position, (Point{50, 60}));
}

TEST_F(Gestures, ALayerDroppedOnAConnectionInsertsItselfAndNeighborsMakeRoom) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("Conv2d", "b", {0, 100});
  wire(a, b);
  const std::string before = text();
  const NodeId made = canvas.layerDrop().drop(QStringLiteral("ReLU"), at({4, 50}));
  ASSERT_NE(made, 0);
  EXPECT_TRUE(connected(a, made));
  EXPECT_TRUE(connected(made, b));
  EXPECT_FALSE(connected(a, b));
  EXPECT_GT(graph().nodes.at(b).position.y, 100);
  EXPECT_FALSE(scene().elements().node(made)->outline().intersects(scene().elements().node(b)->outline()));
  EXPECT_FALSE(scene().elements().node(made)->outline().intersects(scene().elements().node(a)->outline()));
  expectUndoable(before);
}

TEST_F(Gestures, ADragWithALayerIsAcceptedAndItsDropAddsTheLayer) {
  QMimeData layer, other;
  layer.setData(QString::fromLatin1(layerMime), "ReLU");
  other.setText(QStringLiteral("ReLU"));
  for (const QMimeData* data : {&layer, &other}) {
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(port(), &enter);
    EXPECT_EQ(enter.isAccepted(), data == &layer);
    QDropEvent drop(at({40, 60}), Qt::CopyAction, data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(port(), &drop);
    EXPECT_EQ(graph().nodes.size(), 1U);
  }
  ASSERT_EQ(graph().nodes.size(), 1U);
  EXPECT_EQ(graph().nodes.begin()->second.type, "ReLU");
  EXPECT_EQ(graph().nodes.begin()->second.position, (Point{40, 60}));
}

TEST_F(Gestures, ALooseNodeMovedOntoAConnectionInsertsItself) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("Conv2d", "b", {0, 300}), loose = add("ReLU", "loose", {400, 0});
  wire(a, b);
  const std::string before = text();
  drag(nodePosition(view(), loose), at({0, 150}));
  EXPECT_TRUE(connected(a, loose));
  EXPECT_TRUE(connected(loose, b));
  expectUndoable(before);
}

TEST_F(Gestures, TheWheelZoomsAtTheCursorWithinItsLimits) {
  const QPoint anchor(300, 200);
  const QPointF before = view().mapToScene(anchor);
  const auto wheel = [&](int delta) {
    QWheelEvent event(anchor, port()->mapToGlobal(anchor), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(port(), &event);
  };
  wheel(240);
  EXPECT_GT(view().camera().zoom(), 1.2);
  EXPECT_LT(QLineF(view().mapToScene(anchor), before).length(), 2);
  for (int i = 0; i < 40; ++i) wheel(480);
  EXPECT_DOUBLE_EQ(view().camera().zoom(), 4);
  for (int i = 0; i < 80; ++i) wheel(-480);
  EXPECT_DOUBLE_EQ(view().camera().zoom(), 0.1);
}

TEST_F(Gestures, AWholeNetworkFitsHoweverLongItIs) {
  for (int i = 0; i < 60; ++i) add("ReLU", ("far" + std::to_string(i)).c_str(), QPointF(0, 600 * i));
  view().camera().fitAll();
  EXPECT_LT(view().camera().zoom(), card::smallestZoom);
  EXPECT_TRUE(QRectF(port()->rect()).contains(view().viewportTransform().mapRect(scene().elements().contentRect())));
  const double whole = view().camera().zoom();
  view().camera().zoomStep(-5);
  EXPECT_DOUBLE_EQ(view().camera().zoom(), whole) << "no smaller than that";
  view().camera().zoomStep(1);
  EXPECT_GT(view().camera().zoom(), whole);
}

TEST_F(Gestures, TheMiddleButtonPans) {
  const QPointF before = view().mapToScene(QPoint(0, 0));
  drag({300, 300}, {380, 350}, {}, Qt::MiddleButton);
  EXPECT_LT(QLineF(view().mapToScene(QPoint(0, 0)), before - QPointF(80, 50)).length(), 2);
}

TEST_F(Gestures, SpaceAndTheLeftButtonPanToo) {
  const QPointF before = view().mapToScene(QPoint(0, 0));
  QTest::keyPress(&view(), Qt::Key_Space);
  drag({300, 300}, {340, 300});
  QTest::keyRelease(&view(), Qt::Key_Space);
  EXPECT_LT(QLineF(view().mapToScene(QPoint(0, 0)), before - QPointF(40, 0)).length(), 2);
}

TEST_F(Gestures, AFrameMovesItsContent) {
  const NodeId a = add("Conv2d", "a", {0, 0});
  const ItemId frame = session.doc().next_id();
  session.push({PutFrame{"", frame, Frame{"Part", {-160, -80, 320, 200}}}}, QStringLiteral("Add frame"));
  const std::string before = text();
  drag(at({-100, -65}), at({-60, 35}));
  EXPECT_EQ(graph().nodes.at(a).position, (Point{40, 100}));
  EXPECT_EQ(graph().frames.at(frame).rect, (Rect{-120, 20, 320, 200}));
  expectUndoable(before);
}

TEST_F(Gestures, AFrameIsResizedAtItsCorner) {
  const ItemId frame = session.doc().next_id();
  session.push({PutFrame{"", frame, Frame{"Part", {0, 0, 320, 200}}}}, QStringLiteral("Add frame"));
  click(at({40, 10}));
  drag(at({315, 195}), at({415, 295}));
  EXPECT_NEAR(graph().frames.at(frame).rect.width, 415, 2);
  EXPECT_NEAR(graph().frames.at(frame).rect.height, 295, 2);
}

TEST_F(Gestures, ANodeThatWasMovedAsideStaysWhereItIsDropped) {
  open("lenet5");
  session.push(remove_nodes(session.doc(), "", {find("flatten")}, true), QStringLiteral("Delete"));
  analysed();
  view().camera().fitAll();
  const NodeId relu = find("relu3");
  ASSERT_GT(scene().elements().node(relu)->slide(), 0);
  const QPointF shown = scene().elements().node(relu)->pos();
  const QPoint from = view().mapFromScene(shown + QPointF(-40, 6));
  drag(from, from + QPoint(200, 0));
  const Point at = graph().nodes.at(relu).position;
  EXPECT_NEAR(at.x, shown.x() + 200 / view().camera().zoom(), 1);
  EXPECT_NEAR(at.y, shown.y(), 1);
}

TEST_F(Gestures, TheFixButtonOnTheNodeAppliesTheFix) {
  open("lenet5");
  const NodeId flatten = find("flatten"), fc = find("fc1");
  session.push(remove_nodes(session.doc(), "", {flatten}, true), QStringLiteral("Delete"));
  analysed();
  view().camera().fitAll();
  ASSERT_EQ(scene().elements().node(fc)->look().state, NodeState::error);
  ASSERT_FALSE(scene().elements().node(fc)->look().fixes.isEmpty());
  const std::string before = text();
  click(fixPosition(view(), fc));
  analysed();
  EXPECT_TRUE(session.analysis().ok());
  EXPECT_NE(scene().elements().node(fc)->look().state, NodeState::error);
  expectUndoable(before);
}

TEST_F(Gestures, ADoubleClickOnABlockOpensItsDefinition) {
  open("resnet18-cifar");
  const NodeId block = find("layer1");
  view().camera().reveal(block);
  QTest::mouseDClick(port(), Qt::LeftButton, {}, nodePosition(view(), block));
  EXPECT_EQ(scene().scope(), "BasicBlock");
  const NodeId relu = find("relu1");
  ASSERT_NE(relu, 0);
  click(nodePosition(view(), relu));
  key(Qt::Key_M);
  EXPECT_TRUE(session.doc().blocks().at("BasicBlock").graph.nodes.at(relu).bypassed);
  key(Qt::Key_Escape);
  key(Qt::Key_Escape);
  EXPECT_EQ(scene().scope(), "");
}

}  // namespace
}  // namespace nw::ui
