// SPDX-License-Identifier: GPL-3.0-or-later
// A training runs on another computer, by mouse: submitted to a real sshd, followed while the connection is cut and the
// window closed, paused, stopped, fetched, opened on Predict. With NETWRIGHT_LONG the same on a real Slurm.
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <csignal>
#include <fstream>

#include "tests/submit/slurm_server.hpp"
#include "tests/submit/ssh_server.hpp"
#include "tests/support/paths.hpp"
#include "tests/ui/journey/runs_journey.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/submit/job_list.hpp"
#include "ui/submit/jobs_panel.hpp"
#include "ui/submit/step_list.hpp"
#include "ui/submit/submit_dialog.hpp"
#include "ui/submit/submit_form.hpp"

namespace nw::ui {
namespace {

class ElsewhereJourney : public RunsJourney {
 protected:
  void SetUp() override {
    RunsJourney::SetUp();
    QSettings().remove(QStringLiteral("submit"));
    fs::create_directories(place.path() / "server");
  }
  void TearDown() override {
    RunsJourney::TearDown();
    for (const char* pid : {"there/job/pid", "jobs/small-1/pid"}) {
      int leader = 0;
      if (std::ifstream(place.path() / pid) >> leader && leader > 1) ::kill(-leader, SIGKILL);
    }
  }
  QString at(const char* name) { return QString::fromStdString((place.path() / name).string()); }
  static QString program() { return QString::fromStdString(test::programs_folder() + "/netwright-cli"); }
  /// As a window manager does after a menu or a list has closed.
  static void focus(QDialog& dialog) {
    dialog.activateWindow();
    EXPECT_TRUE(test::wait_for([&] { return QGuiApplication::focusWindow() == dialog.windowHandle(); }));
  }
  template <class Act>
  void inSubmitDialog(Act act) {
    inDialog(
        [&] {
          auto* train = child<QWidget>(QStringLiteral("trainButton"));
          // a run that has ended is let go of a moment after its last event
          ASSERT_TRUE(test::wait_for([&] { return train->isVisible(); }));
          hand.click(train, {train->width() - 10, train->height() / 2});
          QMenu* menu = nullptr;
          ASSERT_TRUE(test::wait_for([&] { return (menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())); }));
          for (QAction* a : menu->actions())
            if (a->text() == QStringLiteral("Run elsewhere…"))
              return QTest::mouseClick(menu->windowHandle(), Qt::LeftButton, {}, menu->actionGeometry(a).center());
          ADD_FAILURE() << "no such entry";
        },
        [&](QDialog& dialog) {
          focus(dialog);
          act(static_cast<SubmitDialog&>(dialog));
        });
  }
  template <class W = QLineEdit>
  W* field(SubmitDialog& dialog, const char* name) {
    return static_cast<W*>(dialog.form().editor(QLatin1String(name)));
  }
  void chooseTarget(SubmitDialog& dialog, const char* summary) {
    hand.choose(dialog.findChild<QComboBox*>(QStringLiteral("submitTarget")), QLatin1String(summary));
    focus(dialog);
  }
  void fillSsh(SubmitDialog& dialog) {
    chooseTarget(dialog, "Another computer, by way of ssh");
    hand.fill(field(dialog, "host"), QStringLiteral("there"));
    hand.fill(field(dialog, "folder"), at("there/job"));
    hand.fill(field(dialog, "program"), program());
    hand.fill(field(dialog, "ssh_config"), at("server/ssh_config"));
  }
  static QPushButton* press(SubmitDialog& dialog, const char* name) {
    auto* found = dialog.findChild<QPushButton*>(QLatin1String(name));
    EXPECT_TRUE(found && found->isVisible() && found->isEnabled()) << name;
    return found;
  }
  void submit(SubmitDialog& dialog) {
    hand.click(press(dialog, "submitStart"));
    EXPECT_TRUE(test::wait_for([&] { return !dialog.isVisible() || !dialog.problem().isEmpty(); }));
    EXPECT_EQ(dialog.problem(), QString());
    if (dialog.isVisible()) dialog.reject();
  }
  bool trainsOn(std::int64_t steps) {
    const std::int64_t before = feed().last().last;
    return test::wait_for([&] { return feed().last().last > before + steps; });
  }
  JobList& jobs() { return page().jobs().list(); }
  void showJobs() {
    window().showPage(QStringLiteral("runs"));
    hand.click(&page().tabs(), page().tabs().tabRect(3).center());
    ASSERT_TRUE(test::wait_for([&] { return jobs().rowCount() > 0; }));
  }
  bool jobIs(const QString& state) {
    return test::wait_for([&] { return jobs().item(0, 2) && jobs().item(0, 2)->text() == state; });
  }
  void pressJob(const char* name) { hand.click(child<QPushButton>(QLatin1String(name))); }
  void pauseGoOnAndStop() {
    hand.click(child<QPushButton>(QStringLiteral("pauseButton")));
    ASSERT_TRUE(isState(RunController::State::paused)) << window().banner().text().toStdString();
    hand.click(child<QPushButton>(QStringLiteral("pauseButton")));
    ASSERT_TRUE(isState(RunController::State::running)) << window().banner().text().toStdString();
    ASSERT_TRUE(trainsOn(10));
    hand.click(child<QPushButton>(QStringLiteral("stopButton")));
    ASSERT_TRUE(isState(RunController::State::idle)) << window().banner().text().toStdString();
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::stopped; }));
  }
  void fetchAndOpenOnPredict() {
    showJobs();
    ASSERT_TRUE(jobIs(QStringLiteral("Stopped"))) << jobs().item(0, 2)->text().toStdString();
    pressJob("jobFetch");
    ASSERT_TRUE(says(QStringLiteral("is here with its checkpoints"))) << window().banner().text().toStdString();
    hand.click(button(QStringLiteral("Open on Predict")));
    expectPredictionsArrive();
    EXPECT_EQ(predict().source().run().toStdString(), jobs().shown()[0].run.toStdString());
  }
  test::Variable jobsFolder{"NETWRIGHT_JOBS", place.path() / "jobs"};
};

class OnAnotherComputer : public ElsewhereJourney {
 protected:
  void SetUp() override {
    ElsewhereJourney::SetUp();
    if (!test::SshServer::is_installed()) GTEST_SKIP() << "sshd is not installed (Debian: openssh-server)";
    server.emplace(place.path() / "server");
  }
  void TearDown() override {
    ElsewhereJourney::TearDown();
    server.reset();
  }
  std::optional<test::SshServer> server;
};

TEST_F(OnAnotherComputer, ATrainingIsSubmittedFollowedCutStoppedAndFetched) {
  openSmallProject(100000, 600);
  inSubmitDialog([&](SubmitDialog& dialog) {
    fillSsh(dialog);
    submit(dialog);
  });
  EXPECT_TRUE(says(QStringLiteral("small-1 was submitted")));
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  EXPECT_EQ(feed().folder(), at("jobs/small-1/run"));
  ASSERT_TRUE(isState(RunController::State::running)) << "what is followed is controlled";
  ASSERT_TRUE(trainsOn(20));
  ASSERT_TRUE(server->is_connected());
  server->cut();
  EXPECT_TRUE(trainsOn(20)) << "it connects again";
  EXPECT_EQ(feed().damagedStatistics(), 0);
  closeWindow();
  openWindow();
  ASSERT_TRUE(isState(RunController::State::running)) << "the next window finds the job";
  EXPECT_EQ(feed().folder(), at("jobs/small-1/run"));
  window().showPage(QStringLiteral("train"));
  openSmallProject(1, 600);  // Predict has a project
  ASSERT_TRUE(isState(RunController::State::running));
  window().showPage(QStringLiteral("train"));
  pauseGoOnAndStop();
  fetchAndOpenOnPredict();
}

TEST_F(OnAnotherComputer, WhatIsWrongThereIsSaidAndWhatTakesLongIsStopped) {
  ASSERT_TRUE(save_file(place.path() / "old", "#!/bin/sh\necho 'netwright-cli 0.0.9'\n", 0700));
  ASSERT_TRUE(save_file(place.path() / "slow", "#!/bin/sh\nsleep 300\n", 0700));
  openSmallProject(1, 600);
  inSubmitDialog([&](SubmitDialog& dialog) {
    fillSsh(dialog);
    hand.fill(field(dialog, "program"), at("old"));
    hand.click(press(dialog, "submitCheck"));
    EXPECT_TRUE(test::wait_for([&] { return dialog.problem().contains(QStringLiteral("0.0.9")); }));
    EXPECT_TRUE(dialog.steps().item(1)->data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("failed")));
    hand.fill(field(dialog, "program"), at("slow"));
    EXPECT_EQ(dialog.problem(), QString()) << "another choice has not failed";
    hand.click(press(dialog, "submitStart"));
    EXPECT_TRUE(test::wait_for([&] {
      return dialog.steps().item(1)->data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("in progress"));
    }));
    EXPECT_FALSE(field(dialog, "host")->isEnabled());
    hand.click(press(dialog, "submitStop"));
    EXPECT_TRUE(test::wait_for([&] { return dialog.problem().startsWith(QStringLiteral("Stopped")); }));
    hand.fill(field(dialog, "program"), program());
    hand.click(press(dialog, "submitCheck"));
    EXPECT_TRUE(test::wait_for([&] {
      return dialog.steps().item(1)->data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("done"));
    }));
    // Escape stops what is being checked, and closes the dialog where nothing is.
    EXPECT_TRUE(test::wait_for([&] { return field(dialog, "host")->isEnabled(); }));
    hand.key(Qt::Key_Escape);
    EXPECT_TRUE(test::wait_for([&] { return !dialog.isVisible(); }));
  });
  EXPECT_FALSE(fs::exists(place.path() / "jobs" / "small-1" / "job.json"));
}

TEST_F(ElsewhereJourney, TheFieldsAreThoseOfTheTargetAndAreSaidBesideThem) {
  openSmallProject(1, 600);
  const auto shows = [&](SubmitDialog& dialog, const char* name) { return field<QWidget>(dialog, name)->isVisible(); };
  const auto says = [&](SubmitDialog& dialog, const char* name) {
    const auto* problem = field<QWidget>(dialog, name)->parentWidget()->findChild<SeverityLabel*>();
    return problem->isVisible() ? problem->sentence() : QString();
  };
  inSubmitDialog([&](SubmitDialog& dialog) {
    const auto written = [&] { return dialog.findChild<QPlainTextEdit*>(QStringLiteral("submitText"))->toPlainText(); };
    EXPECT_TRUE(says(dialog, "host").contains(QStringLiteral("USER@HOST")));
    EXPECT_FALSE(dialog.findChild<QPushButton*>(QStringLiteral("submitStart"))->isEnabled());
    chooseTarget(dialog, "A Slurm cluster, by sbatch here or on a login node");
    EXPECT_TRUE(shows(dialog, "partition") && shows(dialog, "memory") && !shows(dialog, "image"));
    hand.fill(field(dialog, "partition"), QStringLiteral("long"));
    hand.fill(field(dialog, "time-limit"), QStringLiteral("30"));
    EXPECT_TRUE(written().contains(QStringLiteral("#SBATCH --time=30")) &&
                written().contains(QStringLiteral("#SBATCH --partition=long")))
        << written().toStdString();
    hand.fill(field(dialog, "partition"), QStringLiteral("a b"));
    EXPECT_TRUE(says(dialog, "partition").contains(QStringLiteral("a b"))) << says(dialog, "partition").toStdString();
    EXPECT_TRUE(written().isEmpty());
    chooseTarget(dialog, "A Kubernetes cluster, by kubectl: a Job, or an MPIJob for several ranks");
    EXPECT_TRUE(says(dialog, "image").contains(QStringLiteral("--image")));
    EXPECT_TRUE(shows(dialog, "copy")) << "a pod beside the volume takes them";
    hand.fill(field(dialog, "image"), QStringLiteral("a/b:1"));
    EXPECT_TRUE(says(dialog, "data-volume").contains(QStringLiteral("--data-volume")));
    hand.fill(field(dialog, "data-volume"), QStringLiteral("sets"));
    EXPECT_EQ(field(dialog, "data-volume")->text(), QStringLiteral("sets")) << "what becomes right keeps the focus";
    hand.fill(field(dialog, "ranks"), QStringLiteral("2"));
    hand.fill(field(dialog, "node-selector"), QStringLiteral("disk=ssd"));
    EXPECT_TRUE(written().contains(QStringLiteral("MPIJob")) && written().contains(QStringLiteral("\"ssd\"")))
        << written().toStdString();
    dialog.reject();
  });
}

TEST_F(ElsewhereJourney, AJobOfThisComputerIsRememberedAndForgotten) {
  openSmallProject(2, 300);
  inSubmitDialog([&](SubmitDialog& dialog) {
    chooseTarget(dialog, "This computer");
    hand.fill(field(dialog, "cpus"), QStringLiteral("1"));
    submit(dialog);
  });
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  inSubmitDialog([&](SubmitDialog& dialog) {
    EXPECT_EQ(dialog.form().target().name, "here");
    EXPECT_EQ(field<QSpinBox>(dialog, "cpus")->value(), 1);
    EXPECT_EQ(field(dialog, "name")->text(), QStringLiteral("small-2"));
    hand.fill(field(dialog, "name"), QStringLiteral("small-1"));
    EXPECT_FALSE(dialog.findChild<QPushButton*>(QStringLiteral("submitStart"))->isEnabled()) << "there is one";
    dialog.reject();
  });
  showJobs();
  ASSERT_TRUE(jobIs(QStringLiteral("Finished")));
  inDialog([&] { pressJob("jobForget"); },
           [&](QDialog& question) { hand.click(button(QStringLiteral("Forget"), &question)); });
  EXPECT_TRUE(test::wait_for([&] { return jobs().rowCount() == 0; }));
  EXPECT_FALSE(fs::exists(place.path() / "jobs" / "small-1"));
}

TEST_F(ElsewhereJourney, SeveralRanksOfThisComputerTrainTogether) {
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "mpirun is not installed (Debian: openmpi-bin)";
  const test::Variable root("OMPI_ALLOW_RUN_AS_ROOT", "1"), confirmed("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
      leaks("ASAN_OPTIONS", "detect_leaks=0");  // Open MPI has some
  openSmallProject(2, 300);
  inSubmitDialog([&](SubmitDialog& dialog) {
    chooseTarget(dialog, "This computer");
    hand.fill(field(dialog, "ranks"), QStringLiteral("2"));
    hand.fill(field(dialog, "cpus"), QStringLiteral("1"));
    submit(dialog);
  });
  EXPECT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  const auto log = read_file(place.path() / "jobs/small-1/log.txt", std::uint64_t{1} << 20);
  EXPECT_EQ(feed().ranksOfEpoch().ranks.size(), 2U) << (log ? *log : "no log");
}

class OnSlurm : public ElsewhereJourney {
 protected:
  void SetUp() override {
    ElsewhereJourney::SetUp();
    if (const std::string why = test::SlurmServer::why_not(); !why.empty()) GTEST_SKIP() << why;
    server.emplace(place.path() / "server");
    fs::permissions(place.path(), fs::perms(0755));
  }
  /// Submits a long training by the dialog and waits until it trains.
  void train(const char* time_limit_min) {
    openSmallProject(100000, 600);
    inSubmitDialog([&](SubmitDialog& dialog) {
      chooseTarget(dialog, "A Slurm cluster, by sbatch here or on a login node");
      hand.fill(field(dialog, "partition"), QStringLiteral("long"));
      hand.fill(field(dialog, "time-limit"), QLatin1String(time_limit_min));
      submit(dialog);
    });
    ASSERT_TRUE(isState(RunController::State::running)) << window().banner().text().toStdString();
    ASSERT_TRUE(trainsOn(20));
  }
  void cancel() {
    pressJob("jobCancel");
    EXPECT_TRUE(jobIs(QStringLiteral("Stopped"))) << jobs().item(0, 2)->text().toStdString();
  }
  std::optional<test::SlurmServer> server;
};

TEST_F(OnSlurm, ATrainingIsSubmittedFollowedStoppedRequeuedAndCancelled) {
  train("");
  pauseGoOnAndStop();
  showJobs();
  ASSERT_TRUE(jobIs(QStringLiteral("Stopped")));
  pressJob("jobRequeue");
  EXPECT_TRUE(jobIs(QStringLiteral("Running"))) << window().banner().text().toStdString();
  cancel();
}

TEST_F(OnSlurm, TheTimeLimitIsACheckpointAndTheTrainingGoesOn) {
  train("1");
  const auto events = [&]() -> std::string {
    const auto read = read_file(place.path() / "jobs/small-1/run/events.jsonl", std::uint64_t{1} << 30);
    return read ? *read : "";
  };
  ASSERT_TRUE(test::wait_for([&] { return events().find("\"resumed\"") != std::string::npos; }, 300000));
  const std::string text = events(), before = text.substr(0, text.find("\"resumed\""));
  EXPECT_NE(before.find("\"ended\""), std::string::npos) << "Slurm's signal ended it, with a checkpoint";
  EXPECT_EQ(feed().folder(), at("jobs/small-1/run"));
  ASSERT_TRUE(isState(RunController::State::running)) << "the window follows the next turn too";
  ASSERT_TRUE(trainsOn(20));
  showJobs();
  cancel();
}

}  // namespace
}  // namespace nw::ui
