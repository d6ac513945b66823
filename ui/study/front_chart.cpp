// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/front_chart.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/study/study_text.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

FrontChart::FrontChart(StudyModel& model, QWidget* parent) : StudyPlot(model, tr("Pareto front"), parent) {
  setMinimumHeight(190);
}

QPointF FrontChart::place(const StudySnapshot& study, qint64 trial, const StudyAxis& across,
                          const StudyAxis& up) const {
  const search::Trial& t = study.trials[static_cast<std::size_t>(trial)];
  return {area_.left() + area_.width() * std::clamp(across.place(t.values[1]), -0.02, 1.02),
          area_.bottom() - area_.height() * std::clamp(up.place(t.values[0]), -0.02, 1.02)};
}

void FrontChart::paintData(QPainter& p, const StudySnapshot& study) {
  const StudyAxis *up = study.axis(-1), *across = study.axis(-2);
  if (!up || !across) return;
  area_ = QRectF(62, 22, std::max(40.0, width() - 92.0), height() - 62.0);
  paintValueGrid(p, area_, study, *up);
  paintTicksBelow(p, area_, study, *across);
  paintWord(p, QRectF(area_.left(), height() - 18, area_.width(), 16), axisTitleOf(study, *across),
            ui::font(TextRole::axis), theme().text2, Qt::AlignHCenter);
  QPolygonF others, front;
  for (const search::Trial& t : study.trials) {
    if (t.values.size() < 2) continue;
    const QPointF at = place(study, t.number, *across, *up);
    mark(t.number, at);
    if (!study.front.contains(t.number)) others.append(at);
  }
  for (const qint64 trial : study.front) front.append(place(study, trial, *across, *up));
  paintDots(p, others, theme().text3, 5);
  QPolygonF line;
  std::sort(front.begin(), front.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
  for (const QPointF& at : front) {
    if (!line.isEmpty()) line.append({at.x(), line.last().y()});
    line.append(at);
  }
  p.setPen(QPen(theme().series[0], 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.drawPolyline(line);
  p.setPen(Qt::NoPen);
  p.setBrush(theme().series[0]);
  for (const QPointF& at : front) p.drawEllipse(at, 4.5, 4.5);
  QFont strong = ui::font(TextRole::small);
  strong.setWeight(QFont::DemiBold);
  qreal labelled = -1e9;
  for (auto it = study.front.crbegin(); it != study.front.crend(); ++it) {  // from left to right where fewer is better
    const qint64 trial = *it;
    const QPointF at = place(study, trial, *across, *up);
    if (const bool room = std::abs(at.x() - labelled) > 22; room && (labelled = at.x(), true))
      paintWord(p, QRectF(at.x() - 20, at.y() - 21, 40, 14), QString::number(trial), strong, theme().text1,
                Qt::AlignHCenter);
    if (trial != model_.current()) continue;
    p.setPen(QPen(theme().ring, 2));
    p.setBrush(Qt::NoBrush);
    p.drawEllipse(at, 8, 8);
  }
}

}  // namespace nw::ui
