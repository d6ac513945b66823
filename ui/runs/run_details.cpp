// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_details.hpp"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_scale.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/run_title.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
struct RunDetailsTexts {
  Q_DECLARE_TR_FUNCTIONS(RunDetails)
};

struct ActionRow {
  const char* id;
  const char* text;
  const char* icon;
  ButtonKind kind;
};
constexpr ActionRow action_rows[] = {
    {"open", QT_TRANSLATE_NOOP("RunDetails", "Open"), "chart", ButtonKind::tonal},
    {"predict", QT_TRANSLATE_NOOP("RunDetails", "See predictions"), "eye", ButtonKind::neutral},
    {"resume", QT_TRANSLATE_NOOP("RunDetails", "Resume"), "play", ButtonKind::neutral},
    {"reveal", QT_TRANSLATE_NOOP("RunDetails", "Show folder"), "folder", ButtonKind::ghost},
    {"delete", QT_TRANSLATE_NOOP("RunDetails", "Move to trash"), "trash", ButtonKind::ghost},
};
}  // namespace

QVector<RunProperty> runProperties(const RunRow& row) {
  const RunSummary& s = row.summary;
  QVector<RunProperty> out;
  const auto add = [&](const QString& name, const QString& value, bool known = true) {
    if (known) out.append({name, value});
  };
  const bool plain = s.metric == Metric::accuracy;
  add(bestCaption(s.metric, true), metricText(s.metric, s.best_accuracy, 2), std::isfinite(s.best_accuracy));
  add(plain ? RunDetailsTexts::tr("Test accuracy") : RunDetailsTexts::tr("%1, test").arg(metricTitle(s.metric)),
      metricText(s.metric, s.test_accuracy, 2), std::isfinite(s.test_accuracy));
  add(RunDetailsTexts::tr("Last loss"), QString::number(s.last_loss, 'g', 4), s.last_loss >= 0);
  add(RunDetailsTexts::tr("Epochs"), RunDetailsTexts::tr("%1 of %2").arg(s.epochs_done).arg(s.epochs));
  add(RunDetailsTexts::tr("Steps"), grouped(s.steps), s.steps > 0);
  add(RunDetailsTexts::tr("Optimizer"), row.optimizer, !row.optimizer.isEmpty());
  add(RunDetailsTexts::tr("Learning rate"), tickText(row.learningRate), row.learningRate >= 0);
  add(RunDetailsTexts::tr("Batch"), grouped(row.batch), row.batch > 0);
  add(RunDetailsTexts::tr("Seed"), QString::number(row.seed), row.seed >= 0);
  add(RunDetailsTexts::tr("Parameters"), grouped(s.parameters), s.parameters > 0);
  add(RunDetailsTexts::tr("Time"), durationText(s.wall_s), s.wall_s > 0);
  const auto addEnergy = [&](const QString& name, double joules) {
    const double each = s.images > 0 ? 1000 * joules / static_cast<double>(s.images) : 0;
    add(name, RunDetailsTexts::tr("%1 kJ, %2 J per 1,000 images").arg(joules / 1000, 0, 'f', 1).arg(each, 0, 'f', 2),
        joules >= 0 && s.images > 0);
  };
  addEnergy(RunDetailsTexts::tr("Energy of the GPUs"), s.gpu_energy_j);
  addEnergy(RunDetailsTexts::tr("Energy of the processors"), s.cpu_energy_j);
  add(RunDetailsTexts::tr("Device"), deviceText(s.device), !s.device.empty());
  return out;
}

RunDetails::RunDetails(QWidget* parent) : QWidget(parent) {
  setMinimumWidth(420);
  auto* row = new WrappingBar;
  for (const ActionRow& a : action_rows) {
    QPushButton* button = makeButton(QCoreApplication::translate("RunDetails", a.text), a.kind, QLatin1String(a.icon));
    button->setObjectName(QLatin1String(a.id));
    connect(button, &QPushButton::clicked, this, [this, id = QString::fromLatin1(a.id)] { Q_EMIT action(id); });
    row->addWidget(button, buttons_.size() == 2);
    buttons_.append(button);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 0, 12, 12);
  column->addStretch(1);
  column->addWidget(row);
  setRun(nullptr);
}

QPushButton* RunDetails::button(const QString& action) const {
  const auto found =
      std::find_if(buttons_.begin(), buttons_.end(), [&](const QPushButton* b) { return b->objectName() == action; });
  return found == buttons_.end() ? nullptr : *found;
}

void RunDetails::setRun(const RunRow* row) {
  facts_ = row ? runProperties(*row) : QVector<RunProperty>();
  title_ = row ? runTitle(row->id()) : tr("No run chosen");
  subtitle_ = row ? whenText(row->summary.created) : tr("Choose a row to see its settings.");
  const bool running = row && row->summary.status == RunStatus::running;
  for (QPushButton* b : buttons_) b->setEnabled(row != nullptr);
  button(QStringLiteral("resume"))->setVisible(row && row->summary.can_resume && !running);
  button(QStringLiteral("predict"))->setEnabled(row && row->summary.epochs_done > 0);
  button(QStringLiteral("delete"))->setEnabled(row && !running);
  button(QStringLiteral("delete"))->setToolTip(running ? tr("Stop the run first") : QString());
  setAccessibleName(title_);
  update();
}

void RunDetails::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  style::box(p, rect(), radius::card, theme().chartCard, theme().border1);
  p.setFont(ui::font(TextRole::node));
  p.setPen(theme().text1);
  p.drawText(QRectF(14, 4, width() - 28, 34), Qt::AlignLeft | Qt::AlignVCenter, title_);
  const qreal after = 14 + QFontMetricsF(p.font()).horizontalAdvance(title_) + 8;
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(theme().text3);
  p.drawText(QRectF(after, 4, width() - after - 14, 34), Qt::AlignLeft | Qt::AlignVCenter, subtitle_);

  constexpr int columns = 2;
  constexpr qreal line = 26, top = 46;
  const qreal wide = (width() - 28.0 - 24) / columns;
  const qsizetype rows = (facts_.size() + columns - 1) / columns;
  for (qsizetype i = 0; i < facts_.size(); ++i) {
    const QRectF where(14 + (wide + 24) * static_cast<qreal>(i / rows), top + line * static_cast<qreal>(i % rows), wide,
                       line);
    if (where.bottom() > height() - 50) continue;
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(theme().text2);
    p.drawText(where, Qt::AlignLeft | Qt::AlignVCenter, facts_[i].name);
    const qreal room = where.width() - QFontMetricsF(p.font()).horizontalAdvance(facts_[i].name) - 12;
    p.setFont(ui::font(TextRole::button));
    p.setPen(theme().text1);
    p.drawText(where, Qt::AlignRight | Qt::AlignVCenter,
               QFontMetricsF(p.font()).elidedText(facts_[i].value, Qt::ElideRight, room));
    p.fillRect(QRectF(where.left(), where.bottom(), where.width(), 1), theme().border1);
  }
}

}  // namespace nw::ui
