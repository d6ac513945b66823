// SPDX-License-Identifier: GPL-3.0-or-later
// "What's this?" explains every control of what is there only at times: a training that runs, a study with trials, the
// lanes of a divided network, the list of what a GPU needs. In both languages.
#include "engine/core/files.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/study_writer.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/whats_this_rule.hpp"
#include "ui/design/lanes/placement.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/shell/window/device_chips.hpp"
#include "ui/shell/window/device_panel.hpp"
#include "ui/study/studies_panel.hpp"
#include "ui/study/study_view.hpp"

namespace nw::ui {
namespace {

class WhatsThisStates : public WhatsThisRule {
 protected:
  RunsPage& runs() { return *static_cast<RunsPage*>(window().page(QStringLiteral("runs"))); }
  fs::path writtenStudy(const char* name, const test::StudyScript& script) {
    const fs::path study = place.path() / "runs" / name;
    fs::create_directories(study.parent_path());
    EXPECT_TRUE(test::StudyWriter(script).save(study));
    return study;
  }
  void expectStudy(const fs::path& folder) {
    runs().studies().openStudy(folder);
    StudyView& view = runs().studies().study();
    ASSERT_TRUE(test::wait_for([&] { return view.model().data() && view.model().data()->folder == folder; }));
    view.model().setCurrent(0);
    QTest::qWait(50);
    expectExplained(&window(), "study");
    expectChoices("study");
  }
  test::TemporaryFolder place;
  test::Variable runsFolder{"NETWRIGHT_RUNS", place.path() / "runs"};
};

TEST_P(WhatsThisStates, ATrainingThatRuns) {
  openSmallProject(100000, 300);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return !feed().epochs().empty(); }));
  ASSERT_EQ(window().currentPage(), QStringLiteral("train"));
  expectExplained(&window(), "a training that runs");
  expectChoices("a training that runs");
  EXPECT_EQ(run().state(), RunController::State::running);
  EXPECT_GT(controls, 30);
  run().stop();
  EXPECT_TRUE(isState(RunController::State::idle));
}

TEST_P(WhatsThisStates, WhatAGpuNeeds) {
  openSmallProject(1, 300);
  auto* panel = new DevicePanel(&window());
  panel->openBelow(*window().findChild<DeviceChips*>());
  ASSERT_TRUE(test::wait_for([&] { return !panel->parts().empty(); }));
  QTest::qWait(50);
  expectExplained(panel, "what a GPU needs");
  EXPECT_EQ(controls, static_cast<int>(panel->parts().size()) + 2) << "its rows and two buttons";
  panel->close();
}

TEST_P(WhatsThisStates, AStudy) {
  const fs::path running = writtenStudy("2026-11-26-lenet5-study-k2", {.trials = 30, .begun = 20}),
                 front = writtenStudy("2026-11-25-lenet5-study-c8", {.trials = 20, .two_objectives = true});
  const auto lock = FileLock::take(running / "lock");
  openWindow({{}, QStringLiteral("mlp")});
  window().showPage(QStringLiteral("runs"));
  runs().tabs().setCurrentIndex(1);
  expectStudy(running);
  expectStudy(front);
  EXPECT_GT(controls, 20);
}

TEST_P(WhatsThisStates, TheLanesOfANetwork) {
  openSmallProject(1, 300);
  for (const PlacementWay way : {PlacementWay::stages, PlacementWay::mixed}) {
    design().placement().setWay(way);
    ASSERT_TRUE(test::wait_for([&] { return design().placement().isCurrent(); }));
    action(QStringLiteral("show-placement"))->trigger();
    QTest::qWait(50);
    expectExplained(&window(), "lanes");
  }
  EXPECT_GT(controls, 20);
}

INSTANTIATE_TEST_SUITE_P(Languages, WhatsThisStates, testing::Values("en", "zh_CN"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace nw::ui
