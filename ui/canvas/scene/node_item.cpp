// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/node_item.hpp"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

QString lowerFirst(QString text) {
  if (text.size() > 1 && text[0].isUpper() && !text[1].isUpper()) text[0] = text[0].toLower();
  return text;
}

QFont problemFont() {
  QFont f = font(TextRole::secondary);
  f.setWeight(QFont::Medium);
  return f;
}

constexpr qreal sidePadding = 12;

/// Settings that do not fit are removed one by one, from the end: "3×3 · pad 1 · …".
QString shortened(const QString& settings, qreal room) {
  const QString separator = QStringLiteral(" · ");
  const QFontMetricsF metrics(font(TextRole::secondary));
  QStringList parts = settings.split(separator);
  QString text = settings;
  while (parts.size() > 1 && metrics.horizontalAdvance(text) > room) {
    parts.removeLast();
    text = parts.join(separator) + separator + u'…';
  }
  return text;
}

/// The side on which a further input of Add or Concat is drawn: the side of the connection's source.
Side sideFor(const GraphScene& scene, NodeId id, int port) {
  const Graph& g = scene.graph();
  const double x = g.nodes.at(id).position.x;
  for (const Connection& c : scene.index().inputsOf(id))
    if (c.to_port == port) {
      const auto from = g.nodes.find(c.from);
      return from != g.nodes.end() && from->second.position.x < x - 1 ? Side::left : Side::right;
    }
  return Side::right;
}

}  // namespace

NodeItem::NodeItem(GraphScene& scene, NodeId id) : CanvasItem(scene), id_(id) {
  setFlag(ItemIsSelectable);
  refresh();
}

NodeItem::Line NodeItem::line(const QString& text, const QFont& font, qreal room) {
  Line result;
  const QFontMetricsF metrics(font);
  const QString fitted = room < 0 ? text : metrics.elidedText(text, Qt::ElideRight, room);
  result.font = font;
  result.width = metrics.horizontalAdvance(fitted);
  result.text.setTextFormat(Qt::PlainText);
  result.text.setText(fitted);
  result.text.prepare(QTransform(), font);
  return result;
}

bool NodeItem::refresh() {
  const Node& node = scene_.graph().nodes.at(id_);
  if (!editPreview_) setPos(node.position.x, node.position.y + slide_);
  const QRectF before = outline();
  const NodeInfo* facts = scene_.facts(id_);
  facts_ = facts ? std::optional(*facts) : std::nullopt;
  hadProblems_ = !scene_.index().problems(id_).empty();
  const NodeText look =
      makeNodeText(scene_.doc(), scene_.scope(), id_, facts, scene_.index().problems(id_), scene_.index().ends(id_));
  QVector<Side> sides(look.inputs, Side::top);
  if (isVariadic(node.type) && look.inputs == 2) sides[1] = sideFor(scene_, id_, 1);
  if (look == look_ && sides == sides_) return false;
  prepareGeometryChange();
  const bool moved = look.inputs != look_.inputs || look.outputs != look_.outputs || sides != sides_;
  look_ = look;
  sides_ = sides;
  laidOut_ = false;
  if (look_.state == NodeState::error) ensureLaidOut();  // the error strip is part of the outline
  raise();
  update();
  return moved || outline() != before;
}

bool NodeItem::refreshFacts() {
  const NodeInfo* facts = scene_.facts(id_);
  const bool same = facts ? facts_ && *facts_ == *facts : !facts_;
  if (same && !hadProblems_ && scene_.index().problems(id_).empty()) return false;
  const bool moved = refresh();
  update();
  return moved;
}

void NodeItem::ensureLaidOut() const {
  if (!std::exchange(laidOut_, true)) layOut();
}

bool NodeItem::setSlide(qreal down) {
  if (std::abs(down - slide_) < 0.5) return false;
  setPos(pos() + QPointF(0, down - slide_));
  slide_ = down;
  return true;
}

void NodeItem::layOut() const {
  const qreal textX = look_.compact ? card::compactTileX + card::compactTile + 10 : card::tileX + card::tile + 11;
  const qreal room = card::width - textX - sidePadding;
  QFont strong = font(TextRole::button);
  count_ = line(look_.count, strong, -1);
  unit_ = line(look_.count.isEmpty() ? QString() : canvasText(QT_TRANSLATE_NOOP("canvas", "params")),
               font(TextRole::axis), -1);
  repeat_ = line(look_.repeat > 1 ? QStringLiteral("×%1").arg(look_.repeat) : QString(), strong, -1);
  const qreal repeated = look_.repeat > 1 ? repeat_.width + 20 : 0;
  const qreal named = QFontMetricsF(font(TextRole::node)).horizontalAdvance(look_.title) + 7 +
                      QFontMetricsF(font(TextRole::secondary)).horizontalAdvance(look_.name);
  // the name has priority over the state's word
  if (count_.width + 4 + unit_.width + 10 + repeated + named > room) unit_ = line({}, font(TextRole::axis), -1);
  const qreal counted = look_.count.isEmpty() ? 0 : count_.width + (unit_.width > 0 ? unit_.width + 4 : 0) + 10;
  title_ = line(look_.title, font(TextRole::node), room - counted - repeated);
  name_ = line(look_.name, font(TextRole::secondary), std::max<qreal>(0, room - counted - repeated - title_.width - 7));
  const qreal beside = room - counted - repeated - title_.width - name_.width - 17;
  const QFontMetricsF small(font(TextRole::secondary));
  const bool space =
      !look_.compact || small.horizontalAdvance(look_.settings.section(QStringLiteral(" · "), 0, 0)) < beside;
  const QString second = look_.state == NodeState::warning && !look_.compact ? look_.problem : look_.settings;
  settings_ = line(space ? shortened(second, look_.compact ? beside : room) : QString(), font(TextRole::secondary),
                   look_.compact ? beside : room);
  problem_ = Line{};
  if (look_.state != NodeState::error) return;
  problem_.font = problemFont();
  problem_.text.setTextFormat(Qt::PlainText);
  problem_.text.setTextWidth(card::width - 2 * card::stripPadding);
  problem_.text.setText(look_.problem);
  problem_.text.prepare(QTransform(), problem_.font);
  const QString repair = look_.fixes.isEmpty()
                             ? QString()
                             : canvasText(QT_TRANSLATE_NOOP("canvas", "Fix: %1")).arg(lowerFirst(look_.fixes.first()));
  other_ = line(look_.fixes.size() > 1 ? canvasText(QT_TRANSLATE_NOOP("canvas", "Other…")) : QString(),
                font(TextRole::button), -1);
  const qreal otherRoom = look_.fixes.size() > 1 ? other_.width + 24 : 0;
  fix_ = line(repair, font(TextRole::button), card::width - 2 * card::stripPadding - otherRoom - 38);
}

QRectF NodeItem::card() const {
  if (look_.dot) return {-card::dotWidth / 2, -card::dotHeight / 2, card::dotWidth, card::dotHeight};
  const qreal h = look_.compact ? card::compactHeight : card::height;
  return {-card::width / 2, -h / 2, card::width, h};
}

qreal NodeItem::stripHeight() const {
  if (look_.state != NodeState::error || look_.dot) return 0;
  const qreal words = std::max(card::stripLine, problem_.text.size().height());
  return words + (look_.fixes.isEmpty() ? 16 : 16 + 6 + card::stripButton);
}

QRectF NodeItem::strip() const {
  const QRectF c = card();
  return {c.left(), c.bottom(), c.width(), stripHeight()};
}

QRectF NodeItem::outline() const { return card().united(strip()).translated(pos()); }

QRectF NodeItem::room() const {
  const QRectF below = strip().translated(pos());
  if (below.isEmpty()) return outline();
  const bool crowded =
      std::any_of(scene_.elements().nodes().begin(), scene_.elements().nodes().end(), [&](const auto& other) {
        return other.second != this && other.second->card().translated(other.second->pos()).intersects(below);
      });
  return crowded ? card().translated(pos()) : outline();
}

QRectF NodeItem::boundingRect() const { return card().united(strip()).adjusted(-10, -10, 10, 12); }

QRectF NodeItem::button(Part part) const {
  if (look_.state != NodeState::error || look_.fixes.isEmpty() || look_.dot) return {};
  const QRectF s = strip();
  const QRectF fix(s.left() + card::stripPadding, s.bottom() - 9 - card::stripButton, fix_.width + 38,
                   card::stripButton);
  if (part == Part::fix) return fix;
  if (part != Part::other || look_.fixes.size() < 2) return {};
  return {fix.right() + 6, fix.top(), other_.width + 18, card::stripButton};
}

QRectF NodeItem::partRect(Part part) const {
  const QRectF r = part == Part::body ? card() : button(part);
  return r.isEmpty() ? QRectF() : r.translated(pos());
}

NodeItem::Part NodeItem::partAt(QPointF scene) const {
  const QPointF p = scene - pos();
  if (button(Part::fix).contains(p)) return Part::fix;
  if (button(Part::other).contains(p)) return Part::other;
  return card().united(strip()).contains(p) ? Part::body : Part::none;
}

Side NodeItem::sideOf(bool output, int port) const {
  if (output) return Side::bottom;
  return port < sides_.size() ? sides_[port] : Side::top;
}

ConnectionEnd NodeItem::end(bool output, int port) const {
  const QRectF c = card();
  const Side side = sideOf(output, port);
  const QRectF outer = room();
  if (side == Side::left) return {pos() + QPointF(c.left(), 0), side, outer};
  if (side == Side::right) return {pos() + QPointF(c.right(), 0), side, outer};
  int count = output ? look_.outputs : look_.inputs, index = port;
  if (!output)
    count -= static_cast<int>(std::count_if(sides_.begin(), sides_.end(), [](Side s) { return s != Side::top; }));
  count = std::max({count, index + 1, 1});
  const qreal x = c.left() + c.width() * (index + 1) / (count + 1);
  return {QPointF(pos().x() + x, output ? outer.bottom() : pos().y() + c.top()), side, outer};
}

QString NodeItem::spoken(int position, int count) const {
  QString text =
      canvasText(QT_TRANSLATE_NOOP("canvas", "%1 %2, %3 of %4")).arg(look_.title, look_.name).arg(position).arg(count);
  if (const NodeInfo* facts = scene_.facts(id_); facts && facts->output.rank() > 0)
    text += canvasText(QT_TRANSLATE_NOOP("canvas", ", output %1")).arg(shapeText(facts->output));
  if (look_.opaque) text += canvasText(QT_TRANSLATE_NOOP("canvas", ", not computed"));
  if (look_.bypassed) text += canvasText(QT_TRANSLATE_NOOP("canvas", ", bypassed"));
  if (look_.frozen) text += canvasText(QT_TRANSLATE_NOOP("canvas", ", frozen"));
  if (look_.state == NodeState::error)
    text += canvasText(QT_TRANSLATE_NOOP("canvas", ", error: %1")).arg(look_.problem);
  if (look_.state == NodeState::warning)
    text += canvasText(QT_TRANSLATE_NOOP("canvas", ", warning: %1")).arg(look_.problem);
  return text;
}

void NodeItem::setHovered(bool on, Part part) {
  if (hovered_ == on && hot_ == part) return;
  hovered_ = on;
  hot_ = part;
  update();
}

void NodeItem::setHints(bool output, const QVector<PortHint>& hints) {
  (output ? outputHints_ : inputHints_) = hints;
  update();
}

void NodeItem::clearHints() {
  if (inputHints_.isEmpty() && outputHints_.isEmpty()) return;
  inputHints_.clear();
  outputHints_.clear();
  update();
}

void NodeItem::setEditPreview(bool on) {
  editPreview_ = on;
  raise();
  update();
}

/// The node's connections are highlighted with the node.
QVariant NodeItem::itemChange(GraphicsItemChange change, const QVariant& value) {
  if (change == ItemSelectedHasChanged)
    for (ConnectionItem* connection : scene_.elements().connectionsOf(id_)) connection->light();
  return CanvasItem::itemChange(change, value);
}

void NodeItem::raise() { setZValue(editPreview_ ? 4 : look_.state == NodeState::error ? 3 : 2); }

}  // namespace nw::ui
