// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/schedule_preview.hpp"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace nw::ui {

SchedulePreview::SchedulePreview(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(84);
  setAccessibleName(tr("Learning rate over the run"));
}

void SchedulePreview::setSettings(const TrainSettings& settings, qint64 stepsPerEpoch) {
  settings_ = settings;
  stepsPerEpoch_ = stepsPerEpoch > 0 ? stepsPerEpoch : 100;
  const qint64 last = std::max<qint64>(0, settings_.epochs * stepsPerEpoch_ - 1);
  setAccessibleDescription(tr("From %1 to %2")
                               .arg(learning_rate_at(settings_, 0, stepsPerEpoch_))
                               .arg(learning_rate_at(settings_, last, stepsPerEpoch_)));
  update();
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
  const QRectF plot = box.adjusted(10, 12, -10, -22);
  const qint64 steps = std::max<qint64>(2, settings_.epochs * stepsPerEpoch_);
  const int points = std::max(2, static_cast<int>(plot.width()));
  std::vector<double> rate;
  for (int i = 0; i < points; ++i)
    rate.push_back(learning_rate_at(settings_, i * (steps - 1) / (points - 1), stepsPerEpoch_));
  const double top = std::max(1e-30, *std::max_element(rate.begin(), rate.end()));
  QPainterPath line;
  for (int i = 0; i < points; ++i) {
    const QPointF at(plot.left() + i, plot.bottom() - plot.height() * rate[static_cast<std::size_t>(i)] / top);
    if (i == 0)
      line.moveTo(at);
    else
      line.lineTo(at);
  }
  QPainterPath area = line;
  area.lineTo(plot.left() + points - 1, plot.bottom());
  area.lineTo(plot.bottomLeft());
  QColor fill = t.series[2];
  fill.setAlphaF(0.12f);
  p.fillPath(area, fill);
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(t.series[2], 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.drawPath(line);
  p.setFont(ui::font(TextRole::small));
  p.setPen(t.text2);
  const QRectF labels(plot.left(), plot.bottom() + 3, plot.width(), 16);
  p.drawText(labels, Qt::AlignLeft, tr("epoch 0"));
  p.drawText(
      labels, Qt::AlignRight,
      tr("epoch %1, ends at %2").arg(settings_.epochs).arg(rate.back() < top * 1e-6 ? 0.0 : rate.back(), 0, 'g', 3));
}

}  // namespace nw::ui
