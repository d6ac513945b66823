// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/run_screens.hpp"

#include <ctime>
#include <list>

#include "tests/support/run_writer.hpp"
#include "ui/charts/plot.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/train/train_charts.hpp"
#include "ui/train/train_page.hpp"

namespace nw::ui {
namespace {

/// Folders live as long as the program, so that each picture shows the same ones.
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

/// Makes the run at its first use; `live`: this process holds its lock.
QString runOf(const char* folder, const RunDefinition& definition, const test::Story& story, bool live) {
  static std::map<std::string, QString> made;
  if (const auto known = made.find(folder); known != made.end()) return known->second;
  test::RunWriter& run = written().runs.emplace_back(written().place.path() / folder, definition);
  test::write_training(run, story);
  if (live) run.lock();
  return made[folder] = QString::fromStdString(run.folder().string());
}

QWidget* follow(Stage& s, const QString& run) {
  s.open("lenet5");
  QWidget* shown = s.show(QStringLiteral("train"));
  s.window->openRun(run, QStringLiteral("train"));
  return shown;
}

/// Twelve runs of a search over learning rates, one of them still going on.
void writeMany(const fs::path& runs) {
  const double now = static_cast<double>(std::time(nullptr));
  constexpr double rates[] = {0.01, 0.02, 0.05, 0.1, 0.002, 0.005, 0.001, 0.03, 0.015, 0.008, 0.2, 0.004};
  for (int i = 0; i < 12; ++i) {
    RunDefinition d = test::definition_of(i % 4 == 3 ? "mlp" : "lenet5", now - 2600.0 * i - 400);
    TrainSettings s = d.doc.settings();
    s.learning_rate = rates[i];
    s.batch = i % 3 == 0 ? 128 : 64;
    s.seed = static_cast<std::uint64_t>(i);
    (void)d.doc.apply({PutSettings{s}});
    test::Story story;
    story.best = 0.9905 - 0.0016 * i - (i % 4 == 3 ? 0.012 : 0);
    story.epoch_seconds = 5.5 + 0.4 * i;
    story.how = i == 0 ? "" : i == 5 ? "stopped" : i == 10 ? "failed" : i == 7 ? "" : "finished";
    story.epochs_done = i == 0 ? 6 : i == 5 ? 7 : i == 10 ? 2 : i == 7 ? 4 : 10;
    test::RunWriter& run = written().runs.emplace_back(runs, d);
    test::write_training(run, story);
    if (i == 0) run.lock();
  }
}

}  // namespace

QWidget* trainRunning(Stage& s) {
  return follow(s, runOf("running", test::definition_of("lenet5"), {.epochs_done = 6, .into_epoch = 0.4}, true));
}

QWidget* trainFourGpus(Stage& s) {
  const test::Story story{.epochs = 90, .epochs_done = 53, .steps_per_epoch = 98, .records_per_epoch = 30, .best = 0.93, .epoch_seconds = 12.5,
                          .images_per_s = 9790, .gpus = 4, .into_epoch = 0.6, .how = "", .device = "4 GPUs"};
  return follow(s, runOf("gpus", residualDefinition(), story, true));
}

QWidget* trainInterrupted(Stage& s) {
  return follow(s, runOf("interrupted", test::definition_of("lenet5"), {.epochs_done = 3, .into_epoch = 0.7}, false));
}

QWidget* trainEmpty(Stage& s) {
  s.open("lenet5");
  return s.show(QStringLiteral("train"));
}

QWidget* manyRuns(Stage& s) {
  const fs::path runs = written().place.path() / "many";
  if (!fs::exists(runs)) writeMany(runs);
  s.open("lenet5");
  const QByteArray usual = qgetenv("NETWRIGHT_RUNS");
  qputenv("NETWRIGHT_RUNS", runs.c_str());
  QWidget* shown = s.show(QStringLiteral("runs"));
  qputenv("NETWRIGHT_RUNS", usual);
  return shown;
}

bool charted(Stage& s) {
  auto* page = static_cast<TrainPage*>(s.window->page(QStringLiteral("train")));
  const RunFeed& feed = s.work.session.feed();
  const MetricChart* loss = page->charts().chart(QStringLiteral("loss"));
  return feed.loaded() && feed.definition() && loss->curveX(1).size() == feed.loss().x.size() && loss->options().xName.size() > 0;
}

bool listed(Stage& s) {
  auto* page = static_cast<RunsPage*>(s.window->page(QStringLiteral("runs")));
  return page->model().rowCount() > 0 && page->chart().plot()->graphCount() > 0 && page->chart().plot()->xAxis->range().upper > 9;
}

}  // namespace nw::ui
