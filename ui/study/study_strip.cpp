// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_strip.hpp"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

#include "ui/session/run_title.hpp"
#include "ui/study/study_plot.hpp"
#include "ui/study/study_text.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {

constexpr int study_strip_height = 68;
constexpr qreal name_width = 250, figures_width = 270, buttons_width = 210;
constexpr qint64 most_study_cells = 200;

struct StateCell {
  search::TrialState state;
  QColor (*colour)();
  const char* words;
};
const StateCell state_cells[] = {
    {search::TrialState::complete, [] { return theme().accent; },
     QT_TRANSLATE_N_NOOP("nw::ui::StudyStrip", "%n finished")},
    {search::TrialState::paused,
     [] {
       QColor c = theme().accent;
       c.setAlphaF(0.45F);
       return c;
     },
     QT_TRANSLATE_N_NOOP("nw::ui::StudyStrip", "%n paused")},
    {search::TrialState::running, [] { return theme().ok; }, QT_TRANSLATE_N_NOOP("nw::ui::StudyStrip", "%n running")},
    {search::TrialState::pruned, [] { return theme().text3; }, QT_TRANSLATE_N_NOOP("nw::ui::StudyStrip", "%n pruned")},
    {search::TrialState::failed, [] { return theme().error; }, QT_TRANSLATE_N_NOOP("nw::ui::StudyStrip", "%n failed")},
};

}  // namespace

StudyStrip::StudyStrip(StudyModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setFixedHeight(study_strip_height);
  makePane(*this);
  stop_ = makeButton(tr("Stop"), ButtonKind::neutral, QStringLiteral("stop"), this);
  stop_->setObjectName(QStringLiteral("stopStudy"));
  pause_ = makeButton(tr("Pause"), ButtonKind::tonal, QStringLiteral("pause"), this);
  pause_->setObjectName(QStringLiteral("pauseStudy"));
  continue_ = makeButton(tr("Continue"), ButtonKind::tonal, QStringLiteral("play"), this);
  continue_->setObjectName(QStringLiteral("continueStudy"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, space::l, 0);
  row->addStretch(1);
  row->addWidget(pause_);
  row->addWidget(stop_);
  row->addWidget(continue_);
  connect(stop_, &QPushButton::clicked, this, &StudyStrip::stop);
  connect(pause_, &QPushButton::clicked, this, [this] {
    if (const StudySnapshot* s = model_.data()) Q_EMIT hold(!s->held);
  });
  connect(continue_, &QPushButton::clicked, this, &StudyStrip::goOn);
  connect(&model, &StudyModel::changed, this, &StudyStrip::refresh);
  refresh();
}

void StudyStrip::refresh() {
  const StudySnapshot* s = model_.data();
  stop_->setVisible(s && s->running);
  pause_->setVisible(s && s->running);
  const bool held = s && s->held;
  pause_->setText(held ? tr("Go on") : tr("Pause"));
  pause_->setIcon(icon(held ? QStringLiteral("play") : QStringLiteral("pause")));
  pause_->setToolTip(held ? tr("The trials go on where they wait") : tr("The trials wait where they are, in memory"));
  continue_->setVisible(s && !s->running);
  continue_->setEnabled(s && s->canGoOn);
  if (s) {
    continue_->setToolTip(s->canGoOn ? tr("Go on with this study, with more trials if you like")
                                     : tr("The study's folder lacks the project or the space. Continue it with the "
                                          "command that it was begun with."));
    setAccessibleName(tr("Study %1, %2, trial %3 of %4")
                          .arg(studyTitle(*s), s->held      ? tr("paused")
                                               : s->running ? tr("running")
                                                            : tr("not running"))
                          .arg(s->trials.size())
                          .arg(s->wanted));
  }
  update();
}

void StudyStrip::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.fillRect(rect(), theme().window);
  p.fillRect(QRectF(0, height() - 1, width(), 1), theme().border1);
  const StudySnapshot* s = model_.data();
  if (!s) return;
  const QPointF dot(26, 25);
  p.setPen(Qt::NoPen);
  p.setBrush(s->held ? theme().warnSoft : s->running ? theme().okSoft : theme().border1);
  p.drawEllipse(dot, 8, 8);
  p.setBrush(s->held ? theme().warn : s->running ? theme().ok : theme().text3);
  p.drawEllipse(dot, 4.5, 4.5);
  const qreal after =
      paintWord(p, QRectF(44, 14, name_width - 90, 22), studyTitle(*s), ui::font(TextRole::title), theme().text1);
  paintWord(p, QRectF(after + 10, 14, std::max(0.0, name_width + 24 - after), 22), samplerText(s->definition),
            ui::font(TextRole::secondary), theme().text3);
  paintWord(p, QRectF(44, 38, name_width - 10, 18), goalText(*s), ui::font(TextRole::secondary), theme().text2);
  const bool figures = width() > 1050;
  const qreal right = width() - buttons_width - (figures ? figures_width : 0);
  paintTrials(p, QRectF(name_width + 52, 0, std::max(60.0, right - name_width - 82), height()), *s);
  if (figures) paintFigures(p, QRectF(right, 0, figures_width, height()), *s);
}

QVector<StateWords> stateWords(const StudySnapshot& s, qreal room) {
  QVector<StateWords> all;
  QStringList numbers;
  qreal needs = 0;
  const auto wide = [](const QString& words) { return textWidth(ui::font(TextRole::secondary), words) + 27; };
  for (const StateCell& row : state_cells) {
    const auto n = static_cast<int>(s.count(row.state));
    if (n == 0) continue;
    all.append({row.colour(), QCoreApplication::translate("nw::ui::StudyStrip", row.words, nullptr, n)});
    numbers += QString::number(n);
    needs += wide(all.last().words);
  }
  for (qsizetype i = 0; i < all.size() && needs > room; ++i) {
    needs -= wide(all[i].words) - wide(numbers[i]);
    all[i].words = numbers[i];
  }
  return all;
}

void StudyStrip::paintTrials(QPainter& p, const QRectF& where, const StudySnapshot& s) {
  QFont strong = ui::font(TextRole::body);
  strong.setWeight(QFont::DemiBold);
  const QString left = s.secondsLeft() > 0 ? tr("about %1 left").arg(durationText(s.secondsLeft())) : QString();
  const qreal leftWidth = left.isEmpty() ? 0 : textWidth(strong, left) + 8;
  paintWord(p, QRectF(where.right() - leftWidth, 14, leftWidth, 20), left, strong, theme().text1, Qt::AlignRight);
  qreal x = paintWord(p, QRectF(where.left(), 14, where.width(), 20),
                      tr("Trial %1 of %2").arg(s.trials.size()).arg(s.wanted), strong, theme().text1) +
            16;
  for (const StateWords& row : stateWords(s, where.right() - leftWidth - x)) {
    p.setPen(Qt::NoPen);
    p.setBrush(row.colour);
    p.drawRoundedRect(QRectF(x, 20, 8, 8), 2.5, 2.5);
    x = paintWord(p, QRectF(x + 13, 14, where.width(), 20), row.words, ui::font(TextRole::secondary), theme().text2) +
        14;
  }
  const auto cells = std::min(s.wanted, most_study_cells);
  const qreal each = std::min(11.0, where.width() / static_cast<qreal>(std::max<qint64>(1, cells)));
  for (qint64 i = 0; i < cells; ++i) {
    const qint64 trial = i * s.wanted / cells;
    QColor colour = theme().border1;
    bool running = false;
    if (trial < static_cast<qint64>(s.trials.size()))
      for (const StateCell& row : state_cells)
        if (row.state == s.trials[static_cast<std::size_t>(trial)].state)
          colour = row.colour(), running = row.state == search::TrialState::running;
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    p.drawRoundedRect(QRectF(where.left() + each * static_cast<qreal>(i), running ? 42 : 43, std::max(1.5, each - 3),
                             running ? 10 : 8),
                      2.5, 2.5);
  }
}

void StudyStrip::paintFigures(QPainter& p, const QRectF& where, const StudySnapshot& s) {
  const auto figure = [&](qreal x, qreal width, const QString& name, const QString& value, const QString& note) {
    p.fillRect(QRectF(x - 14, 14, 1, 40), theme().border1);
    paintWord(p, QRectF(x, 10, width, 20), name, ui::font(TextRole::secondary), theme().text2);
    const qreal after = paintWord(p, QRectF(x, 31, width, 24), value, ui::font(TextRole::figure), theme().text1);
    paintWord(p, QRectF(after + 6, 33, std::max(0.0, x + width - after - 6), 22), note, ui::font(TextRole::secondary),
              theme().text2);
  };
  const qint64 best = s.best >= 0 ? s.best : s.front.isEmpty() ? -1 : s.front.first();
  const search::Objective& o = s.definition.objectives.front();
  figure(where.left() + 14, 130, objectiveTitle(o),
         best < 0 ? QStringLiteral("–") : objectiveText(o.metric, s.values[best]),
         best < 0 ? QString() : tr("trial %1").arg(best));
  const qint64 all = s.wanted * s.definition.epochs, spent = s.epochsSpent();
  figure(where.left() + 165, 110, tr("Epochs"), grouped(spent), tr("of %1").arg(grouped(all)));
}

}  // namespace nw::ui
