// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/best_chart.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/study/study_text.hpp"
#include "ui/theme/contrast.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {

constexpr qreal legend_dot = 28;  // and the distance to the next one
constexpr qreal lane_height = 15, least_lane = 3;
constexpr std::size_t most_shown_lanes = 8;
constexpr double time_steps_s[] = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 43200, 86400};
constexpr qreal left_room = 62, label_room = 92, edge_room = 14;  // the best value stands behind the line

/// The value of a trial when the stretch ended; NaN: it had none.
double valueAt(const search::Trial& t, const search::Stretch& s) {
  double value = std::nan("");
  for (const search::Report& r : t.reports)
    if (r.epoch <= s.to_epoch) value = r.value;
  const bool last = s.to_epoch == t.to_epoch;
  return last && !t.values.empty() ? t.values.front() : value;
}

/// The share of all epochs as a place on the ramp of counts.
QColor rungColour(const StudySnapshot& study, qint64 epoch) {
  const double part = std::log1p(static_cast<double>(epoch)) / std::log1p(static_cast<double>(study.definition.epochs));
  return Theme::ramp(theme().countRamp, 0.25 + 0.75 * std::clamp(part, 0.0, 1.0));
}

}  // namespace

BestChart::BestChart(StudyModel& model, QWidget* parent) : StudyPlot(model, tr("Best so far"), parent) {
  setMinimumHeight(190);
}

BestLegend::BestLegend(StudyModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(&model, &StudyModel::changed, this, [this] {
    updateGeometry();
    setAccessibleName(words().join(QStringLiteral(", ")));
    update();
  });
}

/// Of the rings and of the discs; without rungs there are no rings.
QStringList BestLegend::words() const {
  const StudySnapshot* s = model_.data();
  if (!s) return {};
  const QString whole = tr("%n epoch(s)", nullptr, static_cast<int>(s->definition.epochs));
  return s->rungs.isEmpty() ? QStringList{whole} : QStringList{tr("at a rung"), whole};
}

QSize BestLegend::sizeHint() const {
  qreal width = 0;
  for (const QString& each : words()) width += textWidth(ui::font(TextRole::secondary), each) + legend_dot;
  return {static_cast<int>(std::ceil(width)), 20};
}

void BestLegend::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QStringList all = words();
  qreal left = 0;
  for (qsizetype i = 0; i < all.size(); ++i) {
    const bool disc = i + 1 == all.size();
    p.setPen(QPen(disc ? theme().series[0] : theme().text3, 1.4));
    p.setBrush(disc ? theme().series[0] : theme().chartCard);
    p.drawEllipse(QPointF(left + 8, height() / 2.0), 3.2, 3.2);
    left = paintWord(p, QRectF(left + 16, 0, width(), height()), all[i], ui::font(TextRole::secondary), theme().text2) +
           legend_dot - 16;
  }
}

qreal BestChart::x(double seconds) const { return area_.left() + area_.width() * seconds / end_; }

qreal BestChart::y(const StudySnapshot& study, double value) const {
  return area_.bottom() - area_.height() * std::clamp(study.axis(-1)->place(value), -0.02, 1.02);
}

void BestChart::paintData(QPainter& p, const StudySnapshot& study) {
  end_ = std::max(1.0, std::max(study.nowS + study.secondsLeft(), study.nowS * 1.02));
  const auto lanes = std::min(study.lanes, most_shown_lanes);
  const qreal each = std::max(least_lane, std::min(lane_height, (height() * 0.35) / std::max<qreal>(1, lanes)));
  const qreal lanesHeight = each * static_cast<qreal>(lanes);
  area_ = QRectF(left_room, 12, std::max(40.0, width() - left_room - edge_room), height() - lanesHeight - 46);
  if (x(study.nowS) + label_room > width()) area_.setRight(std::max(area_.left() + 40, width() - label_room));
  lanes_ = QRectF(area_.left(), area_.bottom() + 10, area_.width(), lanesHeight);
  paintValueGrid(p, area_, study, *study.axis(-1));
  if (study.running) {
    p.fillRect(QRectF(QPointF(x(study.nowS), area_.top()), QPointF(area_.right(), lanes_.bottom())),
               QBrush(theme().border1, Qt::BDiagPattern));
    p.setPen(QPen(theme().border3, 1, Qt::DashLine));
    p.drawLine(QPointF(x(study.nowS), area_.top()), QPointF(x(study.nowS), lanes_.bottom()));
  }
  paintPoints(p, study);
  paintBest(p, study);
  paintLanes(p, study);
  paintTime(p, study);
}

void BestChart::paintPoints(QPainter& p, const StudySnapshot& study) {
  QPolygonF rings, discs;
  for (const search::Stretch& s : study.stretches) {
    const search::Trial& t = study.trials[static_cast<std::size_t>(s.trial)];
    const double value = valueAt(t, s);
    if (s.open || !std::isfinite(value)) continue;
    const QPointF at(x(s.to_s), y(study, value));
    mark(s.trial, at);
    (s.to_epoch >= study.definition.epochs ? discs : rings).append(at);
  }
  paintDots(p, rings, theme().text3, 6);
  paintDots(p, rings, theme().chartCard, 3.6);
  paintDots(p, discs, theme().series[0], 6.5);
  if (const QPointF at = placeOf(model_.current()); !at.isNull()) {
    p.setPen(QPen(theme().ring, 2));
    p.setBrush(Qt::NoBrush);
    p.drawEllipse(at, 6, 6);
  }
}

void BestChart::paintBest(QPainter& p, const StudySnapshot& study) {
  std::vector<std::pair<double, double>> ends;  // time, value
  for (const search::Stretch& s : study.stretches)
    if (const double v = valueAt(study.trials[static_cast<std::size_t>(s.trial)], s); !s.open && std::isfinite(v))
      ends.emplace_back(s.to_s, v);
  if (ends.empty()) return;
  std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const search::Objective& objective = study.definition.objectives.front();
  QPolygonF line;
  double best = ends.front().second;
  line.append({x(ends.front().first), y(study, best)});
  for (const auto& [time, value] : ends) {
    if (search::as_loss(objective, value) >= search::as_loss(objective, best)) continue;
    line.append({x(time), line.last().y()});
    line.append({x(time), y(study, best = value)});
  }
  line.append({x(study.nowS), line.last().y()});
  p.setPen(QPen(theme().series[0], 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.drawPolyline(line);
  QFont strong = ui::font(TextRole::axis);
  strong.setWeight(QFont::DemiBold);
  const QRectF label(line.last().x() + 8, line.last().y() - 8, label_room - 10, 16);
  paintWord(p, label.translated(0, line.last().y() < area_.top() + 8 ? 4 : 0), objectiveText(objective.metric, best),
            strong, theme().series[0]);
}

void BestChart::paintLanes(QPainter& p, const StudySnapshot& study) {
  if (study.lanes == 0) return;
  const qreal each = lanes_.height() / static_cast<qreal>(std::min(study.lanes, most_shown_lanes));
  QFont small = ui::font(TextRole::small);
  small.setWeight(QFont::DemiBold);
  p.setRenderHint(QPainter::Antialiasing, false);
  QVector<int> painted(most_shown_lanes, -1);  // up to this pixel in each lane: many are narrower than one
  for (const search::Stretch& s : study.stretches) {
    if (s.lane >= most_shown_lanes) continue;
    const qreal from = x(s.from_s), to = x(s.open ? (study.running ? study.nowS : s.from_s) : s.to_s);
    const QRectF block(from, lanes_.top() + static_cast<qreal>(s.lane) * each + 1, std::max(1.0, to - from - 1),
                       each - 2);
    const bool chosen = s.trial == model_.current();
    if (!chosen && to - from < 1 && static_cast<int>(to) == painted[static_cast<qsizetype>(s.lane)]) continue;
    painted[static_cast<qsizetype>(s.lane)] = static_cast<int>(to);
    const QColor fill = rungColour(study, s.to_epoch);
    p.fillRect(block, fill);
    if (chosen) {
      p.setPen(QPen(theme().ring, 1.6));
      p.setBrush(Qt::NoBrush);
      p.drawRect(block);
    }
    if (block.width() < 10) continue;
    const QString number = QString::number(s.trial);
    if (each < 12 || textWidth(small, number) + 6 > block.width()) continue;
    paintWord(p, block, number, small, blackOrWhiteOn(fill), Qt::AlignHCenter);
  }
  p.setRenderHint(QPainter::Antialiasing);
  paintWord(p, QRectF(0, lanes_.top(), left_room - 8, each), tr("Lanes"), ui::font(TextRole::axis), theme().text2,
            Qt::AlignRight);
}

void BestChart::paintTime(QPainter& p, const StudySnapshot&) {
  const int most = std::max(2, static_cast<int>(area_.width() / 90));
  const auto step = std::find_if(std::begin(time_steps_s), std::end(time_steps_s) - 1,
                                 [&](double each) { return end_ / each <= most; });
  const double each = std::max(*step, niceStep(end_, most) * (step + 1 == std::end(time_steps_s) ? 1 : 0));
  for (double tick = 0; tick <= end_; tick += each)
    paintWord(p, QRectF(x(tick) - 40, height() - 18, 80, 16), tick == 0 ? QStringLiteral("0") : durationText(tick),
              ui::font(TextRole::axis), theme().text2, Qt::AlignHCenter);
}

}  // namespace nw::ui
