// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas by keyboard alone.
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>

#include "tests/ui/canvas/bench.hpp"
#include "ui/canvas/editors/add_layer.hpp"
#include "ui/canvas/editors/add_list.hpp"

namespace nw::ui {
namespace {

using Keys = CanvasTest;

TEST_F(Keys, DeleteRemovesTheSelectionWithItsConnections) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("ReLU", "b", {0, 100}), c = add("Conv2d", "c", {0, 200});
  wire(a, b);
  wire(b, c);
  scene().selection().setCurrent(b);
  const std::string before = text();
  key(Qt::Key_Delete);
  EXPECT_FALSE(graph().nodes.contains(b));
  EXPECT_TRUE(graph().connections.empty());
  expectUndoable(before);
}

TEST_F(Keys, ControlDeleteHealsTheConnection) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("ReLU", "b", {0, 100}), c = add("Conv2d", "c", {0, 200});
  wire(a, b);
  wire(b, c);
  scene().selection().setCurrent(b);
  key(Qt::Key_Delete, Qt::ControlModifier);
  EXPECT_TRUE(connected(a, c));
}

TEST_F(Keys, ASelectedConnectionIsDeletedAlone) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("ReLU", "b", {0, 200});
  wire(a, b);
  click(at({0, 100}));
  ASSERT_EQ(scene().selection().connections().size(), 1u);
  key(Qt::Key_Delete);
  EXPECT_TRUE(graph().connections.empty());
  EXPECT_EQ(graph().nodes.size(), 2u);
}

TEST_F(Keys, CopyAndPasteGoThroughTextWithFreshNames) {
  const NodeId a = add("Conv2d", "conv1", {0, 0}, {{"out_channels", std::int64_t{8}}}),
               b = add("ReLU", "relu1", {0, 100});
  wire(a, b);
  key(Qt::Key_A, Qt::ControlModifier);
  key(Qt::Key_C, Qt::ControlModifier);
  const QMimeData* data = QApplication::clipboard()->mimeData();
  ASSERT_TRUE(data->hasFormat(graphMime));
  EXPECT_EQ(data->text().toUtf8(), data->data(graphMime));
  const std::string before = text();
  key(Qt::Key_V, Qt::ControlModifier);
  EXPECT_EQ(graph().nodes.size(), 4u);
  EXPECT_EQ(graph().connections.size(), 2u);
  EXPECT_NE(find("conv2"), 0);
  EXPECT_EQ(scene().selection().nodes().size(), 2u);
  expectUndoable(before);
}

TEST_F(Keys, ForeignTextIsIgnoredQuietly) {
  QApplication::clipboard()->setText(QStringLiteral("Dear all, the layers are attached."));
  QSignalSpy messages(&session, &Session::message);
  const std::string before = text();
  key(Qt::Key_V, Qt::ControlModifier);
  EXPECT_EQ(text(), before);
  EXPECT_TRUE(messages.isEmpty());
}

TEST_F(Keys, CutLeavesTheTextOnTheClipboard) {
  scene().selection().setCurrent(add("Conv2d", "conv1", {0, 0}));
  key(Qt::Key_X, Qt::ControlModifier);
  EXPECT_TRUE(graph().nodes.empty());
  key(Qt::Key_V, Qt::ControlModifier);
  EXPECT_EQ(graph().nodes.size(), 1u);
}

TEST_F(Keys, DuplicateAddsACopyNextToTheOriginal) {
  const NodeId a = add("Conv2d", "conv1", {0, 0});
  scene().selection().setCurrent(a);
  const std::string before = text();
  key(Qt::Key_D, Qt::ControlModifier);
  ASSERT_EQ(graph().nodes.size(), 2u);
  EXPECT_EQ(graph().nodes.at(find("conv2")).position, (Point{40, 40}));
  expectUndoable(before);
}

TEST_F(Keys, BypassCollapseFrameAndNoteAreUndoable) {
  const NodeId a = add("Conv2d", "conv1", {0, 0});
  for (const auto& [k, mods] : {std::pair{Qt::Key_M, Qt::KeyboardModifiers()},
                                {Qt::Key_H, Qt::KeyboardModifiers()},
                                {Qt::Key_C, Qt::KeyboardModifiers()},
                                {Qt::Key_C, Qt::KeyboardModifiers(Qt::ShiftModifier)}}) {
    scene().selection().setCurrent(a);
    view().setFocus();
    const std::string before = text();
    key(k, mods);
    expectUndoable(before);
  }
  EXPECT_TRUE(graph().nodes.at(a).bypassed);
  EXPECT_TRUE(graph().nodes.at(a).collapsed);
  ASSERT_EQ(graph().frames.size(), 1u);
  EXPECT_EQ(graph().notes.size(), 1u);
}

TEST_F(Keys, F2RenamesInPlaceAndATakenNameIsRejected) {
  const NodeId a = add("Conv2d", "conv1", {0, 0});
  add("Conv2d", "conv2", {0, 200});
  scene().selection().setCurrent(a);
  const auto rename = [&](const char* name) {
    key(Qt::Key_F2);
    auto* edit = port()->findChild<QLineEdit*>(QStringLiteral("inlineEdit"));
    ASSERT_NE(edit, nullptr);
    edit->selectAll();
    QTest::keyClicks(edit, QString::fromLatin1(name));
    QTest::keyClick(edit, Qt::Key_Return);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  };
  rename("stem");
  EXPECT_EQ(graph().nodes.at(a).name, "stem");
  rename("conv2");
  EXPECT_EQ(graph().nodes.at(a).name, "stem");
}

TEST_F(Keys, ArrowsWalkAlongTheConnections) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("ReLU", "b", {0, 100}), c = add("Conv2d", "c", {0, 200}),
               side = add("Conv2d", "side", {400, 100});
  wire(a, b);
  wire(b, c);
  scene().selection().setCurrent(a);
  key(Qt::Key_Down);
  EXPECT_EQ(scene().selection().current(), b);
  key(Qt::Key_Down);
  EXPECT_EQ(scene().selection().current(), c);
  key(Qt::Key_Up);
  EXPECT_EQ(scene().selection().current(), b);
  key(Qt::Key_Right);
  EXPECT_EQ(scene().selection().current(), side);
  key(Qt::Key_Left);
  EXPECT_EQ(scene().selection().current(), b);
}

TEST_F(Keys, ControlArrowsMoveInOneMergedStep) {
  const NodeId a = add("Conv2d", "a", {0, 0});
  scene().selection().setCurrent(a);
  const int steps = session.undoStack().count();
  for (int i = 0; i < 3; ++i) key(Qt::Key_Right, Qt::ControlModifier);
  EXPECT_EQ(graph().nodes.at(a).position, (Point{30, 0}));
  EXPECT_EQ(session.undoStack().count(), steps + 1);
  session.undoStack().undo();
  EXPECT_EQ(graph().nodes.at(a).position, (Point{0, 0}));
}

TEST_F(Keys, WConnectsToTheClickedTarget) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("Conv2d", "b", {0, 150});
  add("Conv2d", "far", {0, 600});
  analysed();
  scene().selection().setCurrent(a);
  key(Qt::Key_W);
  ASSERT_NE(view().gesture(), nullptr);
  key(Qt::Key_Return);
  EXPECT_TRUE(connected(a, b));
  EXPECT_EQ(view().gesture(), nullptr);
}

TEST_F(Keys, ArrowsAfterWSelectTheNextTargetAndEscapeCancels) {
  const NodeId a = add("Input", "a", {0, 0}), far = add("Conv2d", "far", {0, 400});
  add("Conv2d", "near", {0, 150});
  analysed();
  scene().selection().setCurrent(a);
  key(Qt::Key_W);
  key(Qt::Key_Escape);
  EXPECT_TRUE(graph().connections.empty());
  key(Qt::Key_W);
  key(Qt::Key_Down);
  key(Qt::Key_Return);
  EXPECT_TRUE(connected(a, far));
}

TEST_F(Keys, TabOpensTheListAndEscapeClosesIt) {
  key(Qt::Key_Tab);
  ASSERT_NE(openedAddList(view()), nullptr);
  QTest::keyClick(&openedAddList(view())->search(), Qt::Key_Escape);
  EXPECT_EQ(openedAddList(view()), nullptr);
  EXPECT_TRUE(graph().nodes.empty());
}

TEST_F(Keys, ShiftAOpensTheSameListAndEnterAddsWhatWasTyped) {
  const std::string before = text();
  key(Qt::Key_A, Qt::ShiftModifier);
  ASSERT_NE(openedAddList(view()), nullptr);
  QTest::keyClicks(&openedAddList(view())->search(), QStringLiteral("maxp"));
  QTest::keyClick(&openedAddList(view())->search(), Qt::Key_Return);
  ASSERT_EQ(graph().nodes.size(), 1U);
  EXPECT_EQ(graph().nodes.begin()->second.type, "MaxPool2d");
  expectUndoable(before);
}

TEST_F(Keys, FShowsTheSelectionAlone) {
  open("lenet5");
  view().camera().setZoom(0.3, QPointF(0, 0));
  const double whole = view().camera().zoom();
  const NodeId chosen = find("conv1");
  ASSERT_NE(chosen, 0);
  scene().selection().setCurrent(chosen);
  key(Qt::Key_F);
  EXPECT_GT(view().camera().zoom(), whole);
  const QRectF seen = view().mapToScene(port()->rect()).boundingRect();
  EXPECT_TRUE(seen.contains(scene().elements().nodes().at(chosen)->outline()));
}

TEST_F(Keys, ControlWithPlusMinusAndZeroZoomsWithinItsLimits) {
  open("lenet5");
  view().camera().setZoom(1, QPointF(0, 0));
  key(Qt::Key_Equal, Qt::ControlModifier);
  EXPECT_GT(view().camera().zoom(), 1);
  key(Qt::Key_0, Qt::ControlModifier);
  EXPECT_DOUBLE_EQ(view().camera().zoom(), 1);
  for (int i = 0; i < 60; ++i) key(Qt::Key_Minus, Qt::ControlModifier);
  EXPECT_NEAR(view().camera().zoom(), 0.1, 1e-9);
  for (int i = 0; i < 60; ++i) key(Qt::Key_Equal, Qt::ControlModifier);
  EXPECT_NEAR(view().camera().zoom(), 4, 1e-9);
}

TEST_F(Keys, BypassingFlattenReportsAShapeError) {
  open("lenet5");
  NodeId flatten = 0;
  for (const auto& [id, node] : graph().nodes)
    if (node.type == "Flatten") flatten = id;
  scene().selection().setCurrent(flatten);
  key(Qt::Key_M);
  analysed();
  ASSERT_EQ(session.analysis().count(Severity::error), 1);
  EXPECT_NE(session.analysis().problems.front().what.str().find("eeds a vector"), std::string::npos)
      << session.analysis().problems.front().what.str();
  key(Qt::Key_M);
  analysed();
  EXPECT_TRUE(session.analysis().ok());
}

TEST_F(Keys, EnterRequestsTheInspector) {
  scene().selection().setCurrent(add("Conv2d", "a", {0, 0}));
  QSignalSpy wanted(&scene(), &GraphScene::inspectorWanted);
  key(Qt::Key_Return);
  EXPECT_EQ(wanted.count(), 1);
}

TEST_F(Keys, FitShowsEverything) {
  open("vgg13-cifar");
  key(Qt::Key_Home);
  const QRectF seen = view().mapToScene(port()->rect()).boundingRect();
  EXPECT_TRUE(seen.contains(scene().elements().contentRect()));
}

TEST_F(Keys, LayoutPlacesEachNodeBelowItsInputs) {
  open("lenet5");
  const std::string before = text();
  key(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
  for (const Connection& c : graph().connections)
    EXPECT_LT(graph().nodes.at(c.from).position.y, graph().nodes.at(c.to).position.y);
  for (const auto& [a, first] : scene().elements().nodes())
    for (const auto& [b, second] : scene().elements().nodes())
      if (a < b) {
        EXPECT_FALSE(first->outline().intersects(second->outline()))
            << graph().nodes.at(a).name << ", " << graph().nodes.at(b).name;
      }
  expectUndoable(before);
}

}  // namespace
}  // namespace nw::ui
