// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/lanes/step_timeline.hpp"

#include <QPainter>
#include <algorithm>

#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/style.hpp"

namespace nw::ui {
namespace {

constexpr int titleHeight = 30, axisHeight = 22, widestRow = 30, mostLanesAtFullHeight = 4, leastNameWidth = 66,
              mostNameWidth = 150, rightRoom = 16;
constexpr int mostPassesPainted = 4000;  // of a lane; more are narrower than a pixel

int rowHeight(int lanes) { return lanes > mostLanesAtFullHeight ? 18 : widestRow; }

void hatch(QPainter& p, const QRectF& area) {
  p.setPen(Qt::NoPen);
  p.setBrush(QBrush(theme().border3, Qt::BDiagPattern));
  p.setOpacity(0.55);
  p.drawRect(area);
  p.setOpacity(1);
}

qreal legend(QPainter& p, qreal right, qreal middle, const QString& text, const QColor& colour) {
  const qreal width = textWidth(p.font(), text);
  p.setPen(theme().text2);
  p.drawText(QRectF(right - width, middle - 10, width, 20), Qt::AlignVCenter | Qt::AlignLeft, text);
  const QRectF mark(right - width - 20, middle - 5, 14, 10);
  if (colour.isValid())
    style::box(p, mark, 2, colour, QColor(0, 0, 0, 0));
  else
    hatch(p, mark);
  return mark.left() - 16;
}

}  // namespace

StepTimeline::StepTimeline(Placement& placement, const LaneBoard& board, QWidget* parent)
    : QWidget(parent), placement_(placement), board_(board) {
  setObjectName(QStringLiteral("stepTimeline"));
  connect(&placement_, &Placement::changed, this, &StepTimeline::refresh);
  connect(&board_, &LaneBoard::effectChanged, this, qOverload<>(&QWidget::update));
  refresh();
}

QString StepTimeline::orderText() const {
  const QString order =
      placement_.question().schedule == PipelineSchedule::gpipe ? QStringLiteral("GPipe") : QStringLiteral("1F1B");
  return tr("%n micro-batch(es) in %1 order", nullptr, static_cast<int>(placement_.question().micro_batches))
      .arg(order);
}

void StepTimeline::refresh() {
  QStringList idle;
  for (std::size_t i = 0; i < placement_.estimate().stages.size(); ++i)
    idle << tr("%1 idle %2")
                .arg(placement_.laneName(static_cast<int>(i)), percentText(placement_.estimate().stages[i].idle, 0));
  setAccessibleName(tr("One step: %1").arg(orderText()));
  setAccessibleDescription(idle.join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

QSize StepTimeline::sizeHint() const {
  const int lanes = placement_.question().stages;
  return {400, titleHeight + lanes * (rowHeight(lanes) + 4) + axisHeight};
}

const PipelineTimeline& StepTimeline::timeline() const {
  return board_.effect() && board_.effect()->estimate ? board_.effect()->estimate->timeline
                                                      : placement_.estimate().timeline;
}

int StepTimeline::nameWidth() const {
  qreal widest = 0;
  for (int lane = 0; lane < placement_.question().stages; ++lane)
    widest = std::max(widest, textWidth(ui::font(TextRole::button), placement_.laneName(lane)));
  return std::clamp(static_cast<int>(widest) + 28, leastNameWidth, mostNameWidth);
}

QRectF StepTimeline::track(int lane) const {
  const int row = rowHeight(placement_.question().stages);
  return QRectF(nameWidth(), titleHeight + lane * (row + 4), std::max(1, width() - nameWidth() - rightRoom), row);
}

QRectF StepTimeline::passRect(int lane, const PipelineSpan& pass) const {
  const QRectF all = track(lane);
  const double end = std::max(timeline().end, placement_.estimate().timeline.end);
  if (end <= 0) return {};
  const qreal from = all.left() + all.width() * pass.begin / end, to = all.left() + all.width() * pass.end / end;
  return QRectF(from, all.top(), std::max<qreal>(0.5, to - from), all.height());
}

void StepTimeline::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.fillRect(rect(), theme().window);
  p.fillRect(QRect(0, 0, width(), 1), theme().border1);
  paintTitle(p);
  for (int lane = 0; lane < static_cast<int>(timeline().stages.size()); ++lane) paintLane(p, lane);
  paintAxis(p);
}

void StepTimeline::paintTitle(QPainter& p) const {
  const Theme& t = theme();
  const QString title = tr("One step");
  p.setFont(ui::font(TextRole::node));
  p.setPen(t.text1);
  p.drawText(QRectF(14, 0, width(), titleHeight), Qt::AlignVCenter, title);
  const qreal after = 14 + textWidth(p.font(), title) + 8;
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(t.text2);
  p.drawText(QRectF(after, 0, width(), titleHeight), Qt::AlignVCenter, orderText());
  qreal x = legend(p, width() - rightRoom, titleHeight / 2.0, tr("idle"), {});
  x = legend(p, x, titleHeight / 2.0, tr("backward"), passColour(t, 0, true));
  legend(p, x, titleHeight / 2.0, tr("forward"), passColour(t, 0, false));
}

void StepTimeline::paintLane(QPainter& p, int lane) const {
  const Theme& t = theme();
  const QRectF all = track(lane);
  style::box(p, QRectF(14, all.center().y() - 7, 3, 14), 1.5, laneColour(t, lane), QColor(0, 0, 0, 0));
  p.setFont(ui::font(TextRole::button));
  p.setPen(t.text1);
  const QRectF name(22, all.top(), nameWidth() - 24, all.height());
  p.drawText(name, Qt::AlignVCenter,
             QFontMetricsF(p.font()).elidedText(placement_.laneName(lane), Qt::ElideRight, name.width()));
  p.fillRect(all, t.sunken);
  hatch(p, all);
  const auto& passes = timeline().stages[static_cast<std::size_t>(lane)];
  const std::size_t step = passes.size() / mostPassesPainted + 1;
  p.setFont(ui::font(TextRole::axis));
  for (std::size_t i = 0; i < passes.size(); i += step) {
    const QColor fill = passColour(t, lane, passes[i].action.backward);
    const QRectF place = passRect(lane, passes[i]);
    p.setPen(Qt::NoPen);
    p.setBrush(fill);
    p.drawRoundedRect(place.width() > 6 ? place.adjusted(0.5, 0, -0.5, 0) : place, 2, 2);
    const QString number = QString::number(passes[i].action.part + 1);
    if (place.width() < textWidth(p.font(), number) + 2) continue;
    p.setPen(inkOf(fill));
    p.drawText(place, Qt::AlignCenter, number);
  }
}

void StepTimeline::paintAxis(QPainter& p) const {
  const Theme& t = theme();
  const int lanes = placement_.question().stages;
  const QRectF last = track(lanes - 1);
  const double end = std::max(timeline().end, placement_.estimate().timeline.end);
  const bool timed = placement_.unit() > 0;
  const double whole = timed ? end * placement_.unit() * 1e3 : 100;
  if (end <= 0) return;
  p.setFont(ui::font(TextRole::axis));
  p.setPen(t.text2);
  p.drawText(QRectF(14, last.bottom() + 2, nameWidth() - 14, axisHeight - 2), Qt::AlignVCenter,
             timed ? tr("ms") : QStringLiteral("%"));
  const double step = axisStep(whole, std::max(2, width() / 90));
  for (double v = 0; v <= whole * (1 + 1e-9); v += step) {
    const qreal x = last.left() + last.width() * v / whole;
    p.drawText(QRectF(std::min(x - 30, width() - 61.0), last.bottom() + 2, 60, axisHeight - 2), Qt::AlignCenter,
               v < 1000 ? QString::number(v, 'g', 4) : grouped(qRound64(v)));
  }
}

}  // namespace nw::ui
