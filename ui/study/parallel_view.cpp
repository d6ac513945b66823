// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/parallel_view.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/study/axis_ticks.hpp"
#include "ui/study/study_text.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {

constexpr qreal axis_reach = 14, title_height = 22, label_height = 20, least_drag = 3;
constexpr std::size_t most_quiet = 160, most_lines = 100;  // lines that are painted: of others, of selected trials
constexpr qsizetype most_smooth = 80;                      // lines; more are painted without smooth edges

/// A curve that leaves each axis level: as many straight pieces as it takes to look like one.
QPolygonF curve(const QPolygonF& points, int pieces) {
  QPolygonF line;
  for (qsizetype i = 0; i + 1 < points.size(); ++i)
    for (int k = 0; k < pieces; ++k) {
      const qreal t = static_cast<qreal>(k) / pieces, level = t * t * (3 - 2 * t);
      line.append({points[i].x() + t * (points[i + 1].x() - points[i].x()),
                   points[i].y() + level * (points[i + 1].y() - points[i].y())});
    }
  if (!points.isEmpty()) line.append(points.last());
  return line;
}

void paintLines(QPainter& p, const QVector<QPolygonF>& lines, const QPen& pen) {
  p.setRenderHint(QPainter::Antialiasing, lines.size() <= most_smooth);
  p.setPen(pen);
  for (const QPolygonF& line : lines) p.drawPolyline(line);
  p.setRenderHint(QPainter::Antialiasing);
}

}  // namespace

ParallelView::ParallelView(StudyModel& model, QWidget* parent)
    : StudyPlot(model, tr("Settings of each trial"), parent) {
  setMinimumHeight(190);
}

QRectF ParallelView::area() const {
  return QRectF(54, title_height + 12, width() - 116.0, height() - title_height - 26.0);
}

qreal ParallelView::axisX(std::size_t index, std::size_t count) const {
  return count < 2 ? area().center().x()
                   : area().left() + area().width() * static_cast<qreal>(index) / static_cast<qreal>(count - 1);
}

QLineF ParallelView::axisLine(int key) const {
  const auto& axes = model_.data()->axes;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].key() == key) {
      const qreal x = axisX(i, axes.size());
      return {x, area().bottom(), x, area().top()};
    }
  return {};
}

/// Parameters that the trial does not have are left out of its line.
QPolygonF ParallelView::lineOf(const StudySnapshot& study, std::size_t trial) const {
  QPolygonF line;
  for (std::size_t i = 0; i < study.axes.size(); ++i) {
    const float place = study.axes[i].places[static_cast<qsizetype>(trial)];
    if (!std::isnan(place)) line.append({axisX(i, study.axes.size()), area().bottom() - place * area().height()});
  }
  return line;
}

QString ParallelView::countText() const {
  const StudySnapshot* study = model_.data();
  if (!study) return {};
  const auto all = static_cast<int>(study->trials.size());
  const QString selected = tr("%1 of %n trial(s)", nullptr, all).arg(model_.selectedCount());
  const int others = all - model_.selectedCount();
  if (others <= static_cast<int>(most_quiet) && model_.selectedCount() <= static_cast<int>(most_lines)) return selected;
  return tr("%1, not every line is drawn").arg(selected);
}

void ParallelView::paintData(QPainter& p, const StudySnapshot& study) {
  QVector<QPolygonF> quiet, chosen;
  const std::size_t n = study.trials.size();
  const auto selected = static_cast<std::size_t>(model_.selectedCount());
  const std::size_t skip = 1 + (n - selected) / most_quiet, skipSelected = 1 + selected / most_lines;
  const int pieces = n <= static_cast<std::size_t>(most_smooth) ? 12 : 5;
  std::size_t seen = 0, seenSelected = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool in = model_.isSelected(static_cast<qint64>(i));
    if (in ? seenSelected++ % skipSelected != 0 : seen++ % skip != 0) continue;
    const QPolygonF line = lineOf(study, i);
    if (line.size() < 2) continue;
    (in ? chosen : quiet).append(curve(line, pieces));
    if (in) mark(static_cast<qint64>(i), line.last());
  }
  QColor grey = theme().text3;
  grey.setAlphaF(0.35F);
  paintLines(p, quiet, QPen(grey, 1));
  paintLines(p, chosen, QPen(theme().series[0], chosen.size() <= most_smooth ? 1.5 : 1));
  if (model_.currentTrial())
    paintLines(p, {curve(lineOf(study, static_cast<std::size_t>(model_.current())), 12)}, QPen(theme().ring, 3.2));
  for (std::size_t i = 0; i < study.axes.size(); ++i) paintAxis(p, study, i);
}

void ParallelView::paintAxis(QPainter& p, const StudySnapshot& study, std::size_t index) {
  const StudyAxis& axis = study.axes[index];
  const qreal x = axisX(index, study.axes.size());
  p.setPen(QPen(theme().border3, 1));
  p.drawLine(QPointF(x, area().top()), QPointF(x, area().bottom()));
  QFont strong = ui::font(TextRole::axis);
  strong.setWeight(QFont::DemiBold);
  const qreal room =
      study.axes.size() < 2 ? area().width() : area().width() / static_cast<qreal>(study.axes.size() - 1);
  const QString title = axisTitleOf(study, axis);
  const qreal half = std::min(textWidth(strong, title), room - 6) / 2;
  const qreal middle = std::clamp(x, half + 2, std::max(half + 2, width() - half - 2));
  paintWord(p, QRectF(middle - half, 2, 2 * half + 2, 16), title, strong, theme().text1);
  for (const AxisTick& tick : axisTicks(study, axis, label_height / std::max(1.0, area().height()))) {
    const QFont f = ui::font(TextRole::axis);
    const qreal width = std::min(textWidth(f, tick.text), room - 12) + 4;
    const QRectF where(index + 1 == study.axes.size() ? x + 8 : x - width / 2,
                       area().bottom() - tick.place * area().height() - 8, width, 16);
    QColor behind = theme().chartCard;
    behind.setAlphaF(0.82F);
    p.fillRect(where, behind);
    paintWord(p, where, tick.text, f, theme().text2, Qt::AlignHCenter);
  }
  const auto brush = model_.brushes().constFind(axis.key());
  if (brush == model_.brushes().cend()) return;
  QColor soft = theme().ring;
  soft.setAlphaF(0.28F);
  p.setPen(QPen(theme().ring, 1.4));
  p.setBrush(soft);
  const qreal top = area().bottom() - brush->high * area().height(),
              bottom = area().bottom() - brush->low * area().height();
  p.drawRoundedRect(QRectF(x - 6, top - 2, 12, std::max(4.0, bottom - top + 4)), 3, 3);
}

int ParallelView::axisAt(const QPointF& at) const {
  if (!model_.data()) return -1;
  const auto& axes = model_.data()->axes;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (std::abs(at.x() - axisX(i, axes.size())) < axis_reach) return static_cast<int>(i);
  return -1;
}

void ParallelView::mousePressEvent(QMouseEvent* event) {
  const int axis = axisAt(event->position());
  if (axis < 0) return StudyPlot::mousePressEvent(event);
  dragged_ = model_.data()->axes[static_cast<std::size_t>(axis)].key();
  from_ = event->position().y();
  dragging_ = false;
}

void ParallelView::mouseMoveEvent(QMouseEvent* event) {
  if (dragged_ == -1 && !event->buttons()) return;
  if (!(event->buttons() & Qt::LeftButton) || !model_.data() || !model_.data()->axis(dragged_)) return;
  if (std::abs(event->position().y() - from_) < least_drag && !dragging_) return;
  dragging_ = true;
  const auto place = [&](qreal y) { return std::clamp((area().bottom() - y) / area().height(), 0.0, 1.0); };
  const double a = place(from_), b = place(event->position().y());
  model_.setBrush(dragged_, Range{std::min(a, b), std::max(a, b)});
}

void ParallelView::mouseReleaseEvent(QMouseEvent* event) {
  if (!dragging_ && model_.data() && axisAt(event->position()) >= 0) {
    if (model_.brushes().contains(dragged_))
      model_.setBrush(dragged_, std::nullopt);
    else
      StudyPlot::mousePressEvent(event);
  }
  dragging_ = false;
}

}  // namespace nw::ui
