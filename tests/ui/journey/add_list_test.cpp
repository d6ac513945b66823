// SPDX-License-Identifier: GPL-3.0-or-later
// Building by keyboard in the whole window: the list of layers lies on top, stays inside the window and ranks what fits
// first; an unconnected input is connected by a click on its card or in the list of problems.
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <algorithm>

#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/editors/add_list.hpp"
#include "ui/design/problem_list.hpp"
#include "ui/page/page.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

class AddingLayers : public Journey {
 protected:
  void SetUp() override {
    Journey::SetUp();
    openWindow({{}, QStringLiteral("lenet5")});
    analysed();
  }
  /// Presses Tab on the layer, whose card is moved to this place of the viewport.
  AddList* listAt(const char* name, QPoint place) {
    hand.click(view().viewport(), nodePosition(view(), find(name)));
    view().camera().scrollBy(place - nodePosition(view(), find(name)));
    hand.key(Qt::Key_Tab);
    auto* list = window().findChild<AddList*>();
    EXPECT_NE(list, nullptr);
    return list;
  }
  void expectOnTop(const AddList& list) {
    QCoreApplication::processEvents();
    const QRect area(list.mapTo(&window(), QPoint()), list.size());
    EXPECT_TRUE(window().rect().contains(area)) << "inside the window";
    for (int x = area.left() + 2; x < area.right(); x += 12)
      for (int y = area.top() + 2; y < area.bottom(); y += 12) {
        const QWidget* hit = window().childAt(x, y);
        ASSERT_TRUE(hit == &list || list.isAncestorOf(hit)) << (hit ? hit->objectName().toStdString() : "nothing");
      }
  }
  QRect cardOf(const char* name) {
    const NodeItem* item = scene().elements().node(find(name));
    const QRect card = view().mapFromScene(item->outline()).boundingRect();
    return {view().viewport()->mapTo(&window(), card.topLeft()), card.size()};
  }
  /// The input of relu1 is not connected any more.
  NodeId unconnected() {
    const NodeId relu = find("relu1");
    const std::vector<Connection> wires = graph().connections;
    for (const Connection& c : wires)
      if (c.to == relu) session().push(disconnect(session().doc(), "", c), QStringLiteral("Disconnect"));
    EXPECT_TRUE(test::wait_for(
        [&] { return session().analysisCurrent() && !scene().elements().node(relu)->look().fixes.isEmpty(); }, 20000));
    return relu;
  }
  bool isFed(NodeId id) {
    return std::any_of(graph().connections.begin(), graph().connections.end(),
                       [&](const Connection& c) { return c.to == id; });
  }
};

TEST_F(AddingLayers, TheListLiesOnTopOfEverythingAndNothingCoversIt) {
  const QRect room = view().viewport()->rect();
  for (const QPoint place : {room.center(), QPoint(room.right() - 60, room.center().y()), QPoint(60, 120)}) {
    const AddList* list = listAt("conv1", place);
    ASSERT_NE(list, nullptr);
    window().banner().say(QStringLiteral("Something happened meanwhile."), 1);
    window().banner().hide();
    expectOnTop(*list);
    hand.key(Qt::Key_Escape);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
}

TEST_F(AddingLayers, TheListFlipsAtTheLowerEdgeOfTheWindow) {
  const QRect room = view().viewport()->rect();
  const AddList* below = listAt("conv1", {room.center().x(), 120});
  ASSERT_NE(below, nullptr);
  EXPECT_GE(below->mapTo(&window(), QPoint()).y(), cardOf("conv1").bottom() - 1);
  hand.key(Qt::Key_Escape);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  window().resize(1366, 728);
  QCoreApplication::processEvents();
  const AddList* above = listAt("conv1", {room.center().x(), view().viewport()->height() - 60});
  ASSERT_NE(above, nullptr);
  expectOnTop(*above);
  EXPECT_LE(above->mapTo(&window(), QPoint(0, above->height())).y(), cardOf("conv1").bottom() + 1)
      << "it ends above the place where the layer comes";
}

TEST_F(AddingLayers, TheListOfALayerOutOfSightIsInsideTheWindow) {
  for (const QPoint place : {QPoint(200, view().viewport()->height() + 900), QPoint(200, -900)}) {
    const AddList* list = listAt("conv1", place);
    ASSERT_NE(list, nullptr);
    expectOnTop(*list);
    hand.key(Qt::Key_Escape);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    view().camera().fitAll();
  }
}

TEST_F(AddingLayers, WhatFitsComesFirst) {
  AddList* list = listAt("conv1", view().viewport()->rect().center());
  ASSERT_NE(list, nullptr);
  auto* rows = list->findChild<QListWidget*>(QStringLiteral("addRows"));
  int rejected = 0;
  for (const char* letters : {"", "l", "li", "con", "n"}) {
    hand.key(Qt::Key_A, Qt::ControlModifier);
    hand.key(Qt::Key_Backspace);
    hand.type(QLatin1String(letters));
    bool wrong = false;
    for (int i = 0; i < rows->count(); ++i) {
      const bool reason = !rows->item(i)->toolTip().isEmpty();
      rejected += reason ? 1 : 0;
      EXPECT_FALSE(wrong && !reason) << letters << ": " << rows->item(i)->text().toStdString() << " fits and is below";
      wrong = wrong || reason;
    }
    ASSERT_GT(rows->count(), 0) << letters;
    EXPECT_EQ(rows->currentRow(), 0);
  }
  EXPECT_GT(rejected, 0) << "something that does not fit was listed, below";
}

/// A command changes the page without taking the focus from the list.
TEST_F(AddingLayers, TheListClosesWithItsPage) {
  const QPointer<AddList> list = listAt("conv1", view().viewport()->rect().center());
  ASSERT_TRUE(list && list->isVisible());
  // As in a window that is not active, where no focus is lost: only the page is hidden.
  list->findChild<QLineEdit*>()->removeEventFilter(list);
  window().showPage(QStringLiteral("runs"));
  EXPECT_TRUE(!list || !list->isVisible());
  window().showPage(QStringLiteral("design"));
  EXPECT_TRUE(!list || !list->isVisible()) << "nor does it come back with the page";
}

TEST_F(AddingLayers, TheListClosesWhenItsLayerIsGone) {
  ASSERT_NE(listAt("conv1", view().viewport()->rect().center()), nullptr);
  hand.type(QStringLiteral("drop"));
  hand.key(Qt::Key_Return);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  const std::size_t with = graph().nodes.size();
  hand.key(Qt::Key_Tab);  // on the layer that was just added
  const QPointer<AddList> list = window().findChild<AddList*>();
  ASSERT_TRUE(list);
  action(QStringLiteral("undo"))->trigger();
  ASSERT_EQ(graph().nodes.size(), with - 1);
  EXPECT_TRUE(test::wait_for([&] { return !list || !list->isVisible(); }, 3000));
  hand.key(Qt::Key_Return);
  EXPECT_EQ(graph().nodes.size(), with - 1) << "nothing is added to a layer that is gone";
}

TEST_F(AddingLayers, AnUnconnectedInputIsConnectedByAClickOnItsCard) {
  const NodeId made = unconnected();
  ASSERT_FALSE(scene().elements().node(made)->look().fixes.isEmpty());
  const QString label = scene().elements().node(made)->look().fixes.front();
  EXPECT_TRUE(label.startsWith(QStringLiteral("Connect to "))) << label.toStdString();
  view().camera().reveal(made);
  hand.click(view().viewport(), fixPosition(view(), made));
  ASSERT_TRUE(isFed(made));
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_FALSE(isFed(made)) << "one step of undo";
}

TEST_F(AddingLayers, AnUnconnectedInputIsConnectedByAClickInTheProblemList) {
  const NodeId made = unconnected();
  action(QStringLiteral("next-problem"))->trigger();
  QPushButton* connect = nullptr;
  for (QPushButton* fix : window().findChild<ProblemList*>()->findChildren<QPushButton*>())
    if (!connect && fix->isVisible() && fix->text().startsWith(QStringLiteral("Connect to "))) connect = fix;
  ASSERT_NE(connect, nullptr);
  const QString from = connect->text().section(u' ', 2);
  hand.click(connect);
  ASSERT_TRUE(test::wait_for([&] { return isFed(made); }));
  for (const Connection& c : graph().connections)
    if (c.to == made) EXPECT_EQ(graph().nodes.at(c.from).name, from.toStdString());
}

}  // namespace
}  // namespace nw::ui
