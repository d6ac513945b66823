// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/source/chooser.hpp"

#include <QMenu>
#include <QPainter>
#include <QtConcurrent>
#include <algorithm>
#include <cmath>

#include "ui/session/metric.hpp"
#include "ui/session/run_title.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int most_listed = 30;
constexpr int pad = 12, chevron = 12;

void add(std::vector<WeightsOfRun>& runs, const RunSummary& summary) {
  std::vector<CheckpointName> checkpoints = list_checkpoints(summary.folder);
  if (checkpoints.empty()) return;
  const Result<CheckpointName> best = best_checkpoint(summary.folder), latest = latest_checkpoint(summary.folder);
  runs.push_back({summary, std::move(checkpoints), best ? best->step : 0, latest ? latest->step : 0});
}

std::vector<WeightsOfRun> read_runs(const QString& also) {
  std::vector<WeightsOfRun> runs;
  bool seen = also.isEmpty();
  for (const RunSummary& summary : list_runs(runs_folder())) {
    seen = seen || QString::fromStdString(summary.folder.string()) == also;
    add(runs, summary);
  }
  if (seen) return runs;
  if (const Result<RunSummary> summary = summarize_run(fs::path(also.toStdString()))) {
    add(runs, *summary);
    std::rotate(runs.begin(), runs.end() - (runs.empty() ? 0 : 1), runs.end());
  }
  return runs;
}

/// Number of finished epochs at a step; 0: unknown.
qint64 epoch_at(const RunSummary& run, qint64 step) {
  if (run.epochs_done <= 0 || run.steps <= 0) return 0;
  return std::lround(static_cast<double>(step) * static_cast<double>(run.epochs_done) / static_cast<double>(run.steps));
}

}  // namespace

ChooserButton::ChooserButton(const QString& label, QWidget* parent, bool framed)
    : QPushButton(parent), label_(label), framed_(framed) {
  setAccessibleName(label);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
}

void ChooserButton::setValue(const QString& value) {
  value_ = value;
  setAccessibleDescription(value);
  setToolTip(value);
  updateGeometry();
  update();
}

QSize ChooserButton::sizeHint() const {
  const int label = framed_ ? QFontMetrics(ui::font(TextRole::secondary)).horizontalAdvance(label_) + 6 : 0;
  const int value = QFontMetrics(ui::font(TextRole::button)).horizontalAdvance(value_);
  return {std::min(2 * pad + label + value + 10 + chevron, 380), framed_ ? 34 : 28};
}

void ChooserButton::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
  p.setPen(hasFocus() ? QPen(t.ring, 1.6) : framed_ ? QPen(underMouse() ? t.border3 : t.border2, 1) : QPen(Qt::NoPen));
  p.setBrush(framed_ ? QBrush(t.raised) : underMouse() ? QBrush(t.hover) : QBrush(Qt::NoBrush));
  p.drawRoundedRect(box, radius::control, radius::control);
  qreal x = pad;
  if (framed_) {
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(t.text2);
    const qreal width = QFontMetricsF(p.font()).horizontalAdvance(label_);
    p.drawText(QRectF(x, 0, width + 2, height()), Qt::AlignVCenter, label_);
    x += width + 6;
  }
  p.setFont(ui::font(TextRole::button));
  p.setPen(framed_ ? t.text1 : t.text2);
  const qreal room = width() - x - chevron - pad - 4;
  p.drawText(QRectF(x, 0, room + 2, height()), Qt::AlignVCenter,
             QFontMetrics(p.font()).elidedText(value_, Qt::ElideMiddle, static_cast<int>(room) + 2));
  paintIcon(p, QStringLiteral("chevron-down"),
            QRectF(width() - pad - chevron, (height() - chevron) / 2.0, chevron, chevron), t.text3);
}

WeightsList::WeightsList(QObject* parent) : QObject(parent) {
  connect(&watcher_, &QFutureWatcherBase::finished, this, [this] {
    if (auto runs = watcher_.result()) runs_ = *std::move(runs);
    refreshing_ = false;
    Q_EMIT refreshed();
    if (std::exchange(again_, false)) refresh(also_);
  });
}

WeightsList::~WeightsList() { watcher_.waitForFinished(); }

void WeightsList::refresh(const QString& also) {
  also_ = also;
  if (refreshing_) {
    again_ = true;
    return;
  }
  refreshing_ = true;
  watcher_.setFuture(QtConcurrent::run(guarded(read_runs), also));
}

const WeightsOfRun* WeightsList::find(const QString& folder) const {
  const auto found =
      std::find_if(runs_.begin(), runs_.end(), [&](const WeightsOfRun& r) { return r.folder() == folder; });
  return found == runs_.end() ? nullptr : &*found;
}

QString WeightsList::project(const QString& run) const {
  const WeightsOfRun* known = find(run);
  return known != nullptr ? QString::fromStdString(known->summary.name) : QString();
}

QString WeightsList::describe(const QString& run, const QString& checkpoint, qint64 step) const {
  const WeightsOfRun* known = find(run);
  const QString given = known != nullptr ? QString::fromStdString(known->summary.given_name) : QString();
  const QString title = given.isEmpty()          ? titleWithProject(project(run), run)
                        : project(run).isEmpty() ? given
                                                 : QStringLiteral("%1 · %2").arg(project(run), given);
  const QString which = checkpoint == QLatin1String("best")     ? tr("best")
                        : checkpoint == QLatin1String("latest") ? tr("latest")
                                                                : tr("step %1").arg(grouped(step));
  const qint64 epoch = known != nullptr ? epoch_at(known->summary, step) : 0;
  return epoch > 0 ? tr("%1, %2, epoch %3").arg(title, which).arg(epoch) : tr("%1, %2").arg(title, which);
}

void WeightsList::fill(QMenu& menu, const QString& run, const QString& checkpoint) {
  menu.clear();
  const auto add = [&](QMenu& to, const QString& text, const QString& folder, const QString& name) {
    QAction* action = to.addAction(text, this, [this, folder, name] { Q_EMIT chosen(folder, name); });
    action->setCheckable(true);
    action->setChecked(folder == run && name == checkpoint);
  };
  for (const WeightsOfRun& r : std::span(runs_).first(std::min<std::size_t>(runs_.size(), most_listed))) {
    const double accuracy = std::isfinite(r.summary.test_accuracy) ? r.summary.test_accuracy : r.summary.best_accuracy;
    QMenu* sub = menu.addMenu(
        !std::isfinite(accuracy) ? r.title() : tr("%1   %2").arg(r.title(), metricText(r.summary.metric, accuracy)));
    add(*sub, tr("Best"), r.folder(), QStringLiteral("best"));
    add(*sub, tr("Latest"), r.folder(), QStringLiteral("latest"));
    sub->addSeparator();
    for (auto c = r.checkpoints.rbegin(); c != r.checkpoints.rend(); ++c) {
      const qint64 epoch = epoch_at(r.summary, c->step);
      const QString text =
          epoch > 0 ? tr("Step %1, epoch %2").arg(grouped(c->step)).arg(epoch) : tr("Step %1").arg(grouped(c->step));
      add(*sub, text, r.folder(), QString::fromStdString(c->name));
    }
  }
}

}  // namespace nw::ui
