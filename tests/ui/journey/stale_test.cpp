// SPDX-License-Identifier: GPL-3.0-or-later
// What a gesture holds can be removed by another edit before the mouse button is released; what the canvas shows can
// be replaced.
#include <QContextMenuEvent>
#include <QPointer>
#include <QTest>

#include "engine/design/project_file.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/design/inspector.hpp"

namespace nw::ui {
namespace {

class StaleThings : public Journey {
 protected:
  /// A frame on a free place of the canvas.
  ItemId addFrame() {
    const QPointF at = view().mapToScene(QPoint(60, view().viewport()->height() / 2));
    const ItemId id = session().doc().next_id();
    EXPECT_TRUE(
        session().push({PutFrame{"", id, Frame{"Part", Rect{at.x(), at.y(), 180, 100}}}}, QStringLiteral("Add frame")));
    return id;
  }
  void move(QPoint to) { QTest::mouseMove(view().viewport(), to); }
};

TEST_F(StaleThings, AFrameThatAnUndoRemovesDuringItsDragIsLetGo) {
  openSmallProject(1, 300);
  const ItemId id = addFrame();
  const FrameItem* item = scene().elements().frame(id);
  ASSERT_NE(item, nullptr);
  const QRectF before = item->outline();
  const QPoint title = view().mapFromScene(before.topLeft() + QPointF(24, 14));
  QTest::mousePress(view().viewport(), Qt::LeftButton, {}, title);
  move(title + QPoint(30, 20));
  move(title + QPoint(60, 40));
  ASSERT_NE(scene().elements().frame(id)->outline(), before) << "it is being dragged";
  session().undoStack().undo();
  ASSERT_EQ(scene().elements().frame(id), nullptr);
  const int edits = session().undoStack().index();
  move(title + QPoint(90, 60));
  QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, title + QPoint(90, 60));
  EXPECT_FALSE(graph().frames.contains(id));
  EXPECT_EQ(session().undoStack().index(), edits) << "nothing is moved that is gone";
}

TEST_F(StaleThings, ALayerThatAnUndoRemovesDuringItsDragIsLetGo) {
  openSmallProject(1, 300);
  const NodeId id = session().doc().next_id();
  const QPointF at = view().mapToScene(QPoint(60, view().viewport()->height() / 2));
  Node node{.type = "ReLU", .name = "loose"};
  node.position = {at.x(), at.y()};
  ASSERT_TRUE(session().push({PutNode{"", id, node}}, QStringLiteral("Add layer")));
  const QPoint middle = view().mapFromScene(scene().elements().node(id)->sceneBoundingRect().center());
  QTest::mousePress(view().viewport(), Qt::LeftButton, {}, middle);
  move(middle + QPoint(30, 20));
  move(middle + QPoint(60, 40));
  session().undoStack().undo();
  ASSERT_EQ(scene().elements().node(id), nullptr);
  move(middle + QPoint(90, 60));
  QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, middle + QPoint(90, 60));
  EXPECT_FALSE(graph().nodes.contains(id));
  EXPECT_EQ(session().undoStack().index(), 0);
}

class SettingsMenu : public StaleThings {
 protected:
  /// Opens the menu of a setting of conv1 as a right click does, and returns it.
  QMenu* openMenu() {
    openSmallProject(1, 300);
    scene().selection().setCurrent(find("conv1"));
    QWidget* editor = design().inspector().editorOf(QStringLiteral("out_channels"));
    const QPoint at = editor->parentWidget()->rect().center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, editor->parentWidget()->mapToGlobal(at));
    QApplication::sendEvent(editor->parentWidget(), &event);
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
  }
};

TEST_F(SettingsMenu, ResetsTheSetting) {
  QMenu* menu = openMenu();
  ASSERT_NE(menu, nullptr);
  const NodeId conv = find("conv1");
  const auto before = graph().nodes.at(conv).attrs;
  QAction* reset = menu->actions().first();
  EXPECT_EQ(reset->text(), QStringLiteral("Reset to default"));
  QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(reset).center());
  EXPECT_NE(graph().nodes.at(conv).attrs, before);
  EXPECT_TRUE(test::wait_for([] { return QApplication::activePopupWidget() == nullptr; }));
}

TEST_F(SettingsMenu, GoesWithItsSettingWhenAnotherLayerIsShown) {
  const QPointer<QMenu> menu = openMenu();
  ASSERT_NE(menu, nullptr);
  scene().selection().setCurrent(find("fc1"));
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_EQ(menu, nullptr) << "it would act on a layer that is not shown";
  EXPECT_EQ(QApplication::activePopupWidget(), nullptr);
}

TEST_F(StaleThings, ABlockIsLeftBeforeItsProjectIsReplaced) {
  openWindow();
  session().replace(find_template("resnet18-cifar")->make(), {}, QStringLiteral("residual"));
  ASSERT_TRUE(session().push({PutNode{"", session().doc().next_id(), Node{.type = "ReLU", .name = "loose"}}}, {}));
  scene().setScope("BasicBlock");
  int heard = 0;
  const auto check = [&] {
    ++heard;
    EXPECT_TRUE(session().doc().has_scope(scene().scope())) << "signal " << heard;
    for (const NodeId id : scene().selection().nodes()) EXPECT_TRUE(scene().graph().nodes.contains(id));
  };
  QObject ear;
  QObject::connect(&session(), &Session::fileChanged, &ear, check);
  QObject::connect(&session().undoStack(), &QUndoStack::indexChanged, &ear, check);
  QObject::connect(&session().undoStack(), &QUndoStack::cleanChanged, &ear, check);
  session().replace(find_template("lenet5")->make(), {}, QStringLiteral("digits"));
  EXPECT_GE(heard, 3) << "the undo stack and the file have said that they changed";
  EXPECT_EQ(scene().scope(), "");
}

}  // namespace
}  // namespace nw::ui
