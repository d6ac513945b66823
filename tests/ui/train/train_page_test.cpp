// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>

#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/charts/device_chart.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/run_title.hpp"
#include "ui/session/session.hpp"
#include "ui/train/event_list.hpp"
#include "ui/train/layer_column.hpp"
#include "ui/train/train_charts.hpp"
#include "ui/train/train_page.hpp"

namespace nw::ui {
namespace {

using test::wait_for;

struct Watched : testing::Test {
  test::TemporaryFolder runs;
  Session session;
  TrainPage page{session};
  std::optional<test::RunWriter> run;

  void follow(const test::RunScript& story, const std::string& network = "lenet5", bool live = false) {
    run.emplace(runs.path(), test::definition_of(network));
    test::write_training(*run, story);
    if (live) run->lock();
    session.feed().follow(QString::fromStdString(run->folder().string()));
    ASSERT_TRUE(
        wait_for([&] { return session.feed().loaded() && (!live || session.feed().status() == RunStatus::running); }));
  }
  bool charted() {
    return wait_for([&] {
      return page.charts().chart(QStringLiteral("loss"))->curveX(1).size() == session.feed().loss().x.size();
    });
  }
};

TEST_F(Watched, TheLossInTheChartsOwnDataFalls) {
  follow({.epochs_done = 4});
  ASSERT_TRUE(charted());
  const MetricChart* loss = page.charts().chart(QStringLiteral("loss"));
  const QVector<double>& y = loss->curveY(1);
  ASSERT_GT(y.size(), 100);
  EXPECT_LT(y.last(), y.first() / 4);
  EXPECT_EQ(loss->curveX(0).size(), 2 * loss->curveX(1).size()) << "raw: the extremes of every record";
  EXPECT_EQ(loss->curveX(2), (QVector<double>{1, 2, 3, 4})) << "validation: a point an epoch";
  EXPECT_NEAR(page.charts().chart(QStringLiteral("accuracy"))->curveY(1).last(),
              100 * session.feed().epochs().back().validation_accuracy, 1e-9);
}

TEST(EventList, ShortensPathsInTheirMiddleAndTheToolTipHasThemWhole) {
  const QString path =
      QStringLiteral("/home/ada/runs/2026-11-26-lenet5-a7/checkpoints/step-00004220/model.safetensors");
  const QString said = path + QStringLiteral(" cannot be written: not enough space in /tmp/a");
  EXPECT_EQ(withShortPaths(said),
            QStringLiteral("/home/…/model.safetensors cannot be written: not enough space in /tmp/a"));
  EXPECT_EQ(withShortPaths(QStringLiteral("1/2 of it, and/or none")), QStringLiteral("1/2 of it, and/or none"));
  EventModel model;
  model.setEntries({{QStringLiteral("alert-octagon"), QStringLiteral("error"), said, {}, 0}});
  EXPECT_TRUE(model.data(model.index(0), Qt::ToolTipRole).toString().contains(path));
}

TEST_F(Watched, TheLearningRateIsDrawnWithItsFuture) {
  follow({.epochs = 10, .epochs_done = 4});
  ASSERT_TRUE(charted());
  const MetricChart* rate = page.charts().chart(QStringLiteral("learning_rate"));
  ASSERT_FALSE(rate->curveX(0).isEmpty());
  EXPECT_NEAR(rate->curveX(0).first(), 4, 0.1);
  EXPECT_GT(rate->curveX(0).last(), 9.9);
}

TEST_F(Watched, ALiveRunShowsItsProgress) {
  follow({.epochs = 10, .epochs_done = 3, .into_epoch = 0.5}, "lenet5", true);
  ASSERT_TRUE(wait_for([&] { return page.strip().progress().state == QStringLiteral("Training"); }));
  const Progress& p = page.strip().progress();
  EXPECT_EQ(p.epoch, QStringLiteral("Epoch 4"));
  EXPECT_NEAR(p.fraction, 0.35, 0.01);
  EXPECT_FALSE(p.left.isEmpty());
  EXPECT_TRUE(page.notice().notice().tone.isEmpty());
  run->unlock();
  ASSERT_TRUE(wait_for([&] { return page.notice().notice().tone == QStringLiteral("error"); }))
      << "died without a word";
  EXPECT_TRUE(page.notice().notice().actions.contains(QStringLiteral("resume")));
}

TEST_F(Watched, AFinishedRunShowsItsTestAccuracyAndOpensItsPredictions) {
  follow({.end = EndReason::finished});
  ASSERT_TRUE(wait_for([&] { return page.notice().notice().tone == QStringLiteral("ok"); }));
  EXPECT_TRUE(page.notice().notice().title.contains(QStringLiteral("98.8")) ||
              page.notice().notice().title.contains(QStringLiteral("98.7")))
      << page.notice().notice().title.toStdString();
  QSignalSpy opened(&page, &Page::openRun);
  auto* button = page.notice().findChild<QPushButton*>(QStringLiteral("predict"));
  ASSERT_NE(button, nullptr);
  button->click();
  ASSERT_TRUE(wait_for([&] { return opened.count() == 1; }));
  EXPECT_EQ(opened[0][0].toString(), session.feed().folder());
  EXPECT_EQ(opened[0][1].toString(), QStringLiteral("predict"));
}

TEST_F(Watched, AFailedRunShowsItsError) {
  follow({.epochs_done = 2, .end = EndReason::failed});
  ASSERT_TRUE(wait_for([&] { return page.notice().notice().tone == QStringLiteral("error"); }));
  EXPECT_TRUE(page.notice().notice().sentence.contains(QStringLiteral("not a number")))
      << page.notice().notice().sentence.toStdString();
}

struct OnGpu : Watched {
  Notice after(int code) {
    RunDefinition d = test::definition_of("lenet5");
    TrainSettings settings = d.doc.settings();
    settings.devices = {"cuda:0"};
    EXPECT_TRUE(static_cast<bool>(d.doc.apply({PutSettings{settings}})));
    run.emplace(runs.path(), d);
    test::write_training(*run, {.epochs_done = 2, .device = "cuda:0 (NVIDIA Test)"});
    run->post(99, Ended{.reason = EndReason::failed, .message = text("cuda:0 is gone"), .step = 7, .exit_code = code});
    session.feed().follow(QString::fromStdString(run->folder().string()));
    EXPECT_TRUE(wait_for([&] {
      return session.feed().loaded() && session.feed().definition() &&
             page.notice().notice().tone == QStringLiteral("error");
    }));
    return page.notice().notice();
  }
  /// Those that the button gives the run's program.
  std::string arguments_of(const QString& button) {
    const fs::path program = runs.path() / "program", arguments = runs.path() / "arguments";
    std::ofstream(program) << "#!/bin/sh\nprintf '%s\\n' \"$@\" > " << arguments.string() << ".part; mv "
                           << arguments.string() << ".part " << arguments.string() << "\n";
    fs::permissions(program, fs::perms::owner_all);
    session.run().setProgram(QString::fromStdString(program.string()));
    page.notice().findChild<QPushButton*>(button)->click();
    EXPECT_TRUE(wait_for([&] { return fs::exists(arguments); }));
    EXPECT_TRUE(wait_for([&] { return session.run().state() == RunController::State::idle; }));
    return *read_file(arguments, 4096);
  }
};
TEST_F(OnGpu, ARunWhoseGpuFailedOffersToContinueOnTheCpu) {
  for (const Errc code : {Errc::no_device, Errc::out_of_memory, Errc::other}) {
    const Notice notice = after(static_cast<int>(code));
    EXPECT_EQ(notice.actions,
              (QStringList{QStringLiteral("resume-cpu"), QStringLiteral("resume"), QStringLiteral("log")}));
    EXPECT_EQ(notice.sentence, QStringLiteral("cuda:0 is gone"));
  }
  EXPECT_EQ(page.notice().findChild<QPushButton*>(QStringLiteral("resume-cpu"))->text(),
            QStringLiteral("Continue on the CPU"));
}
TEST_F(OnGpu, AFailureThatTheCpuWouldRepeatOffersNoCpu) {
  EXPECT_FALSE(after(static_cast<int>(Errc::not_finite)).actions.contains(QStringLiteral("resume-cpu")));
  EXPECT_FALSE(after(static_cast<int>(Errc::disk)).actions.contains(QStringLiteral("resume-cpu")));
}
TEST_F(OnGpu, TheButtonStartsTheRunsProcessOnTheCpu) {
  after(static_cast<int>(Errc::no_device));
  EXPECT_EQ(arguments_of(QStringLiteral("resume-cpu")), "resume\n" + run->folder().string() + "\n--device\ncpu\n");
}
TEST_F(OnGpu, ARunThatIsNotFiniteGoesBackWithALowerRate) {
  EXPECT_EQ(after(static_cast<int>(Errc::not_finite)).actions,
            (QStringList{QStringLiteral("lower-rate"), QStringLiteral("log")}))
      << "resumed, it would repeat the same step";
  session.run().setRunsFolder(QString::fromStdString((runs.path() / "new").string()));
  const std::string said = arguments_of(QStringLiteral("lower-rate"));
  const std::string rate = QString::number(run->definition().doc.settings().learning_rate / 10).toStdString();
  EXPECT_TRUE(said.starts_with("branch\n" + run->folder().string() + "\n--from\nlatest\n--run-dir\n")) << said;
  EXPECT_TRUE(said.ends_with("\n--set\nlearning_rate=" + rate + "\n")) << said;
  EXPECT_NE(said.find((runs.path() / "new").string()), std::string::npos) << said;
}

TEST_F(Watched, TheLayersOfTheRunStandInTheOrderOfComputation) {
  follow({.epochs_done = 1});
  ASSERT_TRUE(wait_for([&] { return !page.layers().rows().isEmpty(); }));
  const QVector<LayerRow>& rows = page.layers().rows();
  EXPECT_EQ(rows.first().type, QStringLiteral("Input"));
  EXPECT_EQ(rows.last().type, QStringLiteral("CrossEntropy"));
  std::int64_t parameters = 0;
  for (const LayerRow& row : rows) parameters += row.parameters;
  EXPECT_EQ(parameters, 61706) << "LeNet-5";
}

/// As in a run that has just started: its events are read before its definition exists.
TEST_F(Watched, TheLayersAppearWhenTheDefinitionIsWrittenLate) {
  run.emplace(runs.path(), test::definition_of("lenet5"));
  const fs::path file = run->folder() / "run.json", aside = runs.path() / "aside";
  fs::rename(file, aside);
  run->lock();
  run->post(0, Started{});
  session.feed().follow(QString::fromStdString(run->folder().string()));
  ASSERT_TRUE(
      wait_for([&] { return session.feed().status() == RunStatus::running && session.feed().log().size() == 1; }));
  EXPECT_TRUE(page.layers().rows().isEmpty());
  fs::rename(aside, file);
  ASSERT_TRUE(wait_for([&] { return page.layers().rows().size() == 14; }));
  session.feed().follow({});
  EXPECT_TRUE(page.layers().rows().isEmpty()) << "nothing of a run that is not shown";
}

TEST_F(Watched, TheMachineHasARowForEachGpuWithThePlannedMemory) {
  follow({.epochs_done = 2, .epoch_seconds = 40, .gpus = 4, .device = "cuda:0, cuda:1, cuda:2, cuda:3 (NVIDIA)"});
  ASSERT_TRUE(wait_for([&] { return page.machine().rows().size() == 5; }));
  EXPECT_GT(page.machine().rows()[1].plannedBytes, 1e8);
  EXPECT_LT(page.machine().rows()[0].plannedBytes, 0);
}

TEST_F(Watched, TheStripIsHiddenBeforeTheFirstRun) {
  EXPECT_FALSE(page.strip().isVisibleTo(&page));
  follow({.epochs_done = 1});
  EXPECT_TRUE(page.strip().isVisibleTo(&page));
}

TEST(EventEntries, ShowEventsWithTheTimeOfDay) {
  std::vector<Event> log;
  Started s;
  s.time = 1000;
  s.train = 54000;
  s.batch = 64;
  log.push_back({0, s});
  EpochEnd e;
  e.epoch = 1;
  e.has_validation = true;
  e.validation_accuracy = 0.981;
  e.best = true;
  log.push_back({12, e});
  log.push_back({13, Health{HealthLevel::warning, text(NW_TR("the disk is slow")), 7}});
  log.push_back({0, Resumed{100, 1, 5000}});
  log.push_back({4, Ended{EndReason::stopped, {}, 200, 4, -1, -1, 0, 8}});
  const QVector<EventRow> entries = eventEntries(log);
  ASSERT_EQ(entries.size(), 6);
  EXPECT_EQ(entries[1].title, QStringLiteral("Epoch 1 finished"));
  EXPECT_EQ(entries[1].time, 1012);
  EXPECT_EQ(entries[2].tone, QStringLiteral("best"));
  EXPECT_EQ(entries[3].tone, QStringLiteral("warn"));
  EXPECT_EQ(entries[5].time, 5004) << "counted from the second process";
  QString tone;
  EXPECT_EQ(healthText(log, &tone), QStringLiteral("1 warning"));
  EXPECT_EQ(tone, QStringLiteral("warn"));
}

TEST(Health, KeepsAWarningHoweverManyEventsFollow) {
  std::vector<Event> log{{1, Health{HealthLevel::warning, text("the accuracy is that of guessing"), 7}}};
  for (int i = 0; i < 2000; ++i) log.push_back({2, Saved{}});
  QString tone;
  EXPECT_EQ(healthText(log, &tone), QStringLiteral("1 warning"));
}

TEST(Health, OfAResumedRunIsThatOfItsLastProcess) {
  std::vector<Event> log{{1, Ended{EndReason::failed, {}, 200, 4, -1, -1, 0, 8}}};
  QString tone;
  EXPECT_EQ(healthText(log, &tone), QStringLiteral("Failed"));
  log.push_back({0, Resumed{100, 1, 5000}});
  EXPECT_EQ(healthText(log, &tone), QStringLiteral("Healthy"));
}

TEST(EventEntries, NameTheBestEpochByTheRuleOfTheHeader) {
  const auto end = [](std::int64_t number, double accuracy, double loss) {
    EpochEnd e;
    e.epoch = number;
    e.step = 10 * number;
    e.has_validation = true;
    e.validation_accuracy = accuracy;
    e.validation_loss = loss;
    return e;
  };
  const std::vector<Event> log = {{0, Started{}},        {1, end(1, 0.9, 0.5)},     {2, end(2, 0.8, 0.4)},
                                  {3, end(3, 0.9, 0.4)}, {3, Resumed{10, 1, 5000}}, {4, end(2, 0.85, 0.4)},
                                  {5, end(3, 0.91, 0.3)}};
  QStringList best;
  for (const EventRow& e : eventEntries(log))
    if (e.tone == QLatin1String("best")) best << e.title + u' ' + e.detail;
  EXPECT_EQ(best,
            (QStringList{QStringLiteral("Best so far: 90.00 % epoch 1"), QStringLiteral("Best so far: 90.00 % epoch 3"),
                         QStringLiteral("Best so far: 91.00 % epoch 3")}))
      << "equal accuracy, lower loss; the flags of the events do not count";
}

TEST(RunTitle, WithItsProjectNamesTheProjectOnce) {
  const QString folder = QStringLiteral("/runs/2026-11-21-lenet5-a7");
  EXPECT_EQ(titleWithProject(QStringLiteral("lenet5"), folder), QStringLiteral("lenet5 · a7"));
  EXPECT_EQ(titleWithProject(QStringLiteral("cats"), folder), QStringLiteral("cats · lenet5 a7"));
  EXPECT_EQ(titleWithProject(QString(), folder), QStringLiteral("lenet5 a7"));
  EXPECT_EQ(runNameOf(QStringLiteral("My net 2")), QStringLiteral("my-net-2"));
}

TEST(RunTitle, IsTheProjectsNameAndTheRunsNumber) {
  EXPECT_EQ(runTitle(QStringLiteral("/runs/2026-11-21-lenet5-a7")), QStringLiteral("lenet5 a7"));
  EXPECT_EQ(runTitle(QStringLiteral("/runs/mine")), QStringLiteral("mine"));
}

}  // namespace
}  // namespace nw::ui
