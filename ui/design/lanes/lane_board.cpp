// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/lane_board.hpp"

#include <QApplication>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_text.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/design/lanes/lane_card.hpp"

namespace nw::ui {
namespace {

/// The pill beside the pointer while layers are dragged.
class DropTip final : public QWidget {
 public:
  explicit DropTip(LaneBoard* board) : QWidget(board), board_(*board) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
  }
  QSize sizeHint() const override {
    if (!board_.effect()) return {0, 0};
    const DropEffect& e = *board_.effect();
    const qreal words =
        textWidth(ui::font(TextRole::button), e.sentence + (e.change.isEmpty() ? QString() : u' ' + e.change));
    return {static_cast<int>(std::ceil(words)) + 32, 34};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    if (!board_.effect()) return;
    const DropEffect& e = *board_.effect();
    const Theme& t = theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    paintFloat(p, QRectF(rect()).adjusted(3, 3, -3, -3), radius::group, t.overlay, t.border2);
    p.setFont(ui::font(TextRole::button));
    p.setPen(e.estimate ? t.text1 : t.error);
    const QRectF room = QRectF(rect()).adjusted(14, 0, -14, 0);
    p.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, e.sentence);
    p.setPen(e.change.startsWith(QChar(0x2212)) ? t.ok : t.warn);
    p.drawText(room, Qt::AlignVCenter | Qt::AlignRight, e.change);
  }

 private:
  const LaneBoard& board_;
};

QString percentChange(double before, double after) {
  const double percent = before > 0 ? 100 * (after / before - 1) : 0;
  const auto whole = qRound(std::abs(percent));
  return (percent < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + QStringLiteral("%1 %").arg(whole);
}

}  // namespace

std::vector<CardCrossing> cardCrossings(const std::vector<PlacedLayer>& layers, const PipelineEstimate& estimate) {
  std::map<std::pair<NodeId, NodeId>, CardCrossing> all;
  for (const StageCrossing& c : estimate.crossings) {
    const PlacedLayer &from = layers[c.from], &to = layers[c.to];
    if (from.node == to.node) continue;
    CardCrossing& one = all[{from.node, to.node}];
    one.from = from.node;
    one.to = to.node;
    one.bytes += c.bytes;
    if (one.shape.isEmpty()) one.shape = shapeText(from.output);
  }
  std::vector<CardCrossing> list;
  for (const auto& [ends, one] : all) list.push_back(one);
  return list;
}

LaneBoard::LaneBoard(Placement& placement, GraphScene& scene, QWidget* parent)
    : QWidget(parent), placement_(placement), scene_(scene), tip_(new DropTip(this)) {
  setObjectName(QStringLiteral("laneBoard"));
  setAccessibleName(tr("Lanes"));
  connect(&placement_, &Placement::changed, this, &LaneBoard::refresh);
  connect(&scene_, &GraphScene::selectionUpdated, this, &LaneBoard::followSelection);
  refresh();
}

LaneCard* LaneBoard::card(NodeId id) const {
  const auto found = cards_.find(id);
  return found == cards_.end() ? nullptr : found->second;
}

QWidget* LaneBoard::cardToFocus() const {
  const std::set<NodeId> chosen = taken();
  if (!chosen.empty()) return card(*chosen.begin());
  return placement_.cards().empty() ? nullptr : card(placement_.cards().front());
}

QString LaneBoard::nameOf(NodeId id) const {
  const auto& nodes = scene_.doc().graph().nodes;
  const auto found = nodes.find(id);
  return found == nodes.end() ? QString() : QString::fromStdString(found->second.name);
}

QSize LaneBoard::sizeHint() const { return {400, static_cast<int>(layout_.height)}; }

/// Cards stay the same objects, so that the keyboard's focus and a drag survive an analysis.
void LaneBoard::refresh() {
  stale_ = dragging() && placement_.placed().contains(dragged_);
  if (stale_) return;  // at its end
  if (dragging()) endDrag();
  const auto& nodes = scene_.doc().graph().nodes;
  for (auto it = cards_.begin(); it != cards_.end();) {
    if (placement_.placed().contains(it->first) && nodes.contains(it->first)) {
      ++it;
      continue;
    }
    delete it->second;
    it = cards_.erase(it);
  }
  QWidget* before = nullptr;
  for (const NodeId id : placement_.cards()) {
    if (!nodes.contains(id)) continue;
    LaneCard*& one = cards_[id];
    if (!one) {
      one = new LaneCard(*this, id);
      one->show();
    }
    showCard(id, *one);
    if (before) setTabOrder(before, one);
    before = one;
  }
  place();
  followSelection();
}

void LaneBoard::showCard(NodeId id, LaneCard& card) {
  const Node& node = scene_.doc().graph().nodes.at(id);
  const NodeText look = makeNodeText(scene_.doc(), "", id, nullptr, {}, {});
  const int at = placement_.placed().at(id);
  double whole = 0;
  for (const StageEstimate& s : placement_.estimate().stages) whole += s.cost.forward + s.cost.backward;
  const QString cost = placement_.costText(placement_.costOf(id), whole);
  card.setTexts(look.title, look.name, look.icon, look.group, cost);
  card.setLane(at);
  card.setObjectName(QStringLiteral("lane.") + QString::fromStdString(node.name));
  card.setAccessibleName(tr("%1 %2, on %3, %4").arg(look.title, look.name, placement_.laneName(at), cost));
  card.setToolTip(tr("%1 %2: %3 of a micro-batch, forward and backward").arg(look.title, look.name, cost));
}

void LaneBoard::place() {
  Lanes known;
  std::vector<NodeId> order;
  for (const NodeId id : placement_.cards())
    if (cards_.contains(id)) order.push_back(id), known[id] = placement_.placed().at(id);
  layout_ = laneLayout(order, known, placement_.question().stages, width());
  setMinimumHeight(static_cast<int>(layout_.height));
  for (const auto& [id, at] : layout_.cards)
    if (id != dragged_) cards_.at(id)->setGeometry(at.adjusted(-2, -2, 2, 2).toAlignedRect());
  update();
}

void LaneBoard::resizeEvent(QResizeEvent*) { place(); }

void LaneBoard::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) refresh();
  QWidget::changeEvent(event);
}

void LaneBoard::followSelection() {
  const std::set<NodeId> chosen = taken();
  for (const auto& [id, card] : cards_) card->setChosen(chosen.contains(id));
  update();
}

std::set<NodeId> LaneBoard::taken() const {
  if (!scene_.scope().empty()) return {};
  const std::vector<NodeId> nodes = scene_.selection().nodes();
  std::set<NodeId> some;
  for (const NodeId id : nodes)
    if (cards_.contains(id)) some.insert(id);
  return some;
}

void LaneBoard::choose(NodeId id, Qt::KeyboardModifiers keys) {
  scene_.setScope("");
  std::set<NodeId> chosen = taken();
  if (!(keys & (Qt::ControlModifier | Qt::ShiftModifier)))
    chosen = {id};
  else if (!chosen.insert(id).second && (keys & Qt::ControlModifier))
    chosen.erase(id);
  scene_.selection().selectOnly({chosen.begin(), chosen.end()});
}

void LaneBoard::inspect(NodeId id) {
  choose(id, Qt::NoModifier);
  Q_EMIT scene_.inspectorWanted();
}

void LaneBoard::reveal(NodeId id) {
  if (LaneCard* one = card(id)) Q_EMIT revealWanted(one->geometry());
}

bool LaneBoard::walk(NodeId from, int key) {
  const bool down = key == Qt::Key_Down, right = key == Qt::Key_Right;
  if (!down && !right && key != Qt::Key_Up && key != Qt::Key_Left) return false;
  const bool vertical = down || key == Qt::Key_Up;
  const QPointF start = layout_.cards.at(from).center();
  NodeId best = 0;
  qreal nearest = 1e9;
  for (const auto& [id, at] : layout_.cards) {
    const QPointF d = at.center() - start;
    const qreal along = (vertical ? d.y() : d.x()) * (down || right ? 1 : -1);
    const qreal across = std::abs(vertical ? d.x() : d.y());
    if (along <= 1 || (vertical && across > 1) || along + 2 * across >= nearest) continue;
    nearest = along + 2 * across;
    best = id;
  }
  if (best) cards_.at(best)->setFocus(Qt::OtherFocusReason);
  return true;
}

void LaneBoard::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) scene_.clearSelection();
}

void LaneBoard::beginDrag(NodeId id, QPoint grip) {
  dragged_ = id;
  grip_ = grip;
  LaneCard& one = *cards_.at(id);
  one.setDragged(true);
  one.raise();
  tip_->raise();
}

DropEffect LaneBoard::effectOn(int at) const {
  DropEffect e{.lane = at, .estimate = {}, .sentence = {}, .change = {}};
  e.estimate = placement_.ifMoved(taken(), at, &e.sentence);
  if (!e.estimate) return e;
  const double before = placement_.estimate().timeline.end, after = e.estimate->timeline.end;
  e.change = percentChange(before, after);
  e.sentence = placement_.unit() > 0
                   ? tr("Step %1 › %2").arg(placement_.costText(before, 0), placement_.costText(after, 0))
                   : tr("Step");
  return e;
}

void LaneBoard::drag(QPoint at) {
  if (!dragging()) return;
  LaneCard& one = *cards_.at(dragged_);
  one.move(at - grip_);
  const int over = laneAt(layout_, placement_.question().stages, at.x());
  if (!effect_ || effect_->lane != over) {
    effect_ = effectOn(over);
    const Lanes next = movedLanes(placement_.layers(), placement_.placed(), taken(), over);
    const LaneLayout then = laneLayout(placement_.cards(), next, placement_.question().stages, width());
    slots_.clear();
    for (const auto& [id, place] : then.cards)
      if (next.at(id) != placement_.placed().at(id)) slots_[id] = place;
    Q_EMIT effectChanged();
  }
  const QSize size = tip_->sizeHint();
  QPoint beside(one.x() + one.width() / 2, one.geometry().bottom() + 6);
  if (beside.y() + size.height() > visibleRegion().boundingRect().bottom()) beside.setY(one.y() - size.height() - 6);
  tip_->setGeometry(QRect(QPoint(std::clamp(beside.x(), 0, std::max(0, width() - size.width())), beside.y()), size));
  tip_->show();
  update();
}

void LaneBoard::endDrag() {
  LaneCard* one = card(dragged_);
  dragged_ = 0;
  effect_.reset();
  slots_.clear();
  tip_->hide();
  if (one) one->setDragged(false);
  if (std::exchange(stale_, false)) refresh();
  Q_EMIT effectChanged();
}

void LaneBoard::drop(QPoint at) {
  const std::set<NodeId> moved = taken();
  const int over = laneAt(layout_, placement_.question().stages, at.x());
  endDrag();
  placement_.move(moved, over);
  place();
}

void LaneBoard::cancelDrag() {
  endDrag();
  place();
}

void LaneBoard::moveSelection(int by) {
  const std::set<NodeId> moved = taken();
  if (moved.empty()) return;
  int at = by > 0 ? 0 : placement_.lanes() - 1;
  for (const NodeId id : moved)
    at = by > 0 ? std::max(at, placement_.placed().at(id)) : std::min(at, placement_.placed().at(id));
  placement_.move(moved, at + by);
}

}  // namespace nw::ui
