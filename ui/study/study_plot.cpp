// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_plot.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "ui/study/axis_ticks.hpp"
#include "ui/study/study_text.hpp"
#include "ui/theme/shortened_text.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr qreal reach = 9;
constexpr qreal row = 16, column = 100;  // of a label
constexpr qsizetype most_round_dots = 400;
}  // namespace

StudyPlot::StudyPlot(StudyModel& model, const QString& accessibleName, QWidget* parent)
    : QWidget(parent), model_(model) {
  setAccessibleName(accessibleName);
  setMinimumHeight(150);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  for (const auto signal : {&StudyModel::changed, &StudyModel::currentChanged, &StudyModel::brushChanged})
    connect(&model, signal, this, qOverload<>(&QWidget::update));
}

void StudyPlot::paintEvent(QPaintEvent*) {
  marks_.clear();
  if (!model_.data()) return;
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  paintData(p, *model_.data());
}

qint64 StudyPlot::trialAt(const QPointF& at) const {
  qint64 found = -1;
  qreal nearest = reach * reach;
  for (const Mark& m : marks_) {
    const QPointF d = m.at - at;
    if (const qreal far = d.x() * d.x() + d.y() * d.y(); far <= nearest) nearest = far, found = m.trial;
  }
  return found;
}

QPointF StudyPlot::placeOf(qint64 trial) const {
  QPointF last;
  for (const Mark& m : marks_)
    if (m.trial == trial) last = m.at;
  return last;
}

void StudyPlot::mousePressEvent(QMouseEvent* event) {
  if (const qint64 trial = trialAt(event->position()); trial >= 0) model_.setCurrent(trial);
}

void StudyPlot::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const qint64 trial = trialAt(event->position()); trial >= 0) model_.open(trial);
}

bool StudyPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !model_.data()) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const qint64 trial = trialAt(help->pos());
  if (trial >= 0)
    QToolTip::showText(help->globalPos(), trialSentence(*model_.data(), trial), this);
  else
    QToolTip::hideText();
  return true;
}

void paintDots(QPainter& p, const QPolygonF& places, const QColor& colour, qreal size) {
  if (places.size() <= most_round_dots) {
    p.setPen(QPen(colour, size, Qt::SolidLine, Qt::RoundCap));
    p.drawPoints(places);
    return;
  }
  QVector<QRect> squares;
  const int side = std::max(2, static_cast<int>(size) - 2);
  for (const QPointF& at : places) squares.append(QRect(at.toPoint() - QPoint(side / 2, side / 2), QSize(side, side)));
  const bool smooth = p.testRenderHint(QPainter::Antialiasing);
  p.setRenderHint(QPainter::Antialiasing, false);
  p.setPen(Qt::NoPen);
  p.setBrush(colour);
  p.drawRects(squares);
  p.setRenderHint(QPainter::Antialiasing, smooth);
}

qreal paintWord(QPainter& p, const QRectF& where, const QString& text, const QFont& f, const QColor& colour,
                Qt::Alignment align) {
  p.setFont(f);
  p.setPen(colour);
  const QString shown = shortenedText(p, where, text);
  p.drawText(where, align | Qt::AlignVCenter, shown);
  return where.left() + QFontMetricsF(f).horizontalAdvance(shown);
}

void paintValueGrid(QPainter& p, const QRectF& area, const StudySnapshot& study, const StudyAxis& axis) {
  p.setPen(QPen(theme().border1, 1));
  p.drawLine(area.bottomLeft(), area.bottomRight());
  for (const AxisTick& tick : axisTicks(study, axis, 1.5 * row / std::max(1.0, area.height()))) {
    const qreal y = area.bottom() - tick.place * area.height();
    p.setPen(QPen(theme().border1, 1));
    p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    paintWord(p, QRectF(0, y - row / 2, area.left() - 8, row), tick.text, ui::font(TextRole::axis), theme().text2,
              Qt::AlignRight);
  }
}

void paintTicksBelow(QPainter& p, const QRectF& area, const StudySnapshot& study, const StudyAxis& axis) {
  for (const AxisTick& tick : axisTicks(study, axis, 0.75 * column / std::max(1.0, area.width())))
    paintWord(p, QRectF(area.left() + tick.place * area.width() - column / 2, area.bottom() + 4, column, row),
              tick.text, ui::font(TextRole::axis), theme().text2, Qt::AlignHCenter);
}

QString trialSentence(const StudySnapshot& study, qint64 trial) {
  const search::Trial& t = study.trials[static_cast<std::size_t>(trial)];
  QStringList lines{QCoreApplication::translate("Study", "Trial %1 · %2").arg(trial).arg(stateText(study, t))};
  for (std::size_t i = 0; i < study.definition.objectives.size(); ++i) {
    const double value = i < t.values.size() ? t.values[i] : i == 0 ? study.values[trial] : std::nan("");
    lines += QStringLiteral("%1: %2").arg(objectiveTitle(study.definition.objectives[i]),
                                          objectiveText(study.definition.objectives[i].metric, value));
  }
  const auto& parameters = study.definition.space.parameters;
  for (std::size_t i = 0; i < parameters.size() && lines.size() < 12; ++i)
    if (!std::isnan(t.point[i]))
      lines +=
          QStringLiteral("%1: %2").arg(parameterTitle(parameters[i].name), parameterText(parameters[i], t.point[i]));
  return lines.join(u'\n');
}

}  // namespace nw::ui
