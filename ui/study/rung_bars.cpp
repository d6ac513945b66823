// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/rung_bars.hpp"

#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace nw::ui {

RungBars::RungBars(StudyModel& model, QWidget* parent) : StudyPlot(model, tr("Rungs"), parent) {}

QVector<RungBars::Row> RungBars::rows(const StudySnapshot& study) {
  using search::TrialState;
  QVector<Row> rows;
  for (qsizetype i = 0; i < study.rungs.size(); ++i) {
    const qint64 epoch = study.rungs[i], before = i == 0 ? 0 : study.rungs[i - 1];
    qint64 reached = 0, running = 0, further = 0;
    for (const search::Trial& t : study.trials) {
      const bool here = t.state == TrialState::running && t.to_epoch == epoch;
      reached += (t.to_epoch > epoch || (t.to_epoch == epoch && t.state != TrialState::running)) &&
                         t.state != TrialState::failed && t.to_epoch > before
                     ? 1
                     : 0;
      running += here ? 1 : 0;
      further += t.to_epoch > epoch ? 1 : 0;
    }
    const bool last = i + 1 == study.rungs.size();
    rows.append({tr("%n epoch(s)", nullptr, static_cast<int>(epoch)),
                 running > 0 ? tr("+ %1 running").arg(running) : QString(),
                 last ? tr("trained to the end") : tr("%1 promoted").arg(further), reached,
                 0.25 + 0.75 * static_cast<double>(i + 1) / static_cast<double>(study.rungs.size())});
  }
  if (!rows.isEmpty()) return rows;
  const std::pair<TrialState, QString> states[] = {{TrialState::complete, tr("Finished")},
                                                   {TrialState::running, tr("Running")},
                                                   {TrialState::pruned, tr("Pruned")},
                                                   {TrialState::failed, tr("Failed")}};
  for (const auto& [state, title] : states)
    rows.append({title, {}, {}, study.count(state), state == TrialState::complete ? 1 : 0.5});
  return rows;
}

void RungBars::paintData(QPainter& p, const StudySnapshot& study) {
  const QVector<Row> all = rows(study);
  qint64 most = 1;
  for (const Row& row : all) most = std::max(most, row.count);
  const qreal each = std::min(54.0, (height() - 8.0) / std::max<qreal>(1, static_cast<qreal>(all.size())));
  QFont strong = ui::font(TextRole::body);
  strong.setWeight(QFont::DemiBold);
  for (qsizetype i = 0; i < all.size(); ++i) {
    const Row& row = all[i];
    const qreal top = 4 + each * static_cast<qreal>(i);
    const qreal after = paintWord(p, QRectF(2, top, width() * 0.45, 18), row.title, strong, theme().text1);
    paintWord(p, QRectF(after + 10, top, width() * 0.4, 18), row.note, ui::font(TextRole::secondary), theme().text2);
    paintWord(p, QRectF(width() - 70, top, 68, 18), QString::number(row.count), strong, theme().text1, Qt::AlignRight);
    const QRectF track(2, top + 20, width() - 4, each > 30 ? 7 : 4);
    p.setPen(Qt::NoPen);
    p.setBrush(theme().border1);
    p.drawRoundedRect(track, 2.5, 2.5);
    p.setBrush(Theme::ramp(theme().countRamp, row.shade));
    const qreal length = track.width() * static_cast<qreal>(row.count) / static_cast<qreal>(most);
    if (row.count > 0)
      p.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(3.0, length), track.height())), 2.5, 2.5);
    if (each >= 44)
      paintWord(p, QRectF(2, top + 28, width() - 4, 16), row.below, ui::font(TextRole::secondary), theme().text2);
  }
}

}  // namespace nw::ui
