// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/importance_view.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/study/axis_ticks.hpp"
#include "ui/study/study_text.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr qreal bar_row = 24, name_part = 0.36;
constexpr int contour_cells = 20;
constexpr qsizetype most_contour_trials = 500;
constexpr double contour_width = 0.09;  // of the kernel, of each axis

/// The mean of the trials' places by the objective around a point, weighted by distance; NaN: none is near.
double nearMean(const StudyAxis& across, const StudyAxis& up, const StudyAxis& value, double x, double y) {
  double sum = 0, weights = 0;
  const qsizetype step = 1 + value.places.size() / most_contour_trials;
  for (qsizetype i = 0; i < value.places.size(); i += step) {
    const double dx = (across.places[i] - x) / contour_width, dy = (up.places[i] - y) / contour_width;
    const double d = dx * dx + dy * dy;
    if (!(d < 9) || std::isnan(value.places[i])) continue;
    const double w = std::exp(-d / 2);
    weights += w;
    sum += w * value.places[i];
  }
  return weights > 0.05 ? sum / weights : std::nan("");
}
}  // namespace

ImportanceView::ImportanceView(StudyModel& model, QWidget* parent) : StudyPlot(model, tr("Importance"), parent) {
  setMinimumHeight(190);
}

void ImportanceView::setMode(Mode mode) {
  mode_ = mode;
  update();
}

int ImportanceView::parameter() const {
  const StudySnapshot* study = model_.data();
  if (!study || study->importance.empty()) return -1;
  return study->axis(parameter_) && parameter_ >= 0 ? parameter_
                                                    : static_cast<int>(study->importance.front().parameter);
}

int ImportanceView::second() const {
  const StudySnapshot* study = model_.data();
  for (const search::Importance& i : study->importance)
    if (static_cast<int>(i.parameter) != parameter()) return static_cast<int>(i.parameter);
  return parameter();
}

void ImportanceView::paintData(QPainter& p, const StudySnapshot& study) {
  if (study.importance.empty()) return;
  if (mode_ == Mode::share) return paintShares(p, study);
  mode_ == Mode::slice ? paintSlice(p, study) : paintContour(p, study);
}

void ImportanceView::paintShares(QPainter& p, const StudySnapshot& study) {
  const qreal left = width() * name_part, right = width() - 58.0;
  const auto rows = std::min(study.importance.size(), static_cast<std::size_t>((height() - 22) / bar_row));
  for (std::size_t i = 0; i < rows; ++i) {
    const search::Importance& row = study.importance[i];
    const qreal top = bar_row * static_cast<qreal>(i), middle = top + bar_row / 2;
    paintWord(p, QRectF(2, top, left - 10, bar_row),
              parameterTitle(study.definition.space.parameters[row.parameter].name), ui::font(TextRole::body),
              theme().text1);
    const auto x = [&](double share) { return left + (right - left) * share; };
    p.setPen(Qt::NoPen);
    p.setBrush(theme().border1);
    p.drawRoundedRect(QRectF(left, middle - 4, right - left, 8), 2.5, 2.5);
    p.setBrush(theme().series[0]);
    p.drawRoundedRect(QRectF(left, middle - 4, std::max(2.0, (right - left) * row.share), 8), 2.5, 2.5);
    if (row.high > row.low) {
      p.setPen(QPen(theme().text1, 1.3));
      p.drawLine(QPointF(x(row.low), middle), QPointF(x(row.high), middle));
      for (const double end : {row.low, row.high})
        p.drawLine(QPointF(x(end), middle - 3.5), QPointF(x(end), middle + 3.5));
    }
    QFont strong = ui::font(TextRole::body);
    strong.setWeight(QFont::DemiBold);
    paintWord(p, QRectF(right + 6, top, 50, bar_row), percentText(row.share, 0), strong, theme().text1, Qt::AlignRight);
  }
  const QString note = study.count(search::TrialState::complete) < 2
                           ? tr("Known once two trials have finished.")
                           : tr("Of the best tenth, by PED-ANOVA. Line: 90 % interval.");
  paintWord(p, QRectF(2, height() - 20, width() - 4, 18), note, ui::font(TextRole::secondary), theme().text2);
}

void ImportanceView::paintAcross(QPainter& p, const QRectF& area, const StudySnapshot& study, const StudyAxis& axis) {
  paintTicksBelow(p, area, study, axis);
  paintWord(p, QRectF(area.left(), area.bottom() + 20, area.width(), 16), axisTitleOf(study, axis),
            ui::font(TextRole::axis), theme().text1, Qt::AlignHCenter);
}

void ImportanceView::paintSlice(QPainter& p, const StudySnapshot& study) {
  const StudyAxis *across = study.axis(parameter()), *up = study.axis(-1);
  if (!across || !up) return;
  const QRectF area(62, 10, std::max(40.0, width() - 92.0), height() - 52.0);
  paintValueGrid(p, area, study, *up);
  QPolygonF all, selected;
  for (const search::Trial& t : study.trials) {
    const float x = across->places[t.number], y = up->places[t.number];
    if (std::isnan(x) || std::isnan(y)) continue;
    const QPointF at(area.left() + x * area.width(), area.bottom() - y * area.height());
    mark(t.number, at);
    (model_.isSelected(t.number) ? selected : all).append(at);
  }
  paintDots(p, all, theme().text3, 4.5);
  paintDots(p, selected, theme().series[0], 5.5);
  paintAcross(p, area, study, *across);
}

void ImportanceView::paintContour(QPainter& p, const StudySnapshot& study) {
  const StudyAxis *across = study.axis(parameter()), *up = study.axis(second()), *value = study.axis(-1);
  if (!across || !up || !value) return;
  const QRectF area(62, 22, std::max(40.0, width() - 92.0), height() - 64.0);
  paintWord(p, QRectF(4, 0, width() - 8.0, 18), axisTitleOf(study, *up), ui::font(TextRole::axis), theme().text1);
  p.setRenderHint(QPainter::Antialiasing, false);
  const qreal w = area.width() / contour_cells, h = area.height() / contour_cells;
  for (int i = 0; i < contour_cells; ++i)
    for (int j = 0; j < contour_cells; ++j) {
      const double mean = nearMean(*across, *up, *value, (i + 0.5) / contour_cells, (j + 0.5) / contour_cells);
      if (std::isnan(mean)) continue;
      p.fillRect(QRectF(area.left() + i * w, area.bottom() - (j + 1) * h, w + 1, h + 1),
                 Theme::ramp(theme().countRamp, value->better ? mean : 1 - mean));
    }
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(theme().border2, 1));
  p.setBrush(Qt::NoBrush);
  p.drawRect(area);
  for (const AxisTick& tick : axisTicks(study, *up, 24 / std::max(1.0, area.height())))
    paintWord(p, QRectF(0, area.bottom() - tick.place * area.height() - 8, area.left() - 6, 16), tick.text,
              ui::font(TextRole::axis), theme().text2, Qt::AlignRight);
  QPolygonF points;
  for (const search::Trial& t : study.trials) {
    if (std::isnan(across->places[t.number]) || std::isnan(up->places[t.number])) continue;
    points.append(
        {area.left() + across->places[t.number] * area.width(), area.bottom() - up->places[t.number] * area.height()});
    mark(t.number, points.last());
  }
  p.setPen(QPen(theme().text1, 3, Qt::SolidLine, Qt::RoundCap));
  if (points.size() <= 500) p.drawPoints(points);
  paintAcross(p, area, study, *across);
}

/// A click on a bar shows the slice of that parameter.
void ImportanceView::mousePressEvent(QMouseEvent* event) {
  const auto row = static_cast<std::size_t>(std::max(0.0, event->position().y()) / bar_row);
  if (mode_ != Mode::share || !model_.data() || row >= model_.data()->importance.size())
    return StudyPlot::mousePressEvent(event);
  setParameter(static_cast<int>(model_.data()->importance[row].parameter));
  Q_EMIT sliceWanted();
}

}  // namespace nw::ui
