// SPDX-License-Identifier: GPL-3.0-or-later
// Painting a node at four levels of detail.
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionGraphicsItem>

#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/scene/paint_cache.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

class NodePainter {
 public:
  NodePainter(const NodeItem& item, QPainter& painter, qreal zoom)
      : n_(item),
        look_(item.look_),
        p_(painter),
        t_(theme()),
        zoom_(zoom),
        card_(item.card()),
        whole_(card_.united(item.strip())) {}

  void paint() {
    if (look_.dot) return dot();
    if (zoom_ < card::blocksBelow) return block();
    if (look_.bypassed) p_.setOpacity(0.5);
    ground();
    if (look_.state == NodeState::error) strip();
    if (zoom_ < card::barsBelow)
      bars();
    else
      content();
    p_.setOpacity(1);
    ports();
  }

 private:
  /// The background that hundreds of nodes share is cached; that of a node with an error, an edit preview or a heatmap
  /// colour is painted each time, because it is the only one of its kind.
  void ground() {
    const auto draw = [this](QPainter& p) {
      NodePainter own(n_, p, zoom_);
      if (zoom_ >= card::noShadowBelow) own.shadow();
      own.body();
    };
    if (failing() || n_.editPreview_ || n_.scene_.display().heat(n_.id_)) return draw(p_);
    const QString key = QStringLiteral("card/%1%2%3%4%5%6%7")
                            .arg(look_.compact)
                            .arg(look_.opaque)
                            .arg(look_.block)
                            .arg(look_.bypassed)
                            .arg(look_.frozen)
                            .arg(n_.isSelected())
                            .arg(n_.hovered_);
    paintCached(p_, key, whole_.adjusted(-8, -8, 8, 12), draw);
  }

  bool failing() const { return look_.state == NodeState::error; }
  qreal radius() const { return look_.compact ? radius::compact : radius::node; }

  void block() {
    const HeatmapValue* heat = n_.scene_.display().heat(n_.id_);
    p_.fillRect(whole_, failing() ? t_.error
                        : heat    ? heatmapColour(t_, heat->share)
                                  : blend(t_.canvas, t_.group(look_.group), look_.bypassed ? 0.35 : 0.8));
    if (n_.isSelected()) outline(t_.ring, 2 / zoom_, 3 / zoom_, 0);
  }

  void dot() {
    const QColor ink = failing() ? t_.error : n_.isSelected() ? t_.ring : n_.hovered_ ? t_.text2 : connectionColour(t_);
    const qreal lead = card_.height() / 2;
    if (look_.bypassed) p_.setOpacity(0.5);
    p_.setPen(QPen(ink, card::imageConnection, Qt::SolidLine, Qt::FlatCap));
    p_.drawLine(QPointF(0, -lead), QPointF(0, lead));
    if (n_.isSelected()) {
      QColor halo = t_.ring;
      halo.setAlphaF(t_.dark ? 0.28 : 0.2);
      p_.setPen(Qt::NoPen);
      p_.setBrush(halo);
      p_.drawEllipse(QPointF(), card::dotRadius + 4, card::dotRadius + 4);
    }
    p_.setPen(QPen(ink, 1.8));
    p_.setBrush(t_.raised);
    p_.drawEllipse(QPointF(), card::dotRadius, card::dotRadius);
    p_.setOpacity(1);
    if (!n_.inputHints_.isEmpty() || !n_.outputHints_.isEmpty()) ports();
  }

  void outline(const QColor& colour, qreal width, qreal grow, qreal r) {
    p_.setPen(QPen(colour, width));
    p_.setBrush(Qt::NoBrush);
    p_.drawRoundedRect(whole_.adjusted(-grow, -grow, grow, grow), r, r);
  }

  void shadow() {
    p_.setPen(Qt::NoPen);
    const int steps = n_.editPreview_ ? 7 : 1;
    QColor dark(0, 0, 0, t_.dark ? 56 : 15);
    if (n_.editPreview_) dark.setAlpha(t_.dark ? 20 : 8);
    p_.setBrush(dark);
    for (int i = steps; i > 0; --i) {
      const qreal grow = n_.editPreview_ ? i * 1.6 : 0.5;
      p_.drawRoundedRect(whole_.adjusted(-grow, -grow + 1.5, grow, grow + 1.5), radius() + grow, radius() + grow);
    }
  }

  void body() {
    if (look_.block) stackedEdge();
    if (n_.isSelected()) {
      QColor halo = t_.ring;
      halo.setAlphaF(t_.dark ? 0.28 : 0.2);
      p_.setPen(Qt::NoPen);
      p_.setBrush(halo);
      p_.drawRoundedRect(whole_.adjusted(-4, -4, 4, 4), radius() + 4, radius() + 4);
    }
    QPen pen(t_.border2, 1);
    if (n_.hovered_) pen.setColor(t_.border3);
    if (failing()) pen = QPen(t_.error, 1.6);
    if (n_.isSelected()) pen = QPen(failing() ? t_.error : t_.ring, 1.6);
    if (look_.bypassed || look_.opaque) pen.setStyle(Qt::DashLine);
    p_.setPen(pen);
    p_.setBrush(groundColour());
    p_.drawRoundedRect(whole_, radius(), radius());
    if (look_.frozen) hatch(t_.border1, Qt::BDiagPattern);
    if (look_.opaque) hatch(t_.border2, Qt::FDiagPattern);
  }

  void hatch(const QColor& colour, Qt::BrushStyle lines) {
    p_.setPen(Qt::NoPen);
    p_.setBrush(QBrush(colour, lines));
    p_.drawRoundedRect(whole_, radius(), radius());
  }

  QColor groundColour() const {
    const HeatmapValue* heat = n_.scene_.display().heat(n_.id_);
    return heat ? heatmapFill(t_, heat->share) : t_.raised;
  }
  QColor ink(const QColor& colour) const { return inkOn(t_, groundColour(), colour); }

  void stackedEdge() {
    p_.setPen(QPen(t_.border2, 1));
    p_.setBrush(t_.raised);
    for (const qreal down : {6.0, 3.0}) p_.drawRoundedRect(whole_.adjusted(down, 0, -down, down), radius(), radius());
  }

  QRectF tile() const {
    const qreal size = look_.compact ? card::compactTile : card::tile,
                x = look_.compact ? card::compactTileX : card::tileX;
    return {card_.left() + x, card_.center().y() - size / 2, size, size};
  }

  void bars() {
    const QRectF where = tile();
    p_.setPen(Qt::NoPen);
    p_.setBrush(blend(t_.raised, t_.group(look_.group), 0.55));
    p_.drawRoundedRect(where, 5, 5);
    p_.setBrush(t_.text3);
    const qreal x = where.right() + 11;
    p_.drawRoundedRect(QRectF(x, card_.center().y() - (look_.compact ? 3 : 12), 110, 7), 3, 3);
    if (look_.compact) return;
    p_.setBrush(t_.border3);
    p_.drawRoundedRect(QRectF(x, card_.center().y() + 5, 80, 6), 3, 3);
  }

  void text(const NodeItem::Line& line, qreal x, qreal middle, const QColor& colour) {
    if (line.width <= 0) return;
    p_.setFont(line.font);
    p_.setPen(colour);
    p_.drawStaticText(QPointF(x, middle - line.text.size().height() / 2), line.text);
  }

  void content() {
    n_.ensureLaidOut();
    const QRectF where = tile();
    const QImage& sample = n_.scene_.display().sample();
    if (const QImage* output = n_.scene_.display().output(n_.id_))
      paintSample(p_, *output, where, look_.compact ? card::compactTileRadius : card::tileRadius);
    else if (look_.type == "Input" && !sample.isNull() && !look_.compact)
      paintSample(p_, sample, where, card::tileRadius);
    else
      paintTile(p_, look_.icon, look_.group, where, look_.compact ? card::compactTileRadius : card::tileRadius);
    badge(where);
    words(where.right() + (look_.compact ? 10 : 11));
  }

  void words(qreal x) {
    const qreal first = look_.compact ? card_.center().y() : card_.center().y() - 10;
    text(n_.title_, x, first, t_.text1);
    qreal next = x + n_.title_.width + 7;
    if (look_.repeat > 1) {
      const QRectF pill(next, first - 8.5, n_.repeat_.width + 12, 17);
      p_.setPen(Qt::NoPen);
      p_.setBrush(t_.accentSoft);
      p_.drawRoundedRect(pill, radius::pill, radius::pill);
      text(n_.repeat_, pill.left() + 6, first, t_.accentText);
      next = pill.right() + 7;
    }
    text(n_.name_, next, first + 0.5, ink(t_.text3));
    const qreal second = look_.compact ? first : card_.center().y() + 9.5;
    text(n_.settings_, look_.compact ? next + n_.name_.width + 10 : x, second,
         ink(look_.state == NodeState::warning ? t_.warn : t_.text2));
    if (const HeatmapValue* heat = n_.scene_.display().heat(n_.id_)) {
      p_.setFont(font(TextRole::button));
      p_.setPen(t_.text1);
      return p_.drawText(QRectF(card_.left(), first - 9, card_.width() - 12, 18), Qt::AlignVCenter | Qt::AlignRight,
                         heat->text);
    }
    if (look_.count.isEmpty() || !n_.scene_.display().showCounts()) return;
    const qreal right = card_.right() - 12;
    text(n_.unit_, right - n_.unit_.width, first + 0.5, t_.text3);
    text(n_.count_, right - (n_.unit_.width > 0 ? n_.unit_.width + 4 : 0) - n_.count_.width, first, t_.text1);
  }

  void badge(const QRectF& where) {
    const QRectF at(where.right() - 7.5, where.bottom() - 7.5, card::badge, card::badge);
    if (failing()) return paintBadge(p_, Badge::error, at);
    if (look_.state == NodeState::warning) return paintBadge(p_, Badge::warning, at);
    if (look_.frozen) return paintBadge(p_, Badge::frozen, at);
    if (look_.state == NodeState::fine && !look_.compact) paintBadge(p_, Badge::fine, at);
  }

  void strip() {
    const QRectF s = n_.strip().adjusted(0.8, 0, -0.8, -0.8);
    QPainterPath path;
    path.moveTo(s.topLeft());
    path.lineTo(s.topRight());
    path.lineTo(s.right(), s.bottom() - radius());
    path.quadTo(s.bottomRight(), {s.right() - radius(), s.bottom()});
    path.lineTo(s.left() + radius(), s.bottom());
    path.quadTo(s.bottomLeft(), {s.left(), s.bottom() - radius()});
    path.closeSubpath();
    p_.fillPath(path, t_.errorSoft);
    p_.setPen(QPen(blend(t_.errorSoft, t_.error, 0.45), 1));
    p_.drawLine(s.topLeft(), s.topRight());
    if (zoom_ < card::barsBelow) return;
    p_.setFont(n_.problem_.font);
    p_.setPen(blend(t_.error, t_.text1, t_.dark ? 0.35 : 0));
    p_.drawStaticText(QPointF(s.left() + card::stripPadding, s.top() + 8), n_.problem_.text);
    buttons();
  }

  void buttons() {
    const QRectF fix = n_.button(NodeItem::Part::fix), other = n_.button(NodeItem::Part::other);
    if (fix.isEmpty()) return;
    p_.setPen(Qt::NoPen);
    p_.setBrush(n_.hot_ == NodeItem::Part::fix ? blend(t_.accent, t_.onAccent, 0.12) : t_.accent);
    p_.drawRoundedRect(fix, radius::control, radius::control);
    paintIcon(p_, QStringLiteral("wand"), QRectF(fix.left() + 9, fix.center().y() - 7, 14, 14), t_.onAccent);
    text(n_.fix_, fix.left() + 28, fix.center().y(), t_.onAccent);
    if (other.isEmpty()) return;
    p_.setPen(QPen(blend(t_.errorSoft, t_.error, n_.hot_ == NodeItem::Part::other ? 0.7 : 0.45), 1));
    p_.setBrush(Qt::NoBrush);
    p_.drawRoundedRect(other, radius::control, radius::control);
    text(n_.other_, other.left() + 9, other.center().y(), t_.text1);
  }

  void ports() {
    if (zoom_ < card::barsBelow && n_.inputHints_.isEmpty() && n_.outputHints_.isEmpty()) return;
    for (int i = 0; i < look_.inputs; ++i)
      port(false, i, i < n_.inputHints_.size() ? n_.inputHints_[i] : PortHint::none);
    for (int i = 0; i < look_.outputs; ++i)
      port(true, i, i < n_.outputHints_.size() ? n_.outputHints_[i] : PortHint::none);
  }

  void port(bool output, int index, PortHint hint) {
    const QPointF at = n_.portPosition(output, index) - n_.pos();
    if (hint == PortHint::fits) return glowingPort(at);
    if (hint == PortHint::wrong) return paintCross(p_, at, 5, t_.error, t_.canvas);
    const bool connected = n_.scene_.index().isConnected(PortRef{n_.id_, output, index});
    const bool broken = connected && n_.scene_.index().isBroken(PortRef{n_.id_, output, index});
    const QColor colour = broken ? t_.error : connectionColour(t_);
    const qreal r = connected ? card::port / 2 + 0.4 : card::port / 2 - 0.7;
    if (!connected && !output && look_.inputs > 1 && isVariadic(look_.type.toStdString())) p_.setOpacity(0.7);
    paintCached(p_, QStringLiteral("port/%1%2").arg(connected).arg(broken), QRectF(at.x() - 6, at.y() - 6, 12, 12),
                [&](QPainter& p) {
                  p.setPen(QPen(connected ? t_.canvas : colour, connected ? 0.8 : 1.4));
                  p.setBrush(connected ? colour : t_.canvas);
                  p.drawEllipse(at, r, r);
                });
    p_.setOpacity(1);
  }

  void glowingPort(QPointF at) {
    QColor glow = t_.ring;
    glow.setAlphaF(0.3);
    p_.setPen(Qt::NoPen);
    p_.setBrush(glow);
    p_.drawEllipse(at, card::portGrown / 2 + 4, card::portGrown / 2 + 4);
    p_.setBrush(t_.ring);
    p_.drawEllipse(at, card::portGrown / 2, card::portGrown / 2);
  }

  const NodeItem& n_;
  const NodeText& look_;
  QPainter& p_;
  const Theme& t_;
  qreal zoom_;
  QRectF card_, whole_;
};

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  NodePainter(*this, *painter, QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform())).paint();
}

}  // namespace nw::ui
