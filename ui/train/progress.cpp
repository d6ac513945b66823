// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/progress.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "engine/design/precision.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/runs/pause.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/sentences.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
struct ProgressStripTexts {
  Q_DECLARE_TR_FUNCTIONS(ProgressStrip)
};

struct PhaseRow {
  FeedPhase phase;
  const char* text;
  const char* tone;
};
constexpr PhaseRow phase_rows[] = {
    {FeedPhase::starting, QT_TRANSLATE_NOOP("ProgressStrip", "Starting"), "accent"},
    {FeedPhase::training, QT_TRANSLATE_NOOP("ProgressStrip", "Training"), "ok"},
    {FeedPhase::paused, QT_TRANSLATE_NOOP("ProgressStrip", "Paused"), "warn"},
    {FeedPhase::stopping, QT_TRANSLATE_NOOP("ProgressStrip", "Stopping…"), "warn"},
    {FeedPhase::finished, QT_TRANSLATE_NOOP("ProgressStrip", "Finished"), "ok"},
    {FeedPhase::stopped, QT_TRANSLATE_NOOP("ProgressStrip", "Stopped"), ""},
    {FeedPhase::failed, QT_TRANSLATE_NOOP("ProgressStrip", "Failed"), "error"},
    {FeedPhase::interrupted, QT_TRANSLATE_NOOP("ProgressStrip", "Interrupted"), "error"},
};

bool isLive(FeedPhase phase) {
  return phase == FeedPhase::training || phase == FeedPhase::paused || phase == FeedPhase::stopping;
}

QString precisionText(const RunFeed& feed) {
  if (!feed.definition()) return {};
  const auto& precision = feed.definition()->doc.settings().precision;
  return precision ? QLatin1String(precision_name(precision)) : ProgressStripTexts::tr("automatic");
}

QString details(const RunFeed& feed) {
  QStringList parts;
  const Started& s = feed.started();
  if (!s.device.empty()) parts += deviceText(s.device);
  if (s.batch > 0) parts += ProgressStripTexts::tr("batch %1").arg(grouped(s.batch));
  if (const QString precision = precisionText(feed); !precision.isEmpty()) parts += precision;
  return parts.join(QStringLiteral(" · "));
}

Figure accuracyFigure(const RunFeed& feed) {
  const EpochEnd* best = best_epoch(feed.epochs());
  const bool validated = !best || best->has_validation;
  const Metric metric = feed.started().metric;
  const QString caption = bestCaption(metric, validated);
  if (!best) return {caption, QStringLiteral("–"), {}};
  return {caption, metricText(metric, compared_accuracy(*best)), ProgressStripTexts::tr("epoch %1").arg(best->epoch)};
}

Figure throughputFigure(const RunFeed& feed, FeedPhase phase) {
  double speed = feed.last().images_per_s;
  if (const Ended* ended = feed.ended(); ended && ended->images_per_s > 0) speed = ended->images_per_s;
  const bool known = speed > 0 && phase != FeedPhase::paused;
  return {ProgressStripTexts::tr("Throughput"), known ? grouped(std::llround(speed)) : QStringLiteral("–"),
          known ? ProgressStripTexts::tr("images/s") : QString()};
}

Figure savedFigure(const RunFeed& feed, FeedPhase phase) {
  const QString caption = ProgressStripTexts::tr("Last save");
  for (auto it = feed.log().rbegin(); it != feed.log().rend(); ++it) {
    const auto* saved = std::get_if<Saved>(&it->what);
    if (!saved) continue;
    if (!isLive(phase)) return {caption, ProgressStripTexts::tr("step %1").arg(grouped(saved->step)), {}};
    return {caption, durationText(std::max(0.0, feed.processSeconds() - it->t)), ProgressStripTexts::tr("ago")};
  }
  return {caption, QStringLiteral("–"), {}};
}

/// What must be mended before a paused run goes on; empty: the user paused it.
QString pauseReason(const RunFeed& feed) {
  PauseReader reader;
  for (const auto& entry : feed.log()) reader.take(entry);
  return reader.pause() && !reader.pause()->reason.empty() ? translated(reader.pause()->reason) : QString();
}

/// Actions after an unplanned end. A run that failed on a GPU can resume on the CPU; one that failed because of a full
/// disk would fail there too, and one whose values are not finite wherever it is resumed: it goes on with a lower rate.
QStringList noticeActions(const RunFeed& feed, bool canResume) {
  if (!canResume) return {};
  const Ended* ended = feed.ended();
  const bool elsewhere = ended && ended->exit_code == static_cast<int>(Errc::disk);
  const auto isGpu = [](const std::string& device) { return device.rfind("cuda", 0) == 0; };
  const bool onGpu = feed.definition() && std::any_of(feed.definition()->doc.settings().devices.begin(),
                                                      feed.definition()->doc.settings().devices.end(), isGpu);
  if (ended && ended->exit_code == static_cast<int>(Errc::not_finite)) return {QStringLiteral("lower-rate")};
  const QString again = QStringLiteral("resume"), onCpu = QStringLiteral("resume-cpu");
  return onGpu && !elsewhere ? QStringList{onCpu, again} : QStringList{again};
}
}  // namespace

FeedPhase phaseOf(const RunFeed& feed, RunController::State state, bool active) {
  using State = RunController::State;
  if (feed.folder().isEmpty()) return FeedPhase::none;
  if (active && state == State::stopping) return FeedPhase::stopping;
  if (active && state == State::starting && feed.status() != RunStatus::running) return FeedPhase::starting;
  // the feed has not read the event yet
  if (active && state != State::idle && feed.status() == RunStatus::interrupted) return FeedPhase::starting;
  switch (feed.status()) {
    case RunStatus::running:
      return feed.started().time <= 0 ? FeedPhase::starting : feed.paused() ? FeedPhase::paused : FeedPhase::training;
    case RunStatus::finished:
      return FeedPhase::finished;
    case RunStatus::stopped:
      return FeedPhase::stopped;
    case RunStatus::failed:
      return FeedPhase::failed;
    case RunStatus::interrupted:
      break;
  }
  return feed.loaded() ? FeedPhase::interrupted : FeedPhase::starting;
}

Progress progressOf(const RunFeed& feed, FeedPhase phase) {
  Progress p;
  for (const PhaseRow& row : phase_rows)
    if (row.phase == phase) {
      p.state = QCoreApplication::translate("ProgressStrip", row.text);
      p.tone = QLatin1String(row.tone);
    }
  p.run = feed.title();
  p.details = details(feed);
  p.device = QString::fromStdString(feed.started().device);
  const Started& s = feed.started();
  const std::int64_t steps = s.epochs * s.steps_per_epoch;
  p.epochs = s.epochs;
  if (s.epochs > 0) {
    const auto epoch = std::min<std::int64_t>(
        s.epochs, static_cast<std::int64_t>(std::floor(std::max(0.0, feed.last().epoch - 1e-9))) + 1);
    p.epoch = ProgressStripTexts::tr("Epoch %1").arg(epoch);
    p.ofEpochs = ProgressStripTexts::tr("of %1").arg(s.epochs);
    p.step = ProgressStripTexts::tr("Step %1").arg(grouped(feed.last().last));
    p.ofSteps = ProgressStripTexts::tr("of %1").arg(grouped(steps));
    p.elapsed = ProgressStripTexts::tr("%1 elapsed").arg(durationText(feed.elapsedSeconds()));
    p.fraction = std::clamp(
        static_cast<double>(feed.last().last) / static_cast<double>(std::max<std::int64_t>(1, steps)), 0.0, 1.0);
  }
  if (const double left = feed.secondsLeft(); left >= 0 && isLive(phase) && phase != FeedPhase::paused)
    p.left = ProgressStripTexts::tr("%1 left").arg(durationText(left));
  if (const EpochEnd* best = best_epoch(feed.epochs()); best && s.epochs > 0)
    p.best = static_cast<double>(best->epoch) / static_cast<double>(s.epochs);
  p.figures = {accuracyFigure(feed), throughputFigure(feed, phase), savedFigure(feed, phase)};
  return p;
}

Notice noticeOf(const RunFeed& feed, FeedPhase phase, const QString& message, bool canResume) {
  const QStringList onward =
      phase == FeedPhase::stopped && canResume ? QStringList{QStringLiteral("resume")} : noticeActions(feed, canResume);
  const Ended* ended = feed.ended();
  const QString why = ended && !ended->message.empty() ? translated(ended->message) : QString();
  const QString goesOn =
      canResume ? ProgressStripTexts::tr("The last checkpoint is intact: training can be resumed from it.") : QString();
  switch (phase) {
    case FeedPhase::finished: {
      const bool tested = ended && is_tested(*ended);
      const QString title = tested ? testSentence(feed.started().metric, ended->test_accuracy)
                                   : ProgressStripTexts::tr("Training finished");
      const QString time =
          ended ? ProgressStripTexts::tr("Finished after %1.").arg(durationText(feed.elapsedSeconds())) : QString();
      return {QStringLiteral("ok"),
              QStringLiteral("check-circle"),
              title,
              time,
              {QStringLiteral("predict"), QStringLiteral("adapt")}};
    }
    case FeedPhase::stopped:
      return {QStringLiteral("accent"), QStringLiteral("stop"), ProgressStripTexts::tr("Training was stopped"),
              why.isEmpty() ? goesOn : why, QStringList{QStringLiteral("predict")} + onward};
    case FeedPhase::failed:
      return {QStringLiteral("error"), QStringLiteral("alert-octagon"), ProgressStripTexts::tr("Training failed"),
              why.isEmpty() ? goesOn : why, onward + QStringList{QStringLiteral("log")}};
    case FeedPhase::interrupted: {
      const QString unknown =
          joinedSentences(ProgressStripTexts::tr("The training process ended without reporting a reason."), goesOn);
      return {QStringLiteral("error"), QStringLiteral("alert-triangle"),
              ProgressStripTexts::tr("Training was interrupted"), message.isEmpty() ? unknown.trimmed() : message,
              onward + QStringList{QStringLiteral("log")}};
    }
    case FeedPhase::paused:
      if (const QString reason = pauseReason(feed); !reason.isEmpty())
        return {QStringLiteral("warn"),
                QStringLiteral("alert-triangle"),
                ProgressStripTexts::tr("Training is paused"),
                reason,
                {QStringLiteral("try-again")}};
      break;
    case FeedPhase::none:
    case FeedPhase::starting:
    case FeedPhase::training:
    case FeedPhase::stopping:
      break;
  }
  return {};
}

}  // namespace nw::ui
