// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/run_screens.hpp"

#include <list>
#include <map>

#include "engine/design/recipe.hpp"
#include "tests/gallery/trained_runs.hpp"
#include "tests/support/run_writer.hpp"
#include "ui/charts/plot.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/train/layer_board.hpp"
#include "ui/train/layer_column.hpp"
#include "ui/train/run_settings/run_settings_panel.hpp"
#include "ui/train/run_settings/setting_field.hpp"
#include "ui/train/tracked_sample_grid.hpp"
#include "ui/train/tracked_sample_panel.hpp"
#include "ui/train/tracked_sample_timeline.hpp"
#include "ui/train/train_charts.hpp"
#include "ui/train/train_page.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// Run folders that live until the program ends, so that every screen shows the same runs.
struct Written {
  test::TemporaryFolder place;
  std::list<test::RunWriter> runs;
};
Written& written() {
  static Written all;
  return all;
}

RunDefinition residualDefinition() {
  RunDefinition d = test::definition_of("resnet18-cifar");
  TrainSettings s = d.doc.settings();
  s.epochs = 90;
  s.batch = 512;
  s.learning_rate = 0.4;
  s.warmup_epochs = 5;
  s.schedule = ScheduleKind::step;
  s.step_epochs = 30;
  s.devices = {"cuda:0", "cuda:1", "cuda:2", "cuda:3"};
  (void)d.doc.apply({PutSettings{s}});
  d.channels = 3;
  d.height = d.width = 32;
  return d;
}

/// Writes the run at the first call; this process holds the run's lock.
QString runOf(const char* folder, const RunDefinition& definition, const test::RunScript& story) {
  static std::map<std::string, QString> made;
  if (const auto known = made.find(folder); known != made.end()) return known->second;
  test::RunWriter& run = written().runs.emplace_back(written().place.path() / folder, definition);
  test::write_training(run, story);
  run.lock();
  return made[folder] = QString::fromStdString(run.folder().string());
}

/// True once `ready` has held for 200 ms, so that every chart has been drawn again since.
bool calm(Stage& s, bool ready) {
  if (!ready)
    s.calm.invalidate();
  else if (!s.calm.isValid())
    s.calm.start();
  return ready && s.calm.elapsed() > 200;
}

/// True once the chart has adopted its curves' range; it draws a little later.
bool drawn(const MetricChart& chart) { return chart.vertical().high != 5; }

QWidget* follow(Stage& s, const QString& run) {
  s.open("lenet5");
  QWidget* shown = s.show(QStringLiteral("train"));
  if (!run.isEmpty()) s.window->openRun(run, QStringLiteral("train"));
  return shown;
}

}  // namespace

QWidget* trainFinished(Stage& s) { return follow(s, s.run); }
QWidget* trainWatched(Stage& s) { return follow(s, s.run); }

/// Shows the sample that was forgotten most often, at the step where it was last forgotten.
bool watched(Stage& s) {
  if (!charted(s) || s.run.isEmpty()) return charted(s);
  auto* page = static_cast<TrainPage*>(s.window->page(QStringLiteral("train")));
  page->sideViews().setCurrent(1);
  TrackedSamplePanel& panel = page->probes();
  const auto& history = panel.probes().history();
  if (!history) return !panel.probes().sentence().isEmpty();
  int most = 0;
  for (std::size_t i = 0; i < history->probes.size(); ++i)
    if (turns_of(*history, i).forgotten.size() > turns_of(*history, static_cast<std::size_t>(most)).forgotten.size())
      most = static_cast<int>(i);
  panel.grid().choose(most);
  const LearningMilestones turns = turns_of(*history, static_cast<std::size_t>(most));
  panel.band().setValue(turns.forgotten.empty() ? panel.band().maximum() / 2
                                                : static_cast<int>(turns.forgotten.back()));
  return drawn(*page->charts().chart(QStringLiteral("accuracy"))) && panel.band().isVisible();
}
QWidget* trainRunning(Stage& s) { return follow(s, s.run.isEmpty() ? s.run : halfway(s.run, Halfway::running, 0.64)); }
QWidget* trainPaused(Stage& s) { return follow(s, s.run.isEmpty() ? s.run : halfway(s.run, Halfway::paused, 0.45)); }
/// Its disk is full.
QWidget* trainWaiting(Stage& s) { return follow(s, s.run.isEmpty() ? s.run : halfway(s.run, Halfway::waiting, 0.45)); }
QWidget* trainInterrupted(Stage& s) {
  return follow(s, s.run.isEmpty() ? s.run : halfway(s.run, Halfway::interrupted, 0.45));
}

/// The view of layer statistics, and the overview column coloured by gradient.
QWidget* trainLayers(Stage& s) {
  QWidget* shown = trainRunning(s);
  auto* page = static_cast<TrainPage*>(s.window->page(QStringLiteral("train")));
  page->views().setCurrent(1);
  page->tints().setCurrent(1);
  return shown;
}

bool layersShown(Stage& s) {
  auto* page = static_cast<TrainPage*>(s.window->page(QStringLiteral("train")));
  const RunFeed& feed = s.work.session.feed();
  return s.run.isEmpty() ||
         calm(s, feed.loaded() && feed.definition() && !page->layers().rows().isEmpty() &&
                     page->board().figures().rowCount() > 0 && drawn(page->board().gradients()) && analysed(s));
}

QWidget* trainFourGpus(Stage& s) {
  const test::RunScript story{.epochs = 90,
                              .epochs_done = 53,
                              .steps_per_epoch = 98,
                              .records_per_epoch = 30,
                              .best = 0.93,
                              .epoch_seconds = 12.5,
                              .images_per_s = 9790,
                              .gpus = 4,
                              .into_epoch = 0.6,
                              .end = std::nullopt,
                              .device = "cuda:0, cuda:1, cuda:2, cuda:3"};
  return follow(s, runOf("gpus", residualDefinition(), story));
}

/// A residual network whose settings were changed three times; another change waits.
QWidget* trainKnobs(Stage& s) {
  RunDefinition d = residualDefinition();
  TrainSettings settings = d.doc.settings();
  settings.optimizer.choose("sgd");
  settings.optimizer.set("momentum", 0.9);
  settings.l2 = 0.0005;
  settings.clip_norm = 5;
  settings.schedule = ScheduleKind::constant;
  settings.transforms = recipe_transforms(1000);
  settings.augment_strength = 0.3;
  (void)d.doc.apply({PutSettings{settings}});
  const test::RunScript story{
      .epochs = 90,
      .epochs_done = 53,
      .steps_per_epoch = 98,
      .records_per_epoch = 30,
      .best = 0.93,
      .epoch_seconds = 12.5,
      .images_per_s = 9790,
      .gpus = 4,
      .into_epoch = 0.6,
      .end = std::nullopt,
      .device = "cuda:0, cuda:1, cuda:2, cuda:3",
      .changes = {{"clip_norm", 1, 12 * 98}, {"learning_rate", 0.04, 30 * 98}, {"augment_strength", 0.6, 41 * 98}}};
  const QString run = runOf("knobs", d, story);
  QWidget* shown = follow(s, run);
  s.work.session.run().attach(run);
  return shown;
}

bool knobsWait(Stage& s) {
  auto* page = static_cast<TrainPage*>(s.window->page(QStringLiteral("train")));
  page->sideViews().setCurrent(2);
  RunSettingsPanel& panel = page->runSettings();
  SettingField* accumulate = panel.field(QStringLiteral("accumulate"));
  const bool ready = charted(s) && accumulate && accumulate->isEnabled() && !panel.frozen().layers().isEmpty();
  if (ready && panel.waiting().isEmpty()) {
    accumulate->field().setValue(2);
    s.calm.restart();
    return false;
  }
  return ready;
}

QWidget* trainEmpty(Stage& s) {
  s.open("lenet5");
  return s.show(QStringLiteral("train"));
}

QWidget* runs(Stage& s) {
  s.open("lenet5");
  return s.show(QStringLiteral("runs"));
}

/// The state before the first run: an empty runs folder. ~Stage() restores the usual one.
static QWidget* withoutRuns(Stage& s, const char* page) {
  const fs::path none = written().place.path() / "none";
  fs::create_directories(none);
  s.open("lenet5");
  qputenv("NETWRIGHT_RUNS", none.c_str());
  return s.show(QLatin1String(page));
}
QWidget* runsEmpty(Stage& s) { return withoutRuns(s, "runs"); }
QWidget* predictEmpty(Stage& s) { return withoutRuns(s, "predict"); }

bool charted(Stage& s) {
  if (s.work.session.feed().folder().isEmpty()) return analysed(s);
  auto* page = static_cast<TrainPage*>(s.window->page(QStringLiteral("train")));
  const RunFeed& feed = s.work.session.feed();
  const MetricChart* loss = page->charts().chart(QStringLiteral("loss"));
  return calm(s, feed.loaded() && feed.definition() && drawn(*loss) && loss->curveX(1).size() == feed.loss().x.size() &&
                     analysed(s));
}

bool listed(Stage& s) {
  auto* page = static_cast<RunsPage*>(s.window->page(QStringLiteral("runs")));
  return calm(s, analysed(s) && (s.run.isEmpty() ||
                                 (page->model().rowCount() > 0 && page->chart().curves() > 0 && drawn(page->chart()))));
}

}  // namespace nw::ui
