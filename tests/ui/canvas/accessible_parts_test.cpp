// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas through the accessibility interface: the parts it exposes, and the actions it offers.
#include <QAccessible>
#include <QMenu>
#include <QPointer>

#include "tests/ui/canvas/bench.hpp"

namespace nw::ui {
namespace {

class ScreenReader : public CanvasTest {
 protected:
  QAccessibleInterface* voice() { return QAccessible::queryAccessibleInterface(&view()); }
  /// The accessible child whose name starts with the text; ports are searched for inside the layers.
  QAccessibleInterface* part(const char* start, QAccessibleInterface* within = nullptr) {
    if (!within) within = voice();
    for (int i = 0; i < within->childCount(); ++i) {
      QAccessibleInterface* child = within->child(i);
      if (child->text(QAccessible::Name).startsWith(QString::fromUtf8(start))) return child;
      if (QAccessibleInterface* inside = part(start, child)) return inside;
    }
    return nullptr;
  }
  std::string name(const char* start) {
    QAccessibleInterface* found = part(start);
    return found ? found->text(QAccessible::Name).toStdString() : "nothing";
  }
  void act(QAccessibleInterface* on, const QString& action) {
    ASSERT_NE(on, nullptr);
    on->actionInterface()->doAction(action);
  }
};

TEST_F(ScreenReader, NamesLayersInTheOrderOfTheNetworkThenTheConnections) {
  open("lenet5");
  const int layers = static_cast<int>(graph().nodes.size()), wires = static_cast<int>(graph().connections.size());
  ASSERT_EQ(voice()->childCount(), layers + wires);
  EXPECT_EQ(voice()->role(), QAccessible::List);
  EXPECT_EQ(voice()->child(1)->text(QAccessible::Name),
            QStringLiteral("Conv2d conv1, 2 of %1, output 6×28×28").arg(layers));
  EXPECT_EQ(voice()->child(1)->role(), QAccessible::ListItem);
  EXPECT_EQ(voice()->indexOfChild(voice()->child(1)), 1);
  EXPECT_EQ(voice()->child(layers)->parent(), voice());
  EXPECT_EQ(name("Connection from conv1"), "Connection from conv1 to relu1, 6×28×28");
  EXPECT_EQ(voice()->child(-1), nullptr);
  EXPECT_EQ(voice()->child(layers + wires), nullptr);
}

TEST_F(ScreenReader, NamesTheConnectionsOfPorts) {
  open("lenet5");
  QAccessibleInterface* conv = part("Conv2d conv1");
  ASSERT_EQ(conv->childCount(), 2);
  EXPECT_EQ(conv->child(0)->role(), QAccessible::Button);
  EXPECT_EQ(conv->child(1)->parent(), conv);
  EXPECT_EQ(conv->indexOfChild(conv->child(1)), 1);
  EXPECT_EQ(name("Input of conv1"), "Input of conv1, from images");
  EXPECT_EQ(name("Output of conv1"), "Output of conv1, 6×28×28, to relu1");
  const NodeId lone = add("Add", "sum", {600, 0});
  EXPECT_EQ(part("Add sum")->childCount(), 3);
  EXPECT_EQ(name("Input 2 of sum"), "Input 2 of sum, not connected");
  wire(find("conv1"), lone, 1);
  EXPECT_EQ(name("Input 2 of sum"), "Input 2 of sum, from conv1");
  EXPECT_EQ(name("Output of conv1"), "Output of conv1, 6×28×28, to relu1, sum");
  EXPECT_EQ(name("Connection from conv1 to input"), "Connection from conv1 to input 2 of sum, 6×28×28");
}

TEST_F(ScreenReader, ReportsSelectionErrorsAndVisibility) {
  open("lenet5");
  scene().selection().setCurrent(find("conv1"));
  EXPECT_TRUE(part("Conv2d conv1")->state().selected);
  EXPECT_FALSE(part("ReLU relu1")->state().selected);
  EXPECT_FALSE(part("Conv2d conv1")->state().invalid);
  for (const auto& [id, node] : graph().nodes)
    if (node.type == "Flatten") {
      session.push(remove_nodes(session.doc(), "", {id}, true), QStringLiteral("Delete"));
      break;
    }
  analysed();
  QAccessibleInterface* broken = part("Linear fc1");
  EXPECT_TRUE(broken->state().invalid);
  EXPECT_TRUE(broken->text(QAccessible::Name).contains(QStringLiteral("error")));
  view().camera().setZoom(1, QPointF());
  view().centerOn(5000, 5000);
  EXPECT_TRUE(broken->state().offscreen);
  view().camera().reveal(find("fc1"));
  EXPECT_FALSE(broken->state().offscreen);
  EXPECT_EQ(voice()->childAt(broken->rect().center().x(), broken->rect().center().y()), broken);
}

TEST_F(ScreenReader, DoesNotNameDeletedNodes) {
  open("lenet5");
  const int before = voice()->childCount();
  ASSERT_NE(part("Output of relu1"), nullptr);
  ASSERT_NE(part("Connection from conv1"), nullptr);
  session.push(remove_nodes(session.doc(), "", {find("relu1")}), QStringLiteral("Delete"));
  EXPECT_EQ(voice()->childCount(), before - 3) << "a layer and its two connections";
  EXPECT_EQ(part("ReLU relu1"), nullptr);
  EXPECT_EQ(part("Connection from conv1"), nullptr);
  EXPECT_EQ(name("Output of conv1"), "Output of conv1, 6×28×28, not connected");
  session.undoStack().undo();
  EXPECT_EQ(voice()->childCount(), before);
  EXPECT_EQ(name("ReLU relu1"), "ReLU relu1, 3 of " + std::to_string(graph().nodes.size()) + ", output 6×28×28");
}

TEST_F(ScreenReader, PerformsActions) {
  open("lenet5");
  QSignalSpy settings(&scene(), &GraphScene::inspectorWanted);
  act(part("Conv2d conv2"), QAccessibleActionInterface::setFocusAction());
  EXPECT_EQ(scene().selection().current(), find("conv2"));
  EXPECT_EQ(settings.size(), 0);
  act(part("Conv2d conv1"), QAccessibleActionInterface::pressAction());
  EXPECT_EQ(scene().selection().current(), find("conv1"));
  EXPECT_EQ(settings.size(), 1);
  act(part("Connection from conv1"), QAccessibleActionInterface::setFocusAction());
  ASSERT_EQ(scene().selection().connections().size(), 1u);
  EXPECT_TRUE(part("Connection from conv1")->state().selected);
  act(part("Conv2d conv2"), QAccessibleActionInterface::showMenuAction());
  QPointer<QMenu> menu = view().findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  EXPECT_TRUE(menu->isVisible());
  menu->close();
  act(part("Connection from conv1"), QStringLiteral("Delete"));
  EXPECT_FALSE(connected(find("conv1"), find("relu1")));
  EXPECT_NE(find("conv1"), 0);
}

TEST_F(ScreenReader, ConnectsTwoPressedPorts) {
  const NodeId a = add("Input", "a", {0, 0}), b = add("ReLU", "b", {0, 200});
  analysed();
  const std::string before = text();
  act(part("Output of a"), QAccessibleActionInterface::pressAction());
  EXPECT_NE(view().gesture(), nullptr) << "the connection that is being drawn is seen too";
  act(part("Input of b"), QAccessibleActionInterface::pressAction());
  EXPECT_TRUE(connected(a, b));
  EXPECT_EQ(view().gesture(), nullptr);
  expectUndoable(before);
}

}  // namespace
}  // namespace nw::ui
