// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/lane_screens.hpp"

#include <QMouseEvent>

#include "ui/design/design_page.hpp"
#include "ui/design/lanes/lane_board.hpp"
#include "ui/design/lanes/lane_card.hpp"
#include "ui/design/lanes/lane_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

DesignPage& designPage(Stage& s) { return *static_cast<DesignPage*>(s.window->page(QStringLiteral("design"))); }

QWidget* onLanes(Stage& s, int lanes) {
  s.open("resnet18-cifar");
  QWidget* shown = s.show(QStringLiteral("design"));
  Placement& placement = designPage(s).placement();
  placement.setWay(PlacementWay::stages);
  waitFor([&] { return placement.isCurrent(); }, 20000);
  placement.setDevices(lanes, 1);
  placement.change([](TrainSettings& t) { t.micro_batches = 8; }, QStringLiteral("Micro-batches"));
  action(QStringLiteral("show-placement"))->trigger();
  return shown;
}

/// Two copies of two stages.
QWidget* mixedLanes(Stage& s) {
  QWidget* shown = onLanes(s, 2);
  designPage(s).placement().setWay(PlacementWay::mixed);
  return shown;
}
QWidget* fourLanes(Stage& s) { return onLanes(s, 4); }
QWidget* twoLanes(Stage& s) { return onLanes(s, 2); }
bool lanesShown(Stage& s) { return analysed(s) && designPage(s).placement().isCurrent(); }

/// A card of the second lane is held over the third.
bool cardDragged(Stage& s) {
  if (!lanesShown(s)) return false;
  LaneBoard& board = designPage(s).lanes().board();
  if (board.dragging()) return true;
  NodeId last = 0;
  for (const NodeId id : designPage(s).placement().cards())
    if (designPage(s).placement().placed().at(id) == 1) last = id;
  if (!board.card(last)) return false;
  board.choose(last, Qt::NoModifier);
  action(QStringLiteral("show-placement"))->trigger();
  board.beginDrag(last, QPoint(60, 20));
  board.drag(QPoint(static_cast<int>(board.places().laneWidth * 2.4), 60));
  return true;
}

}  // namespace

const std::vector<Screen>& laneScreens() {
  static const std::vector<Screen> table = {{"lanes", wholeWindow, fourLanes, cardDragged},
                                            {"lanes-small", {1366, 728}, twoLanes, lanesShown},
                                            {"lanes-mixed", {1366, 728}, mixedLanes, lanesShown}};
  return table;
}

}  // namespace nw::ui
