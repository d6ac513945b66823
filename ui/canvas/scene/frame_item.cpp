// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/frame_item.hpp"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_tools.hpp"

namespace nw::ui {
namespace {

constexpr const char* templateTitles[] = {
    QT_TRANSLATE_NOOP("FrameTitle", "Hidden layers"),
    QT_TRANSLATE_NOOP("FrameTitle", "Classifier"),
    QT_TRANSLATE_NOOP("FrameTitle", "Odd or even"),
    QT_TRANSLATE_NOOP("FrameTitle", "Feature extractor"),
    QT_TRANSLATE_NOOP("FrameTitle", "Stem"),
    QT_TRANSLATE_NOOP("FrameTitle", "Residual stages"),
    QT_TRANSLATE_NOOP("FrameTitle", "Inverted residuals"),
};

void paintHandle(QPainter& p, QSizeF size, const QColor& colour) {
  p.setPen(QPen(colour, 1.2, Qt::SolidLine, Qt::RoundCap));
  const QPointF corner(size.width() - 4, size.height() - 4);
  for (const qreal d : {4.0, 8.0}) p.drawLine(corner - QPointF(d, 0), corner - QPointF(0, d));
}

}  // namespace

QString frameTitle(const std::string& title) {
  for (const char* known : templateTitles)
    if (title == known) return QCoreApplication::translate("FrameTitle", known);
  const QString text = QString::fromStdString(title);
  bool numbered = false;
  const int stage = text.startsWith(QLatin1String("Stage ")) ? text.mid(6).toInt(&numbered) : 0;
  return numbered ? QCoreApplication::translate("FrameTitle", "Stage %1").arg(stage) : text;
}

BoxItem::BoxItem(GraphScene& scene, ItemId id) : CanvasItem(scene), id_(id) { setFlag(ItemIsSelectable); }

QRectF BoxItem::handle() const {
  const QRectF r = outline();
  return {r.right() - card::handle, r.bottom() - card::handle, card::handle, card::handle};
}

void BoxItem::setOutline(const QRectF& rect) {
  if (rect == outline()) return update();
  prepareGeometryChange();
  setPos(rect.topLeft());
  size_ = rect.size();
  update();
}

FrameItem::FrameItem(GraphScene& scene, ItemId id) : BoxItem(scene, id) {
  setZValue(0);
  refresh();
}

void FrameItem::refresh() {
  const Rect& r = scene_.graph().frames.at(id_).rect;
  QRectF whole(r.x, r.y, r.width, r.height);
  const QRectF drawn = whole;
  for (const auto& [id, item] : scene_.elements().nodes())
    if (item->slide() > 0 && drawn.contains(item->pos() - QPointF(0, item->slide())))
      whole.setBottom(std::max(whole.bottom(), item->outline().bottom() + card::framePadding));
  setOutline(whole);
}

bool FrameItem::grabs(QPointF scene) const {
  const QRectF r = outline();
  return QRectF(r.topLeft(), QSizeF(r.width(), card::frameHeader)).contains(scene);
}

std::vector<NodeId> FrameItem::content() const {
  std::vector<NodeId> inside;
  for (const auto& [id, item] : scene_.elements().nodes())
    if (outline().contains(item->pos())) inside.push_back(id);
  return inside;
}

bool FrameItem::isTemplate() const {
  const std::vector<NodeId> inside = content();
  if (inside.empty()) return false;
  const auto within = [&](NodeId id) { return std::binary_search(inside.begin(), inside.end(), id); };
  for (const NodeId id : inside)
    if (groupOf(scene_.graph().nodes.at(id)) == "Input") return false;
  const auto& wires = scene_.graph().connections;
  return std::none_of(wires.begin(), wires.end(), [&](const Connection& c) { return within(c.from) != within(c.to); });
}

void FrameItem::paint(QPainter* p, const QStyleOptionGraphicsItem*, QWidget*) {
  const Theme& t = theme();
  const qreal zoom = QStyleOptionGraphicsItem::levelOfDetailFromTransform(p->worldTransform());
  const bool loose = isTemplate();
  said_ = content().size();
  QPen pen(isSelected() ? t.ring : loose ? t.border3 : t.border2, isSelected() ? 1.6 : 1);
  if (loose) pen.setStyle(Qt::DashLine);
  p->setPen(pen);
  p->setBrush(blend(t.canvas, t.window, 0.55));
  p->drawRoundedRect(QRectF(QPointF(), size_), radius::frame, radius::frame);
  if (zoom < card::blocksBelow) return;
  const QRectF header(card::framePadding, 2, size_.width() - 2 * card::framePadding, card::frameHeader);
  const QFont strong = font(TextRole::button);
  const QString title =
      QFontMetricsF(strong).elidedText(frameTitle(scene_.graph().frames.at(id_).title), Qt::ElideRight, header.width());
  p->setFont(strong);
  p->setPen(t.text2);
  p->drawText(header, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, title);
  const int layers = static_cast<int>(said_);
  const QString muted = loose ? QCoreApplication::translate("canvas", "template")
                              : QCoreApplication::translate("canvas", "%n layer(s)", nullptr, layers);
  p->setFont(font(TextRole::secondary));
  p->setPen(t.text3);
  const qreal x = QFontMetricsF(strong).horizontalAdvance(title) + 8;
  p->drawText(header.adjusted(x, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, muted);
  if (isSelected()) paintHandle(*p, size_, t.ring);
}

NoteItem::NoteItem(GraphScene& scene, ItemId id) : BoxItem(scene, id) {
  setZValue(0.5);
  refresh();
}

void NoteItem::refresh() {
  const Rect& r = scene_.graph().notes.at(id_).rect;
  setOutline({r.x, r.y, r.width, r.height});
}

void NoteItem::paint(QPainter* p, const QStyleOptionGraphicsItem*, QWidget*) {
  const Theme& t = theme();
  const QRectF card(QPointF(), size_);
  p->setPen(QPen(isSelected() ? t.ring : t.border2, isSelected() ? 1.6 : 1));
  p->setBrush(t.warnSoft);
  p->drawRoundedRect(card, radius::compact, radius::compact);
  if (QStyleOptionGraphicsItem::levelOfDetailFromTransform(p->worldTransform()) < card::barsBelow) return;
  p->setFont(font(TextRole::body));
  p->setPen(t.text1);
  p->drawText(card.adjusted(10, 8, -10, -8), Qt::TextWordWrap,
              QString::fromStdString(scene_.graph().notes.at(id_).text));
  if (isSelected()) paintHandle(*p, size_, t.ring);
}

}  // namespace nw::ui
