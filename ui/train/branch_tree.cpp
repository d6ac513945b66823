// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/branch_tree.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_scale.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr int lane_height = 26, axis_height = 20, most_label = 230;
constexpr qreal left_margin = 14, dot = 4, reach = 9;  // reach: of a click around a checkpoint

QColor laneColour(const BranchLane& lane) { return lane.series < 0 ? theme().text2 : theme().series[lane.series % 6]; }
}  // namespace

BranchTree::BranchTree(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  setAccessibleName(tr("Checkpoints"));
}

void BranchTree::setLanes(const QVector<BranchLane>& lanes, double epochs) {
  if (lanes == lanes_ && epochs == epochs_) return;
  const BranchLane* lane = chosenLane();
  const QString run = lane ? lane->run : QString();
  const std::int64_t step = chosen() ? chosen()->step : -1;
  lanes_ = lanes;
  epochs_ = std::max(1.0, epochs);
  chosen_ = {};
  choose(run, step);
  setMinimumHeight(sizeHint().height());
  updateGeometry();
  update();
}

QSize BranchTree::sizeHint() const {
  return {320, static_cast<int>(std::max<qsizetype>(1, lanes_.size())) * lane_height + axis_height};
}

const BranchLane* BranchTree::chosenLane() const {
  return chosen_.lane >= 0 && chosen_.lane < lanes_.size() ? &lanes_[chosen_.lane] : nullptr;
}

const RunCheckpoint* BranchTree::chosen() const {
  const BranchLane* lane = chosenLane();
  return lane && chosen_.checkpoint >= 0 && chosen_.checkpoint < lane->checkpoints.size()
             ? &lane->checkpoints[chosen_.checkpoint]
             : nullptr;
}

void BranchTree::choose(const QString& run, std::int64_t step) {
  Spot spot;
  for (int i = 0; i < lanes_.size(); ++i)
    for (int c = 0; c < lanes_[i].checkpoints.size(); ++c)
      if (lanes_[i].run == run && lanes_[i].checkpoints[c].step == step) spot = {i, c};
  chooseSpot(spot);
}

void BranchTree::chooseSpot(Spot spot) {
  chosen_ = spot;
  setAccessibleDescription(spotText(spot));
  update();
  Q_EMIT chosenChanged();
}

QString BranchTree::spotText(Spot spot) const {
  if (spot.lane < 0 || spot.checkpoint < 0) return {};
  const BranchLane& lane = lanes_[spot.lane];
  const RunCheckpoint& c = lane.checkpoints[spot.checkpoint];
  const QString words = QStringLiteral("%1: %2, %3").arg(lane.title, checkpointTitle(c), checkpointFacts(c));
  return lane.gain.isEmpty() ? words : tr("%1; %2 over its parent").arg(words, lane.gain);
}

qreal BranchTree::labelRoom() const {
  qreal room = 40;
  for (const BranchLane& lane : lanes_)
    room = std::max(
        room, textWidth(ui::font(TextRole::button), lane.title + QStringLiteral("  ") + lane.figure) + 18 + gainRoom());
  return std::min<qreal>(room, most_label);
}

/// The gains stand in a column of their own.
qreal BranchTree::gainRoom() const {
  qreal room = 0;
  for (const BranchLane& lane : lanes_)
    if (!lane.gain.isEmpty()) room = std::max(room, textWidth(ui::font(TextRole::button), lane.gain) + 10);
  return room;
}

QPointF BranchTree::place(int lane, double epoch) const {
  const qreal wide = std::max<qreal>(20, width() - left_margin - labelRoom());
  return {left_margin + wide * std::clamp(epoch / epochs_, 0.0, 1.0), lane_height * (lane + 0.5)};
}

/// A branch holds a copy of the checkpoint it began with; that one is drawn on the parent's lane.
bool BranchTree::hasOwn(int lane, int checkpoint) const {
  const BranchLane& l = lanes_[lane];
  const double epoch = l.checkpoints[checkpoint].epoch;
  return epoch >= 0 && (l.parent < 0 || epoch > l.fork + 1e-9);
}

BranchTree::Spot BranchTree::spotAt(const QPointF& at) const {
  Spot best;
  qreal nearest = reach * reach;
  for (int i = 0; i < lanes_.size(); ++i)
    for (int c = 0; c < lanes_[i].checkpoints.size(); ++c) {
      if (!hasOwn(i, c)) continue;
      const QPointF away = place(i, lanes_[i].checkpoints[c].epoch) - at;
      if (const qreal far = QPointF::dotProduct(away, away); far <= nearest) nearest = far, best = {i, c};
    }
  return best;
}

void BranchTree::mousePressEvent(QMouseEvent* event) {
  if (const Spot spot = spotAt(event->position()); spot.lane >= 0) chooseSpot(spot);
}

void BranchTree::mouseDoubleClickEvent(QMouseEvent* event) {
  if (spotAt(event->position()).lane >= 0) Q_EMIT branchAsked();
}

/// The next checkpoint of the lane; without a choice the first lane's newest one to the left, its oldest to the right.
void BranchTree::step(int by) {
  int lane = std::max(0, chosen_.lane), at = chosen_.checkpoint;
  if (lane >= lanes_.size() || lanes_[lane].checkpoints.isEmpty()) return changeLane(1);
  const auto count = static_cast<int>(lanes_[lane].checkpoints.size());
  if (at < 0) at = by < 0 ? count : -1;
  for (int next = at + by; next >= 0 && next < count; next += by)
    if (hasOwn(lane, next)) return chooseSpot({lane, next});
}

/// The checkpoint of the next lane that is nearest in time.
void BranchTree::changeLane(int by) {
  const double now = chosen() ? chosen()->epoch : epochs_;
  for (int lane = chosen_.lane + by; lane >= 0 && lane < lanes_.size(); lane += by) {
    Spot best;
    for (int c = 0; c < lanes_[lane].checkpoints.size(); ++c) {
      const auto away = [&](int each) { return std::abs(lanes_[lane].checkpoints[each].epoch - now); };
      if (hasOwn(lane, c) && (best.lane < 0 || away(c) < away(best.checkpoint))) best = {lane, c};
    }
    if (best.lane >= 0) return chooseSpot(best);
  }
}

void BranchTree::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return step(-1);
    case Qt::Key_Right:
      return step(1);
    case Qt::Key_Up:
      return changeLane(-1);
    case Qt::Key_Down:
      return changeLane(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (chosen()) Q_EMIT branchAsked();
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

bool BranchTree::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), spotText(spotAt(help->pos())), this);
  return true;
}

void BranchTree::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  paintAxis(p);
  for (int i = static_cast<int>(lanes_.size()) - 1; i >= 0; --i) paintLane(p, i);
  for (int i = 0; i < lanes_.size(); ++i) {
    paintCheckpoints(p, i);
    paintLabel(p, i);
  }
  if (!hasFocus()) return;
  p.setPen(QPen(theme().ring, 1.5));
  p.setBrush(Qt::NoBrush);
  p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::control, radius::control);
}

void BranchTree::paintAxis(QPainter& p) const {
  const qreal below = lane_height * static_cast<qreal>(std::max<qsizetype>(1, lanes_.size()));
  p.setFont(ui::font(TextRole::axis));
  const int columns = std::clamp(width() / 80, 2, 10);
  for (const double tick : epochTicks(epochs_, columns)) {
    const qreal x = place(0, tick).x();
    p.setPen(QPen(theme().border1, 1));
    p.drawLine(QPointF(x, 2), QPointF(x, below));
    p.setPen(theme().text3);
    p.drawText(QRectF(x - 30, below, 60, axis_height), Qt::AlignCenter, tickText(tick));
  }
}

void BranchTree::paintLane(QPainter& p, int lane) const {
  const BranchLane& l = lanes_[lane];
  QPen pen(laneColour(l), 2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  if (l.series >= 0)
    if (const QVector<qreal> dash = seriesDash(l.series % 6); !dash.isEmpty()) pen.setDashPattern(dash);
  const bool branches = l.parent >= 0;
  const QPointF end = place(lane, std::max(l.to, l.fork));
  QPainterPath path;
  if (branches) {
    const QPointF from = place(l.parent, l.fork), begin(from.x() + 14, end.y());
    path.moveTo(from);
    path.cubicTo(QPointF(from.x() + 9, from.y()), QPointF(from.x() + 2, begin.y()), begin);
    path.lineTo(QPointF(std::max(end.x(), begin.x()), end.y()));
  } else {
    path.moveTo(place(lane, 0));
    path.lineTo(end);
  }
  p.strokePath(path, pen);
  p.setPen(QPen(theme().border3, 1, Qt::DotLine));
  p.drawLine(path.currentPosition(), QPointF(place(lane, epochs_).x(), end.y()));
  p.setPen(Qt::NoPen);
  p.setBrush(laneColour(l));
  p.drawEllipse(path.currentPosition(), 3, 3);
}

void BranchTree::paintCheckpoints(QPainter& p, int lane) const {
  const BranchLane& l = lanes_[lane];
  const auto isFork = [&](double epoch) {
    return std::any_of(lanes_.begin(), lanes_.end(), [&](const BranchLane& each) {
      return each.parent == lane && std::abs(each.fork - epoch) < 1e-6;
    });
  };
  for (int c = 0; c < l.checkpoints.size(); ++c) {
    if (!hasOwn(lane, c)) continue;
    const RunCheckpoint& checkpoint = l.checkpoints[c];
    const QPointF at = place(lane, checkpoint.epoch);
    if (chosen_ == Spot{lane, c}) {
      p.setPen(QPen(theme().accent, 1.5));
      p.setBrush(theme().accentSoft);
      p.drawEllipse(at, dot + 4.5, dot + 4.5);
    }
    p.setPen(QPen(isFork(checkpoint.epoch) ? theme().text1 : laneColour(l), checkpoint.best ? 2.4 : 1.6));
    p.setBrush(theme().chartCard);
    p.drawEllipse(at, dot, dot);
    if (!isFork(checkpoint.epoch) && !checkpoint.best) continue;
    p.setPen(Qt::NoPen);
    p.setBrush(isFork(checkpoint.epoch) ? theme().text1 : laneColour(l));
    p.drawEllipse(at, 1.8, 1.8);
  }
}

void BranchTree::paintLabel(QPainter& p, int lane) const {
  const BranchLane& l = lanes_[lane];
  const qreal right = width() - 6.0, left = place(lane, epochs_).x() + 10;
  QRectF where(left, lane_height * lane, right - left, lane_height);
  p.setFont(ui::font(TextRole::button));
  p.setPen(l.gained > 0 ? theme().ok : l.gained < 0 ? theme().error : theme().text2);
  p.drawText(where, Qt::AlignRight | Qt::AlignVCenter, l.gain);
  where.setRight(right - gainRoom());
  p.setPen(laneColour(l));
  p.drawText(where, Qt::AlignRight | Qt::AlignVCenter, l.figure);
  const qreal room = where.width() - textWidth(p.font(), l.figure) - 8;
  p.setPen(theme().text1);
  p.drawText(where, Qt::AlignLeft | Qt::AlignVCenter,
             QFontMetricsF(p.font()).elidedText(l.title, Qt::ElideMiddle, std::max<qreal>(0, room)));
}

}  // namespace nw::ui
