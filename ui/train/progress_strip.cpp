// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/progress.hpp"
#include "ui/train/severity_style.hpp"

namespace nw::ui {

namespace {
constexpr int strip_height = 68, state_width = 288, most_marks = 120;

/// Writes text and returns where the next word may start.
qreal word(QPainter& p, qreal x, qreal baseline, const QString& text, const QFont& f, const QColor& colour) {
  p.setFont(f);
  p.setPen(colour);
  p.drawText(QPointF(x, baseline), text);
  return x + QFontMetricsF(f).horizontalAdvance(text);
}

qreal advance(const QString& text, const QFont& f) { return QFontMetricsF(f).horizontalAdvance(text); }
}  // namespace

ProgressStrip::ProgressStrip(QWidget* parent) : QWidget(parent) { setFixedHeight(strip_height); }

void ProgressStrip::setProgress(const Progress& progress, FeedPhase phase) {
  progress_ = progress;
  phase_ = phase;
  setToolTip(progress.device);
  setAccessibleName(QStringList{progress.state, progress.run, progress.epoch, progress.ofEpochs}.join(u' '));
  update();
}

void ProgressStrip::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.fillRect(rect(), theme().window);
  p.fillRect(QRectF(0, height() - 1, width(), 1), theme().border1);
  paintState(p, QRectF(0, 0, state_width, strip_height));
  const qreal figures = paintFigures(p, width() - 24);
  paintProgress(p, QRectF(state_width + 18, 0, figures - state_width - 46, strip_height));
}

void ProgressStrip::paintState(QPainter& p, const QRectF& where) const {
  const QPointF dot(where.left() + 26, 25);
  p.setPen(Qt::NoPen);
  p.setBrush(severityBackground(progress_.tone));
  p.drawEllipse(dot, 8, 8);
  p.setBrush(severityColour(progress_.tone));
  p.drawEllipse(dot, 4.5, 4.5);
  const qreal x = word(p, 44, 30, progress_.state, ui::font(TextRole::title), theme().text1);
  const QFont name = ui::font(TextRole::body);
  const qreal room = where.right() - x - 10;
  if (room > 20)
    word(p, x + 8, 30, QFontMetricsF(name).elidedText(progress_.run, Qt::ElideRight, room), name, theme().text3);
  const QFont small = ui::font(TextRole::secondary);
  word(p, 44, 50, QFontMetricsF(small).elidedText(progress_.details, Qt::ElideRight, where.right() - 54), small,
       theme().text2);
}

void ProgressStrip::paintProgress(QPainter& p, const QRectF& where) const {
  if (progress_.epochs <= 0 || where.width() < 120) return;
  const QFont bold = ui::font(TextRole::node), plain = ui::font(TextRole::body);
  qreal x = word(p, where.left(), 29, progress_.epoch, bold, theme().text1);
  x = word(p, x + 5, 29, progress_.ofEpochs, plain, theme().text2);
  qreal right = where.right();
  if (!progress_.left.isEmpty()) {
    right -= advance(progress_.left, bold);
    word(p, right, 29, progress_.left, bold, theme().text1);
    right -= 16;
  }
  right -= advance(progress_.elapsed, plain);
  const bool roomForTime = right > x + 12;
  if (roomForTime) word(p, right, 29, progress_.elapsed, plain, theme().text2);
  const qreal stepWidth = advance(progress_.step, bold) + 5 + advance(progress_.ofSteps, plain);
  if (x + 20 + stepWidth < right - 12) {
    x = word(p, x + 20, 29, progress_.step, bold, theme().text1);
    word(p, x + 5, 29, progress_.ofSteps, plain, theme().text2);
  }
  paintBar(p, QRectF(where.left(), 40, where.width(), 8));
}

void ProgressStrip::paintBar(QPainter& p, const QRectF& bar) const {
  QPainterPath shape;
  shape.addRoundedRect(bar, 3, 3);
  p.save();
  p.setClipPath(shape);
  p.fillRect(bar, theme().dark ? theme().chosen : theme().border1);
  const QColor done = phase_ == FeedPhase::failed || phase_ == FeedPhase::interrupted ? theme().text3 : theme().accent;
  p.fillRect(QRectF(bar.left(), bar.top(), bar.width() * progress_.fraction, bar.height()), done);
  if (progress_.epochs <= most_marks)
    for (std::int64_t e = 1; e < progress_.epochs; ++e)
      p.fillRect(QRectF(bar.left() + bar.width() * static_cast<qreal>(e) / static_cast<qreal>(progress_.epochs),
                        bar.top(), 1, bar.height()),
                 theme().window);
  p.restore();
  if (progress_.best < 0) return;
  const qreal x = std::clamp(bar.left() + bar.width() * progress_.best, bar.left() + 6, bar.right() - 6);
  paintIcon(p, QStringLiteral("star-filled"), QRectF(x - 5.5, bar.bottom() + 2, 11, 11),
            severityColour(QStringLiteral("best")));
}

/// From the right; returns the left edge.
qreal ProgressStrip::paintFigures(QPainter& p, qreal right) const {
  const QFont caption = ui::font(TextRole::secondary), value = ui::font(TextRole::figure);
  for (auto it = progress_.figures.rbegin(); it != progress_.figures.rend(); ++it) {
    const qreal valueWidth = advance(it->value, value) + (it->unit.isEmpty() ? 0 : 6 + advance(it->unit, caption));
    const qreal wide = std::max(advance(it->caption, caption), valueWidth);
    if (right - wide < state_width + 320) break;
    const qreal left = right - wide;
    word(p, left, 28, it->caption, caption, theme().text2);
    const qreal x = word(p, left, 50, it->value, value, theme().text1);
    word(p, x + 6, 50, it->unit, caption, theme().text2);
    p.fillRect(QRectF(left - 20, 14, 1, 40), theme().border2);
    right = left - 38;
  }
  return right + 18;
}

}  // namespace nw::ui
