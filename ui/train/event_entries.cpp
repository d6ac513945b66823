// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <algorithm>
#include <optional>

#include "engine/runs/epochs.hpp"
#include "engine/runs/pause.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/event_list.hpp"

namespace nw::ui {

namespace {
struct EventListTexts {
  Q_DECLARE_TR_FUNCTIONS(EventList)
};

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

QString step(std::int64_t n) { return EventListTexts::tr("step %1").arg(grouped(n)); }
QString joined(const QStringList& parts) { return parts.join(QStringLiteral(", ")); }

EventRow of(const Started& e) {
  return {QStringLiteral("play"),
          {},
          EventListTexts::tr("Training started"),
          joined({deviceText(e.device), EventListTexts::tr("%1 image(s), %2 a step", nullptr, static_cast<int>(e.train))
                                            .arg(grouped(e.train), grouped(e.batch))}),
          0};
}

EventRow of(const EpochEnd& e, Metric metric) {
  const QString detail = e.has_validation ? EventListTexts::tr("validation %1, loss %2")
                                                .arg(metricText(metric, e.validation_accuracy))
                                                .arg(e.validation_loss, 0, 'g', 4)
                                          : EventListTexts::tr("training %1, loss %2")
                                                .arg(metricText(metric, e.train_accuracy))
                                                .arg(e.train_loss, 0, 'g', 4);
  return {QStringLiteral("check"), {}, EventListTexts::tr("Epoch %1 finished").arg(e.epoch), detail, 0};
}

EventRow bestOf(const EpochEnd& e, Metric metric) {
  return {QStringLiteral("star-filled"), QStringLiteral("best"),
          EventListTexts::tr("Best so far: %1").arg(metricText(metric, compared_accuracy(e))),
          EventListTexts::tr("epoch %1").arg(e.epoch), 0};
}

EventRow of(const Health& e) {
  const bool error = e.level == HealthLevel::error, warning = e.level == HealthLevel::warning;
  return {error     ? QStringLiteral("alert-octagon")
          : warning ? QStringLiteral("alert-triangle")
                    : QStringLiteral("info"),
          error     ? QStringLiteral("error")
          : warning ? QStringLiteral("warn")
                    : QString(),
          translated(e.message), e.step > 0 ? step(e.step) : QString(), 0};
}

EventRow of(const Knob& e) {
  const QString name = e.name == "learning_rate" ? EventListTexts::tr("Learning rate")
                       : e.name == epochs_knob   ? EventListTexts::tr("Epochs")
                                                 : QString::fromStdString(e.name);
  return {QStringLiteral("flag"), {}, QStringLiteral("%1 → %2").arg(name).arg(e.value, 0, 'g', 4), step(e.step), 0};
}

EventRow of(const Saved& e) {
  const QString detail = e.bytes > 0 ? joined({step(e.step), bytesText(static_cast<double>(e.bytes))}) : step(e.step);
  return {QStringLiteral("save"),
          {},
          e.best ? EventListTexts::tr("Checkpoint saved as best") : EventListTexts::tr("Checkpoint saved"),
          detail,
          0};
}

EventRow of(const Resumed& e) {
  return {QStringLiteral("play"),
          {},
          EventListTexts::tr("Training resumed"),
          EventListTexts::tr("from step %1").arg(grouped(e.from_step)),
          0};
}
EventRow of(const Paused& e) { return {QStringLiteral("pause"), {}, EventListTexts::tr("Paused"), step(e.step), 0}; }
EventRow of(const Continued& e) {
  return {QStringLiteral("play"), {}, EventListTexts::tr("Continued"), step(e.step), 0};
}

EventRow of(const Ended& e, Metric metric) {
  switch (e.reason) {
    case EndReason::failed:
      return {QStringLiteral("alert-octagon"), QStringLiteral("error"), EventListTexts::tr("Training failed"),
              translated(e.message), 0};
    case EndReason::stopped:
      return {QStringLiteral("stop"),
              {},
              EventListTexts::tr("Training stopped"),
              e.message.empty() ? step(e.step) : translated(e.message),
              0};
    case EndReason::finished:
      break;
  }
  const QString detail =
      is_tested(e) ? joined({testSentence(metric, e.test_accuracy), durationText(e.wall_s)}) : durationText(e.wall_s);
  return {QStringLiteral("check-circle"), QStringLiteral("ok"), EventListTexts::tr("Training finished"), detail, 0};
}
}  // namespace

namespace {
/// The epochs up to an event of the log.
class EpochsSoFar {
 public:
  /// True if the event is the end of the best epoch so far.
  bool take(const Event& event) {
    if (const auto* resumed = std::get_if<Resumed>(&event.what)) forget(resumed->from_step);
    const auto* epoch = std::get_if<EpochEnd>(&event.what);
    if (!epoch) return false;
    epochs_.push_back(*epoch);
    const EpochEnd two[] = {best_.value_or(*epoch), *epoch};
    const bool better = !best_ || best_epoch(two) == &two[1];
    if (better) best_ = *epoch;
    return better;
  }

 private:
  void forget(std::int64_t after) {
    std::erase_if(epochs_, [&](const EpochEnd& e) { return e.step > after; });
    const EpochEnd* best = best_epoch(epochs_);
    best_ = best ? std::optional(*best) : std::nullopt;
  }

  std::vector<EpochEnd> epochs_;
  std::optional<EpochEnd> best_;
};
}  // namespace

QVector<EventRow> eventEntries(const std::vector<Event>& log, std::size_t most) {
  QVector<EventRow> out;
  double origin = 0;
  Metric metric = Started().metric;
  EpochsSoFar epochs;
  const auto add = [&](EventRow entry, double t) {
    entry.time = origin > 0 ? origin + t : 0;
    out.append(std::move(entry));
  };
  const std::size_t first = log.size() > most ? log.size() - most : 0;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const Event& event = log[i];
    if (const auto* started = std::get_if<Started>(&event.what)) origin = started->time, metric = started->metric;
    if (const auto* resumed = std::get_if<Resumed>(&event.what); resumed && resumed->time > 0) origin = resumed->time;
    const bool better = epochs.take(event);
    if (i < first) continue;
    const auto* epoch = std::get_if<EpochEnd>(&event.what);
    std::visit(
        Overloaded{[](const Steps&) {}, [](const DeviceSample&) {}, [](const StepSplit&) {},
                   [](const LayerStatistics&) {}, [](const PipelinePlan&) {}, [](const PipelineTimes&) {},
                   [](const RankTimes&) {}, [&](const EpochEnd& e) { add(of(e, metric), event.t); },
                   [&](const Ended& e) { add(of(e, metric), event.t); }, [&](const auto& e) { add(of(e), event.t); }},
        event.what);
    if (better) add(bestOf(*epoch, metric), event.t);
  }
  return out;
}

QString healthText(const std::vector<Event>& log, QString* tone) {
  qsizetype errors = 0, warnings = 0;
  PauseReader pauses;
  for (const Event& event : log) {
    if (const auto* health = std::get_if<Health>(&event.what)) {
      errors += health->level == HealthLevel::error;
      warnings += health->level == HealthLevel::warning;
    }
    const auto* ended = std::get_if<Ended>(&event.what);
    errors += ended && ended->reason == EndReason::failed;
    pauses.take(event);
    // what ended the earlier process, or made this one wait, is over
    if (std::holds_alternative<Resumed>(event.what) || std::holds_alternative<Continued>(event.what)) errors = 0;
  }
  if (pauses.pause() && !pauses.pause()->reason.empty()) {
    *tone = QStringLiteral("warn");
    return EventListTexts::tr("Waits");
  }
  *tone = errors > 0 ? QStringLiteral("error") : warnings > 0 ? QStringLiteral("warn") : QStringLiteral("ok");
  if (errors > 0) return EventListTexts::tr("Failed");
  if (warnings > 0) return EventListTexts::tr("%n warning(s)", nullptr, static_cast<int>(warnings));
  return EventListTexts::tr("Healthy");
}

}  // namespace nw::ui
