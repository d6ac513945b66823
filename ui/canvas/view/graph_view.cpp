// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/view/graph_view.hpp"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSettings>
#include <algorithm>
#include <cmath>

#include "ui/canvas/editors/add_list.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/canvas/view/low_detail_view.hpp"

namespace nw::ui {
namespace {
const QString mapKey = QStringLiteral("canvas/overview");
}

GraphView::GraphView(GraphScene& scene, QWidget* parent)
    : QGraphicsView(&scene, parent), scene_(scene), far_(std::make_unique<FarPicture>(*this)) {
  setObjectName(QStringLiteral("canvas"));
  setAccessibleName(tr("Network"));
  setFrameShape(NoFrame);
  setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing | QPainter::SmoothPixmapTransform);
  setViewportUpdateMode(SmartViewportUpdate);
  setOptimizationFlags(DontAdjustForAntialiasing);
  setTransformationAnchor(NoAnchor);
  setResizeAnchor(NoAnchor);
  setAlignment({});
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSceneRect(-100000, -100000, 200000, 200000);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  setAcceptDrops(true);
  setFocusPolicy(Qt::StrongFocus);
  mapShown_ = QSettings().value(mapKey, true).toBool();
  sentenceTimer_.setSingleShot(true);
  sentenceTimer_.setInterval(4000);
  connect(&sentenceTimer_, &QTimer::timeout, this, [this] {
    sentence_.clear();
    viewport()->update();
  });
  const auto forget = [this] {  // what the mouse was over may be gone
    cancel();
    hovered_ = 0;
    hoveredWire_.reset();
    target_.reset();
  };
  connect(&scene_, &GraphScene::scopeChanged, this, forget);
  connect(&scene_, &GraphScene::placeChanged, this, [this](const QRectF& place) { far_->change(place); });
  connect(&scene_, &GraphScene::contentChanged, this, [this] {
    if (hovered_ && !scene_.node(hovered_)) hovered_ = 0;
    if (hoveredWire_ && !scene_.connection(*hoveredWire_)) hoveredWire_.reset();
  });
}

// The gesture lets go of the scene's items, which outlive the view but not its members.
GraphView::~GraphView() { gesture_.reset(); }

// the tool strip floats below
QRectF GraphView::room() const { return QRectF(viewport()->rect()).adjusted(24, 20 + floatingTop_, -24, -72); }

qreal GraphView::smallestZoom() const {
  const QSizeF all = scene_.contentRect().size(), free = room().size();
  if (all.isEmpty() || free.isEmpty()) return card::smallestZoom;
  return std::clamp(std::min(free.width() / all.width(), free.height() / all.height()), card::tiniestZoom,
                    card::smallestZoom);
}

void GraphView::setZoom(qreal zoom, QPointF anchor) {
  const qreal wanted = std::clamp(zoom, smallestZoom(), card::largestZoom);
  const QPointF fixed = mapToScene(anchor.toPoint());
  // far away items leave no trace of where they were
  setViewportUpdateMode(wanted < card::barsBelow ? FullViewportUpdate : SmartViewportUpdate);
  setTransform(QTransform::fromScale(wanted, wanted));
  const QPointF moved = viewportTransform().map(fixed) - anchor;
  scrollBy(-moved);
  Q_EMIT zoomChanged(wanted);
  Q_EMIT viewMoved();
}

void GraphView::zoomStep(int steps) { setZoom(zoom() * std::pow(1.2, steps), viewport()->rect().center()); }

void GraphView::scrollBy(QPointF delta) {
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - static_cast<int>(std::lround(delta.x())));
  verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(std::lround(delta.y())));
}

void GraphView::fitRect(const QRectF& scene) {
  const QRectF room = this->room();
  if (room.width() < 10 || room.height() < 10) return;
  if (scene.isEmpty()) return setZoom(1, viewport()->rect().center());
  const qreal scale = std::min({1.0, room.width() / scene.width(), room.height() / scene.height()});
  setZoom(scale, viewport()->rect().center());
  scrollBy(room.center() - viewportTransform().map(scene.center()));
  const QRectF corner(
      QPointF(viewport()->width() - floatingCorner_.width(), viewport()->height() - floatingCorner_.height()),
      QSizeF(floatingCorner_));
  const qreal covered = itemsIn(corner).right() - corner.left(),
              free = viewportTransform().mapRect(scene).left() - room.left();
  if (covered > 0 && free >= covered) scrollBy({-covered, 0});
  Q_EMIT viewMoved();
}

void GraphView::setFloating(int top, QSize corner) {
  floatingTop_ = top;
  floatingCorner_ = corner;
}

std::vector<QRect> GraphView::shownCards() const {
  const QTransform shown = viewportTransform();
  const QRectF part = shown.inverted().mapRect(QRectF(viewport()->rect()));
  std::vector<QRect> cards;
  for (const auto& [id, item] : scene_.nodes())
    if (const QRectF outline = item->outline(); outline.intersects(part))
      cards.push_back(shown.mapRect(outline).toAlignedRect());
  return cards;
}

/// What lies in that part of the viewport, in its coordinates; left of everything when nothing does.
QRectF GraphView::itemsIn(const QRectF& room) const {
  QRectF all(-1e9, 0, 0, 0);
  const auto take = [&](const QRectF& outline) {
    const QRectF shown = viewportTransform().mapRect(outline);
    if (shown.intersects(room) && shown.right() > all.right()) all = shown;
  };
  for (const auto& [id, item] : scene_.nodes()) take(item->outline());
  for (const auto& [id, item] : scene_.frames()) take(item->outline());
  return all;
}

void GraphView::fitSelection() {
  QRectF area;
  for (const NodeId id : scene_.selectedNodes()) area = area.united(scene_.node(id)->outline());
  fitRect(area.isEmpty() ? scene_.contentRect() : area.adjusted(-40, -40, 40, 40));
}

void GraphView::reveal(NodeId id) {
  if (const NodeItem* item = scene_.node(id)) ensureVisible(item->outline(), 30, 80);
  Q_EMIT viewMoved();
}

void GraphView::setTool(Tool tool) {
  tool_ = tool;
  viewport()->setCursor(tool == Tool::pointer ? Qt::ArrowCursor : Qt::CrossCursor);
  Q_EMIT toolChanged();
}

QPoint GraphView::portPosition(NodeId id, bool output, int port) const {
  const NodeItem* item = scene_.node(id);
  return item ? mapFromScene(item->portPosition(output, port)) : QPoint(-1, -1);
}

QPoint GraphView::nodePosition(NodeId id) const {
  const NodeItem* item = scene_.node(id);
  return item ? mapFromScene(item->pos()) : QPoint(-1, -1);
}

QPoint GraphView::fixPosition(NodeId id) const {
  const NodeItem* item = scene_.node(id);
  return item ? mapFromScene(item->partRect(NodeItem::Part::fix).center()) : QPoint(-1, -1);
}

QPointF GraphView::cursorScene() const {
  const QPoint at = viewport()->mapFromGlobal(QCursor::pos());
  return mapToScene(viewport()->rect().contains(at) ? at : viewport()->rect().center());
}

void GraphView::begin(std::unique_ptr<Gesture> gesture) {
  cancel();
  gesture_ = std::move(gesture);
}

void GraphView::cancel() {
  if (!gesture_) return;
  gesture_->cancel();
  gesture_.reset();
  viewport()->update();
}

void GraphView::say(const QString& sentence, QPointF scene, bool wrong) {
  sentence_ = sentence;
  sentenceAt_ = scene;
  sentenceWrong_ = wrong;
  sentenceTimer_.start();
  viewport()->update();
}

void GraphView::setMapShown(bool on) {
  if (mapShown_ == on) return;
  mapShown_ = on;
  QSettings().setValue(mapKey, on);
  Q_EMIT mapShownChanged(on);
}

void GraphView::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  viewport()->update();  // the dots stay where the scene is
  Q_EMIT viewMoved();
}

/// Words in frames change with the language and the font.
void GraphView::changeEvent(QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::LanguageChange || type == QEvent::FontChange || type == QEvent::StyleChange ||
      type == QEvent::PaletteChange)
    far_->change({});
  QGraphicsView::changeEvent(event);
}

/// From far away everything is painted in one go; the base class then paints one corner, which settles what it had been
/// asked for.
void GraphView::paintEvent(QPaintEvent* event) {
  if (zoom() >= card::barsBelow) return QGraphicsView::paintEvent(event);
  {
    QPainter p(viewport());
    far_->paint(p);
    p.setRenderHints(renderHints());
    p.setTransform(viewportTransform());
    drawForeground(&p, mapToScene(viewport()->rect()).boundingRect());
  }
  QPaintEvent corner(QRect(0, 0, 1, 1));
  QGraphicsView::paintEvent(&corner);
}

void GraphView::drawBackground(QPainter* p, const QRectF& exposed) {
  p->save();
  p->resetTransform();
  const QRect area = viewportTransform().mapRect(exposed).toAlignedRect().intersected(viewport()->rect());
  p->fillRect(area, theme().canvas);
  if (zoom() >= card::barsBelow) drawDots(*p, area);
  p->restore();
}

/// One row of dots is painted; the grid is copies of it on whole pixels.
void GraphView::drawDots(QPainter& p, const QRect& area) {
  const qreal step = card::grid * zoom(), ratio = devicePixelRatioF();
  const auto whole = [ratio](qreal at) { return std::round(at * ratio) / ratio; };
  constexpr int middle = 3;
  const QString key = QStringLiteral("%1/%2/%3/%4").arg(step).arg(ratio).arg(theme().canvasDots.name()).arg(width());
  if (key != dotsKey_) {
    dotsKey_ = key;
    dots_ = QPixmap((QSizeF(viewport()->width() + 2 * step, 2 * middle) * ratio).toSize());
    dots_.setDevicePixelRatio(ratio);
    dots_.fill(Qt::transparent);
    QPainter d(&dots_);
    d.setRenderHint(QPainter::Antialiasing);
    d.setPen(Qt::NoPen);
    d.setBrush(theme().canvasDots);
    const qreal r = 0.9 * std::max(0.7, std::min(1.0, zoom()));
    for (qreal x = 0; x < viewport()->width() + 2 * step; x += step) d.drawEllipse(QPointF(whole(x), middle), r, r);
  }
  const QPointF origin = viewportTransform().map(QPointF(0, 0));
  const QPointF start(std::fmod(origin.x(), step) - step, std::fmod(origin.y(), step) - step);
  p.setClipRect(area);
  for (qreal y = start.y(); y < area.bottom() + 2 * middle; y += step)
    if (y > area.top() - 2 * middle) p.drawPixmap(QPointF(whole(start.x()), whole(y) - middle), dots_);
}

void GraphView::drawForeground(QPainter* p, const QRectF& exposed) {
  scene_.paintLabels(*p, exposed, zoom());
  if (scene_.ghost()) paintGhost(*p, scene_, *scene_.ghost());
  if (gesture_) gesture_->paint(*p);
  if (sentence_.isEmpty()) return;
  const Theme& t = theme();
  p->save();
  p->resetTransform();
  const QFont f = ui::font(TextRole::secondary);
  QRectF pill(viewportTransform().map(sentenceAt_) + QPointF(14, -36),
              QSizeF(QFontMetricsF(f).horizontalAdvance(sentence_) + 24, 28));
  pill.moveLeft(std::max(8.0, std::min(pill.left(), viewport()->width() - pill.width() - 8)));
  pill.moveTop(std::max(8.0, pill.top()));
  paintFloat(*p, pill, radius::control, sentenceWrong_ ? t.errorSoft : t.overlay, sentenceWrong_ ? t.error : t.border2);
  p->setFont(f);
  p->setPen(sentenceWrong_ ? t.error : t.text1);
  p->drawText(pill, Qt::AlignCenter, sentence_);
  p->restore();
}

}  // namespace nw::ui
