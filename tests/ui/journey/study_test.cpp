// SPDX-License-Identifier: GPL-3.0-or-later
// A study from the window: started by mouse, followed to its end, stopped and continued, its best trial opened; and
// journals that are damaged or of strangers.
#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTableWidget>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <random>

#include "engine/runs/lock_holder.hpp"
#include "engine/search/journal.hpp"
#include "tests/support/study_writer.hpp"
#include "tests/ui/journey/runs_journey.hpp"
#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/study/parallel_view.hpp"
#include "ui/study/search_dialog.hpp"
#include "ui/study/studies_panel.hpp"
#include "ui/study/study_list.hpp"
#include "ui/study/study_strip.hpp"
#include "ui/study/study_view.hpp"
#include "ui/study/trial_panel.hpp"
#include "ui/study/trial_table.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class StudyJourney : public RunsJourney {
 protected:
  StudiesPanel& studies() { return page().studies(); }
  StudyView& view() { return studies().study(); }
  const StudySnapshot* data() { return view().model().data(); }
  void showStudies() {
    window().showPage(QStringLiteral("runs"));
    QTabBar& tabs = page().tabs();
    hand.click(&tabs, tabs.tabRect(1).center());
  }
  static void fill(SearchDialog& dialog, const char* spin, int value) {
    dialog.findChild<QSpinBox*>(QLatin1String(spin))->setValue(value);
  }
  /// Ticks one more field with the mouse, and starts so many trials of so many epochs.
  void search(int trials, int epochs, const QString& pruner) {
    inDialog([&] { hand.click(child<QPushButton>(QStringLiteral("newSearch"))); },
             [&](QDialog& asks) {
               auto& dialog = static_cast<SearchDialog&>(asks);
               EXPECT_TRUE(test::wait_for([&] { return dialog.loaded(); }));
               const int row = dialog.rowOf("fc1.out_features");
               EXPECT_GE(row, 0);
               QTableWidget& table = dialog.fields();
               hand.fill(dialog.findChild<SearchField*>(), QStringLiteral("fc1.out_f"));
               const QRect cell = table.visualRect(table.model()->index(row, 0));
               hand.click(table.viewport(), cell.topLeft() + QPoint(14, cell.height() / 2));
               EXPECT_EQ(table.item(row, 0)->checkState(), Qt::Checked);
               hand.fill(dialog.findChild<QSpinBox*>(QStringLiteral("searchTrials")), QString::number(trials));
               hand.fill(dialog.findChild<QSpinBox*>(QStringLiteral("searchEpochs")), QString::number(epochs));
               hand.choose(dialog.findChild<QComboBox*>(QStringLiteral("searchPruner")), pruner);
               hand.click(dialog.findChild<QPushButton*>(QStringLiteral("startSearch")));
             });
  }
  bool ended(qint64 trials) {
    return test::wait_for(
        [&] { return data() && !data()->running && data()->count(search::TrialState::complete) == trials; });
  }
  /// Until a trial runs and so many more epochs are over: a moment that is as far into the study on a computer of any
  /// speed.
  template <class Done>
  void waitForProgress(Done done, qint64 epochs) {
    const qint64 before = data()->epochsSpent();
    const auto there = [&] { return !data()->trials.empty() && data()->epochsSpent() >= before + epochs; };
    EXPECT_TRUE(test::wait_for([&] { return done() || there(); }));
  }
  /// 0: the study's process, 1: that of a trial, 2: the window.
  void killOne(const fs::path& folder, int what) {
    if (what == 2) {
      closeWindow();
      openWindow({this->folder.filePath(QStringLiteral("small.netwright")), {}});
      showStudies();
      studies().openStudy(folder);
      return void(test::wait_for([&] { return data() != nullptr; }));
    }
    fs::path lock = what == 0 ? folder / "lock" : fs::path();
    for (const search::Trial& t : data()->trials)
      if (what == 1 && t.state == search::TrialState::running) lock = folder / t.run / "lock";
    const pid_t victim = lock_holder(lock);
    if (victim <= 0 || ::kill(victim, SIGKILL) != 0) return;
    ++processesKilled;
    EXPECT_TRUE(test::wait_for([&] { return lock_holder(lock) != victim; })) << "it is gone";
  }
  template <class Done>
  void goOnIfItStopped(const fs::path& folder, Done done) {
    if (is_running(folder)) return;
    ASSERT_TRUE(test::wait_for([&] { return !data()->running; }));
    if (done()) return;
    inDialog([&] { hand.click(child<QPushButton>(QStringLiteral("continueStudy"))); },
             [&](QDialog& asks) { asks.accept(); });
    ASSERT_TRUE(test::wait_for([&] { return is_running(folder); }));
  }
  fs::path written_study(const test::StudyScript& script, const char* name = "runs/2026-11-26-lenet5-study-a1") {
    const fs::path folder = place.path() / name;
    fs::create_directories(folder.parent_path());
    EXPECT_TRUE(test::StudyWriter(script).save(folder));
    return folder;
  }
  int processesKilled = 0;
};

TEST_F(StudyJourney, IsStartedByMouseFollowedToItsEndAndItsBestTrialOpened) {
  openSmallProject(2, 600);
  showStudies();
  search(3, 2, QStringLiteral("none"));
  ASSERT_TRUE(ended(3)) << window().banner().text().toStdString();
  EXPECT_EQ(data()->definition.space.parameters.size(), 2U);
  EXPECT_EQ(data()->definition.epochs, 2);
  EXPECT_EQ(view().table().trials().rowCount(), 3);
  const qint64 best = data()->best;
  EXPECT_EQ(view().table().trials().trialAt(0), best) << "the best one comes first";
  for (const search::Trial& t : data()->trials) EXPECT_LE(t.values.front(), data()->values[best]);
  const QRect top = view().table().visualRect(view().table().model()->index(0, 1));
  hand.click(view().table().viewport(), top.center());
  EXPECT_EQ(view().model().current(), best);
  const fs::path run = data()->folder / search::run_of(best);
  const auto definition = read_run_definition(run);
  ASSERT_TRUE(definition);
  hand.click(child<QPushButton>(QStringLiteral("openTrialRun")));
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  EXPECT_EQ(feed().folder().toStdString(), run.string());
  showStudies();
  hand.click(child<QPushButton>(QStringLiteral("openTrialNetwork")));
  ASSERT_TRUE(test::wait_for([&] { return window().currentPage() == QLatin1String("design"); }));
  EXPECT_EQ(session().doc().settings().learning_rate, definition->doc.settings().learning_rate);
  EXPECT_EQ(graph().nodes.at(find("fc1")).attrs, definition->doc.graph().nodes.at(find("fc1")).attrs);
}

TEST_F(StudyJourney, IsStoppedAtOnceAndGoesOnWhereItWas) {
  openSmallProject(400, 2000);
  showStudies();
  search(2, 400, QStringLiteral("none"));
  ASSERT_TRUE(test::wait_for([&] { return data() && data()->running && data()->epochsSpent() >= 2; }));
  const fs::path folder = data()->folder;
  QElapsedTimer clock;
  clock.start();
  hand.click(child<QPushButton>(QStringLiteral("stopStudy")));
  ASSERT_TRUE(test::wait_for([&] { return !data()->running; }));
  EXPECT_LT(clock.elapsed(), 10'000);
  EXPECT_EQ(data()->count(search::TrialState::running), 1) << "it can go on";
  const qint64 spent = data()->epochsSpent();
  EXPECT_GE(spent, 2);
  closeWindow();
  openWindow({{}, QStringLiteral("mlp")});
  showStudies();
  ASSERT_TRUE(test::wait_for([&] { return studies().list().rows().size() == 1; }));
  hand.click(studies().list().viewport(), studies().list().visualItemRect(studies().list().item(0, 0)).center());
  QTest::keyClick(&studies().list(), Qt::Key_Return);
  ASSERT_TRUE(test::wait_for([&] { return data() && data()->folder == folder; })) << "another window finds it";
  inDialog([&] { hand.click(child<QPushButton>(QStringLiteral("continueStudy"))); },
           [&](QDialog& asks) { asks.accept(); });
  ASSERT_TRUE(test::wait_for([&] { return data()->running && data()->epochsSpent() > spent; }));
  EXPECT_EQ(data()->trials.size(), 1U) << "the same trial trains on";
  hand.click(child<QPushButton>(QStringLiteral("stopStudy")));
  ASSERT_TRUE(test::wait_for([&] { return !data()->running; }));
}

/// The journal may grow while the question is open, as when another window goes on with the study.
TEST_F(StudyJourney, ContinueKeepsTheStudyThatItAsksAbout) {
  const std::string before = test::StudyWriter({.trials = 20, .begun = 7}).text();
  const std::string after = test::StudyWriter({.trials = 20, .begun = 9}).text();
  ASSERT_EQ(after.substr(0, before.size()), before);
  const fs::path folder = written_study({.trials = 20, .begun = 7});
  for (const char* copy : {search::project_copy, search::space_copy}) ASSERT_TRUE(save_file(folder / copy, "{}"));
  openWindow({{}, QStringLiteral("mlp")});
  showStudies();
  studies().openStudy(folder);
  ASSERT_TRUE(test::wait_for([&] { return data() != nullptr; }));
  const std::weak_ptr<const StudySnapshot> asked = view().model().shared();
  inDialog([&] { hand.click(child<QPushButton>(QStringLiteral("continueStudy"))); },
           [&](QDialog& asks) {
             std::ofstream(folder / search::journal_file, std::ios::app) << after.substr(before.size());
             EXPECT_TRUE(test::wait_for([&] { return data()->trials.size() == 9; }));
             EXPECT_FALSE(asked.expired()) << "it is read when the question is answered";
             asks.reject();
           });
  EXPECT_TRUE(asked.expired());
}

TEST_F(StudyJourney, TheBestTrialIsTrainedAgainWithFiveSeeds) {
  openSmallProject(1, 300);
  showStudies();
  search(1, 1, QStringLiteral("none"));
  ASSERT_TRUE(ended(1)) << window().banner().text().toStdString();
  hand.click(child<QPushButton>(QStringLiteral("repeatBest")));
  ASSERT_TRUE(test::wait_for([&] { return !data()->running && data()->repeats.size() == 5; }));
  const auto spread = search::spread_of(data()->repeats, 0);
  EXPECT_EQ(spread.runs, 5U);
  bool said = false;
  for (const QLabel* label : view().panel().findChildren<QLabel*>())
    said = said || (label->isVisible() && label->text().contains(QStringLiteral("±")));
  EXPECT_TRUE(said) << "the spread is said";
}

TEST_F(StudyJourney, IsFollowedWhileItIsWrittenAndBrushedAlongAnAxis) {
  const test::StudyWriter whole({.trials = 40});
  const fs::path folder = place.path() / "runs" / "live-study";
  fs::create_directories(folder);
  const std::size_t half = whole.text().find('\n', whole.text().size() / 2) + 1;
  ASSERT_TRUE(save_file(folder / search::journal_file, whole.text().substr(0, half)));
  openWindow({{}, QStringLiteral("mlp")});
  showStudies();
  studies().openStudy(folder);
  ASSERT_TRUE(test::wait_for([&] { return data() != nullptr; }));
  const auto before = data()->trials.size();
  std::ofstream(folder / search::journal_file, std::ios::app) << whole.text().substr(half);
  ASSERT_TRUE(test::wait_for([&] { return data()->trials.size() == 40; }));
  EXPECT_LT(before, 40U);
  EXPECT_EQ(data()->best, whole.study().best()->number);
  EXPECT_TRUE(view().model().isSelected(data()->best)) << "the best ones are selected";
  ParallelView& lines = view().parallel();
  const QLineF axis = lines.axisLine(0);  // learning rate
  hand.drag(&lines, axis.pointAt(0.05).toPoint(), &lines, axis.pointAt(0.5).toPoint());
  ASSERT_TRUE(view().model().brushes().contains(0));
  const Range brush = view().model().brushes()[0];
  int inside = 0;
  for (const float place : data()->axis(0)->places) inside += place >= brush.low && place <= brush.high ? 1 : 0;
  EXPECT_NEAR(brush.low, 0.05, 0.03);
  EXPECT_NEAR(brush.high, 0.5, 0.03);
  EXPECT_EQ(view().model().selectedCount(), inside);
  hand.click(child<QPushButton>(QStringLiteral("selectAllTrials")));
  EXPECT_EQ(view().model().selectedCount(), 40);
}

TEST_F(StudyJourney, TheTableSortsAndItsArrowKeysChooseTrials) {
  written_study({.trials = 30});
  openWindow({{}, QStringLiteral("mlp")});
  showStudies();
  studies().openStudy(place.path() / "runs/2026-11-26-lenet5-study-a1");
  ASSERT_TRUE(test::wait_for([&] { return data() != nullptr; }));
  TrialTable& table = view().table();
  QHeaderView* header = table.horizontalHeader();
  hand.click(header->viewport(), QPoint(header->sectionViewportPosition(TrialTableModel::first_parameter) + 20, 10));
  for (int row = 1; row < table.trials().rowCount(); ++row) {
    const auto rate = [&](int r) {
      return data()->trials[static_cast<std::size_t>(table.trials().trialAt(r))].point[0];
    };
    ASSERT_LE(rate(row - 1), rate(row));
  }
  table.setFocus();
  const qint64 chosen = view().model().current();
  hand.key(Qt::Key_Down);
  EXPECT_NE(view().model().current(), chosen);
  EXPECT_EQ(table.currentIndex().row(), table.trials().rowOf(view().model().current()));
}

TEST_F(StudyJourney, AHostileJournalIsOneSentenceAndTheOthersAreShown) {
  written_study({.trials = 10});
  const fs::path bad = place.path() / "runs" / "z-bad";
  fs::create_directories(bad);
  const std::string good = test::StudyWriter({.trials = 10}).text();
  ASSERT_TRUE(save_file(bad / search::journal_file,
                        good.substr(0, good.find('\n') + 1) + "{\"schema\":1,\"type\":\"paused\",\"trial\":77}\n"));
  openWindow({{}, QStringLiteral("mlp")});
  showStudies();
  ASSERT_TRUE(test::wait_for([&] { return studies().list().rows().size() == 2; }));
  EXPECT_EQ(studies().list().rows()[0].folder, bad) << "by name, the newest first";
  EXPECT_TRUE(studies().list().rows()[0].problem.contains(QStringLiteral("line 2")));
  EXPECT_TRUE(studies().list().rows()[1].problem.isEmpty());
  studies().openStudy(bad);
  ASSERT_TRUE(test::wait_for([&] { return view().problem().contains(QStringLiteral("line 2")); }));
  EXPECT_TRUE(button(QStringLiteral("All studies"), &studies()));
}

/// Its journal is read on another thread, and the list may be shown again before that ends.
TEST_F(StudyJourney, AProblemOfAStudyThatWasLeftIsNotBelowTheList) {
  written_study({.trials = 10});
  openWindow({{}, QStringLiteral("mlp")});
  showStudies();
  ASSERT_TRUE(test::wait_for([&] { return studies().list().rows().size() == 1; }));
  studies().openStudy(place.path() / "runs" / "none");
  studies().showAll();
  Q_EMIT view().problemFound(QStringLiteral("It cannot be read."));
  QCoreApplication::processEvents();
  for (const QPushButton* b : studies().findChildren<QPushButton*>())
    EXPECT_FALSE(b->isVisible() && b->text() == QStringLiteral("All studies")) << "nothing leads back to the list";
}

TEST_F(StudyJourney, WhatCannotBeSearchedIsSaidBeforeTheStart) {
  openSmallProject(1, 300);
  showStudies();
  inDialog(
      [&] { hand.click(child<QPushButton>(QStringLiteral("newSearch"))); },
      [&](QDialog& asks) {
        auto& dialog = static_cast<SearchDialog&>(asks);
        EXPECT_TRUE(test::wait_for([&] { return dialog.loaded(); }));
        const int row = dialog.rowOf("learning_rate");
        auto* start = dialog.findChild<QPushButton*>(QStringLiteral("startSearch"));
        EXPECT_TRUE(start->isEnabled()) << "the learning rate is ticked";
        dialog.fields().item(row, 2)->setText(QStringLiteral("much"));
        EXPECT_FALSE(start->isEnabled());
        EXPECT_TRUE(
            dialog.findChild<QLabel*>(QStringLiteral("searchNote"))->text().contains(QStringLiteral("learning_rate")));
        dialog.fields().item(row, 2)->setText(QStringLiteral("0.5"));
        dialog.fields().item(row, 3)->setText(QStringLiteral("0.1"));
        EXPECT_FALSE(start->isEnabled()) << "from above to";
        dialog.fields().item(row, 5)->setText(QStringLiteral("0.1, 0.01"));
        EXPECT_TRUE(start->isEnabled()) << "a list counts instead";
        dialog.fields().item(row, 0)->setCheckState(Qt::Unchecked);
        EXPECT_FALSE(start->isEnabled());
        dialog.reject();
      });
  EXPECT_TRUE(fs::is_empty(place.path()) || !fs::exists(place.path() / "runs") || fs::is_empty(place.path() / "runs"));
}

TEST_F(StudyJourney, TheCommandOpensTheDialogFromAnyPage) {
  openSmallProject(1, 300);
  inDialog([&] { action(QStringLiteral("search-settings"))->trigger(); },
           [&](QDialog& asks) {
             EXPECT_EQ(asks.objectName(), QStringLiteral("searchDialog"));
             asks.reject();
           });
  EXPECT_EQ(window().currentPage(), QStringLiteral("runs"));
}

TEST_F(StudyJourney, PausesWhereItIsAndGoesOn) {
  openSmallProject(2, 600);
  showStudies();
  search(2, 40, QStringLiteral("none"));
  ASSERT_TRUE(test::wait_for([&] { return data() && data()->running && data()->epochsSpent() > 0; }));
  auto* pause = child<QPushButton>(QStringLiteral("pauseStudy"));
  EXPECT_EQ(pause->text(), QStringLiteral("Pause"));
  hand.click(pause);
  ASSERT_TRUE(test::wait_for([&] { return data()->held; }));
  EXPECT_EQ(pause->text(), QStringLiteral("Go on"));
  EXPECT_TRUE(view().strip().accessibleName().contains(QStringLiteral("paused")));
  QTest::qWait(1500);  // an epoch that was under way
  const qint64 spent = data()->epochsSpent();
  QTest::qWait(1500);
  EXPECT_EQ(data()->epochsSpent(), spent);
  EXPECT_TRUE(data()->running) << "its process is there";
  hand.click(pause);
  ASSERT_TRUE(test::wait_for([&] { return !data()->held && data()->epochsSpent() > spent; }));
  ASSERT_TRUE(ended(2)) << window().banner().text().toStdString();
}

/// At random moments; NETWRIGHT_LONG: 30 trials of LeNet-5 on MNIST and 50 kills.
TEST_F(StudyJourney, SurvivesKillsOfTheStudyOfTrialsAndOfTheWindow) {
  const bool whole = qEnvironmentVariableIsSet("NETWRIGHT_LONG");
  if (whole && !QFileInfo(qEnvironmentVariable("NETWRIGHT_DATA") + QStringLiteral("/mnist")).isDir())
    GTEST_SKIP() << "NETWRIGHT_DATA names no folder with MNIST";
  openSmallProject(9, 3000);
  if (whole) {
    DataChoice choice = session().doc().data();
    choice.kind = SourceKind::mnist;
    ASSERT_TRUE(session().push({PutData{choice}}, QStringLiteral("Choose data")));
    ASSERT_TRUE(test::wait_for([&] { return session().dataFacts().train > 50'000; }));
    analysed();
  }
  showStudies();
  const qint64 trials = whole ? 30 : 6;
  search(static_cast<int>(trials), 9, QStringLiteral("asha"));
  ASSERT_TRUE(test::wait_for([&] { return data() != nullptr; }));
  const fs::path folder = data()->folder;
  const auto done = [&] {  // between two promotions no trial runs either: at the end one has all its epochs
    return static_cast<qint64>(data()->trials.size()) == trials && data()->count(search::TrialState::running) == 0 &&
           data()->count(search::TrialState::complete) > 0;
  };
  std::mt19937 random(1);
  int kills = 0;
  for (const int most = whole ? 50 : 6; kills < most && !done(); ++kills) {
    waitForProgress(done, static_cast<qint64>(random() % (whole ? 12 : 4)));
    test::wait_for(done, static_cast<int>(random() % (whole ? 2000 : 300)));
    killOne(folder, static_cast<int>(kills % 3));
    goOnIfItStopped(folder, done);
  }
  for (int i = 0; i < 20 && !test::wait_for([&] { return done() || !is_running(folder); }); ++i) {}
  goOnIfItStopped(folder, done);
  ASSERT_TRUE(test::wait_for(done, 1'800'000));
  std::printf("%d kills, %d of them of processes\n", kills, processesKilled);
  EXPECT_GT(processesKilled, 0) << "nothing was killed";
  ASSERT_TRUE(test::wait_for([&] { return !is_running(folder) && !data()->running; })) << "its process ends by itself";
  EXPECT_EQ(data()->count(search::TrialState::failed), 0) << "no trial was lost";
  for (const search::Trial& t : data()->trials)
    if (t.state == search::TrialState::complete) EXPECT_EQ(summarize_run(folder / t.run)->epochs_done, 9) << t.number;
}

}  // namespace
}  // namespace nw::ui
