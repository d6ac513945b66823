// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/schedule_preview.hpp"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {
constexpr int first_series = 2;  // that of the learning rate in charts
constexpr qsizetype layers_named = 2;

int seriesOf(int group) { return (first_series + std::max(0, group)) % 6; }
}  // namespace

SchedulePreview::SchedulePreview(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(height_of_curve);
  setAccessibleName(tr("Learning rate over the run"));
}

void SchedulePreview::setSettings(const TrainSettings& settings, qint64 stepsPerEpoch, std::vector<RateGroup> groups) {
  settings_ = settings;
  groups_ = std::move(groups);
  stepsPerEpoch_ = stepsPerEpoch > 0 ? stepsPerEpoch : 100;
  const qint64 last = std::max<qint64>(0, settings_.epochs * stepsPerEpoch_ - 1);
  QStringList said{tr("From %1 to %2")
                       .arg(learning_rate_at(settings_, 0, stepsPerEpoch_))
                       .arg(learning_rate_at(settings_, last, stepsPerEpoch_))};
  setAccessibleDescription((said + legend()).join(QStringLiteral("; ")));
  setMinimumHeight(height_of_curve + legendHeight());
  updateGeometry();
  update();
}

int SchedulePreview::drawn() const { return std::min(most_groups, static_cast<int>(groups_.size())); }
int SchedulePreview::legendHeight() const { return drawn() == 0 ? 0 : line_of_legend * drawn() + 4; }

QStringList SchedulePreview::legend() const {
  QStringList lines;
  for (int i = 0; i < drawn(); ++i) {
    const RateGroup& g = groups_[static_cast<std::size_t>(i)];
    QString names = g.layers.mid(0, layers_named).join(QStringLiteral(", "));
    if (g.layers.size() > layers_named) names += QStringLiteral(" …");
    lines += g.frozen      ? tr("%1: not trained").arg(names)
             : g.from == 0 ? tr("%1: ×%2").arg(names).arg(g.factor)
                           : tr("%1: ×%2 from epoch %3").arg(names).arg(g.factor).arg(g.from + 1);
  }
  return lines;
}

double SchedulePreview::rateAt(double share, int group) const {
  const qint64 steps = std::max<qint64>(2, settings_.epochs * stepsPerEpoch_);
  const auto step = static_cast<qint64>(std::llround(share * static_cast<double>(steps - 1)));
  const double rate = learning_rate_at(settings_, step, stepsPerEpoch_);
  if (group < 0) return rate;
  const RateGroup& g = groups_[static_cast<std::size_t>(group)];
  return g.frozen || step < g.from * stepsPerEpoch_ ? 0 : rate * g.factor;
}

double SchedulePreview::highest(int points) const {
  double top = 1e-30;
  for (int i = 0; i < points; ++i)
    for (int group = drawn() == 0 ? -1 : 0; group < drawn(); ++group)
      top = std::max(top, rateAt(i / static_cast<double>(points - 1), group));
  return top;
}

void SchedulePreview::drawCurve(QPainter& p, const QRectF& plot, int group, double top) const {
  const int points = std::max(2, static_cast<int>(plot.width()));
  QPainterPath line;
  for (int i = 0; i < points; ++i) {
    const double rate = rateAt(i / static_cast<double>(points - 1), group);
    const QPointF at(plot.left() + i, plot.bottom() - plot.height() * rate / top);
    if (i == 0)
      line.moveTo(at);
    else
      line.lineTo(at);
  }
  const QColor colour = theme().series[seriesOf(group)];
  if (group < 0) {
    QPainterPath area = line;
    area.lineTo(plot.left() + points - 1, plot.bottom());
    area.lineTo(plot.bottomLeft());
    QColor fill = colour;
    fill.setAlphaF(0.12f);
    p.fillPath(area, fill);
  }
  QPen pen(colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
  if (const QVector<qreal> dash = seriesDash(seriesOf(group)); group > 0 && !dash.isEmpty()) pen.setDashPattern(dash);
  p.setBrush(Qt::NoBrush);
  p.setPen(pen);
  p.drawPath(line);
}

void SchedulePreview::drawLegend(QPainter& p, const QRectF& box) const {
  const QStringList lines = legend();
  for (int i = 0; i < lines.size(); ++i) {
    const QRectF line(box.left(), box.top() + i * line_of_legend, box.width(), line_of_legend);
    p.setPen(QPen(theme().series[seriesOf(i)], 2));
    p.drawLine(QPointF(line.left(), line.center().y()), QPointF(line.left() + 12, line.center().y()));
    p.setPen(theme().text2);
    const QRectF words = line.adjusted(18, 0, 0, 0);
    p.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
               p.fontMetrics().elidedText(lines[i], Qt::ElideRight, static_cast<int>(words.width())));
  }
}

void SchedulePreview::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  p.setPen(QPen(t.border1, 1));
  p.setBrush(t.sunken);
  p.drawRoundedRect(box, radius::control, radius::control);
  if (stepsPerEpoch_ <= 0) return;
  const QRectF plot = box.adjusted(10, 12, -10, -22 - legendHeight());
  const double top = highest(std::max(2, static_cast<int>(plot.width())));
  if (drawn() == 0) drawCurve(p, plot, -1, top);
  for (int group = drawn() - 1; group >= 0; --group) drawCurve(p, plot, group, top);
  p.setFont(ui::font(TextRole::small));
  p.setPen(t.text2);
  const QRectF labels(plot.left(), plot.bottom() + 3, plot.width(), 16);
  const double last = rateAt(1, -1);
  p.drawText(labels, Qt::AlignLeft, tr("epoch 0"));
  p.drawText(labels, Qt::AlignRight,
             tr("epoch %1, ends at %2").arg(settings_.epochs).arg(last < top * 1e-6 ? 0.0 : last, 0, 'g', 3));
  drawLegend(p, {plot.left(), labels.bottom() + 2, plot.width(), static_cast<qreal>(legendHeight())});
}

}  // namespace nw::ui
