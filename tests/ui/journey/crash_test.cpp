// SPDX-License-Identifier: GPL-3.0-or-later
// Crashed processes and closed windows: the window reports what happened, offers an action, and finds runs that
// continued without it.
#include <QPushButton>
#include <QThreadPool>
#include <algorithm>
#include <csignal>

#include "tests/ui/journey/journey.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/session/run_process.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

struct Death {
  int signal;
  const char* name;
};
constexpr Death deaths[] = {{SIGKILL, "SIGKILL"}, {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}};

class AfterACrash : public Journey {
 protected:
  template <class E>
  qsizetype logged() {
    return std::count_if(feed().log().begin(), feed().log().end(),
                         [](const Event& e) { return std::holds_alternative<E>(e.what); });
  }
  bool says(const QString& words) {
    return test::wait_for([&] { return window().banner().isVisible() && window().banner().text().contains(words); });
  }
  void killTraining(int signal = SIGKILL) {
    ASSERT_GT(run().processId(), 0);
    ASSERT_EQ(kill(static_cast<pid_t>(run().processId()), signal), 0);
  }
  void finishSmallRun() {
    openSmallProject(2, 500);
    startByButton();
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
    hand.click(button(QStringLiteral("See predictions")));
    expectPredictionsArrive();
  }
};

TEST_F(AfterACrash, AKilledRunIsReportedAndItsButtonResumesIt) {
  constexpr int epochs = 12;
  openSmallProject(epochs);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return logged<Saved>() > 0; }));
  window().showPage(QStringLiteral("design"));
  killTraining();
  ASSERT_TRUE(says(QStringLiteral("SIGKILL")));
  EXPECT_EQ(run().state(), RunController::State::idle);
  ASSERT_TRUE(test::wait_for([&] { return train().notice().notice().tone == QLatin1String("error"); }));
  EXPECT_TRUE(train().notice().notice().sentence.contains(QStringLiteral("SIGKILL")));
  EXPECT_TRUE(train().notice().notice().actions.contains(QStringLiteral("resume")));
  const QString first = run().folder();
  hand.click(button(QStringLiteral("Resume"), &window().banner()));
  ASSERT_TRUE(isState(RunController::State::running));
  EXPECT_FALSE(window().banner().isVisible()) << "what was offered is done";
  EXPECT_EQ(run().folder(), first);
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  ASSERT_TRUE(isState(RunController::State::idle));
  EXPECT_EQ(logged<Resumed>(), 1);
  EXPECT_EQ(feed().last().last, feed().started().steps_per_epoch * epochs);
  EXPECT_EQ(feed().epochs().size(), std::size_t(epochs)) << "every epoch once, those before the death too";
  EXPECT_TRUE(test::wait_for([&] { return train().notice().notice().tone == QLatin1String("ok"); }));
}

TEST_F(AfterACrash, HoweverATrainingDiesItIsNamedAndTheNextOneGoesOnFromItsCheckpoint) {
  openSmallProject(100000);
  startByButton();
  const int rounds = qEnvironmentVariableIsSet("NETWRIGHT_LONG") ? 50 : 1;
  for (int i = 0; i < rounds * static_cast<int>(std::size(deaths)) && !HasFailure(); ++i) {
    const Death& death = deaths[static_cast<std::size_t>(i) % std::size(deaths)];
    SCOPED_TRACE(death.name);
    const auto saved = logged<Saved>();
    ASSERT_TRUE(test::wait_for([&] { return logged<Saved>() > saved; }));
    window().showPage(QStringLiteral("design"));
    killTraining(death.signal);
    ASSERT_TRUE(says(QLatin1String(death.name)));
    EXPECT_EQ(run().state(), RunController::State::idle);
    hand.click(button(QStringLiteral("Resume"), &window().banner()));
    ASSERT_TRUE(isState(RunController::State::running));
    ASSERT_TRUE(test::wait_for([&] { return logged<Resumed>() == i + 1; })) << "it began anew";
  }
}

TEST_F(AfterACrash, TheTrainPageResumesToo) {
  openSmallProject(1000);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return logged<Saved>() > 0; }));
  killTraining();
  ASSERT_TRUE(test::wait_for([&] { return train().notice().notice().sentence.contains(QStringLiteral("SIGKILL")); }));
  EXPECT_FALSE(window().banner().isVisible()) << "the page reports it, once";
  hand.click(button(QStringLiteral("Resume"), &train().notice()));
  ASSERT_TRUE(isState(RunController::State::running));
  EXPECT_TRUE(test::wait_for([&] { return !train().notice().isVisible(); }));
  hand.click(child<QWidget>(QStringLiteral("stopButton")));
  EXPECT_TRUE(isState(RunController::State::idle));
}

TEST_F(AfterACrash, AKilledHelperIsReportedAndRestartsWithTheNextRequest) {
  finishSmallRun();
  const int rounds = qEnvironmentVariableIsSet("NETWRIGHT_LONG") ? 50 : 1;
  DrawingPad& pad = predict().ownImagePanel().pad();
  for (int i = 0; i < rounds * static_cast<int>(std::size(deaths)) && !HasFailure(); ++i) {
    const Death& death = deaths[static_cast<std::size_t>(i) % std::size(deaths)];
    SCOPED_TRACE(death.name);
    const qint64 first = session().helper().processId();
    ASSERT_GT(first, 0);
    ASSERT_EQ(kill(static_cast<pid_t>(first), death.signal), 0);
    ASSERT_TRUE(says(QStringLiteral("restarts with the next request")));
    EXPECT_TRUE(window().banner().text().contains(QLatin1String(death.name))) << window().banner().text().toStdString();
    hand.drag(&pad, {pad.width() / 2, pad.height() / 4}, &pad, {pad.width() / 2, 3 * pad.height() / 4});
    EXPECT_FALSE(pad.isEmpty());
    ASSERT_TRUE(
        test::wait_for([&] { return !predict().ownImagePanel().asking() && session().helper().processId() > 0; }));
    EXPECT_NE(session().helper().processId(), first);
    EXPECT_FALSE(predict().ownImagePanel().bars().rows().empty());
    window().banner().hide();
  }
}

TEST_F(AfterACrash, AfterAHelperIsKilledDuringARequestItCanBeRepeated) {
  finishSmallRun();
  const auto helper = static_cast<pid_t>(session().helper().processId());
  ASSERT_EQ(kill(helper, SIGSTOP), 0);  // a stopped helper cannot answer the next request
  predict().source().reload();
  ASSERT_TRUE(predict().source().busy());
  ASSERT_EQ(kill(helper, SIGKILL), 0);
  ASSERT_TRUE(says(QStringLiteral("helper process")));
  hand.click(button(QStringLiteral("Try again")));
  expectPredictionsArrive();
}

TEST_F(AfterACrash, OfTheWindowTheRunContinuesAndTheNextWindowFollowsIt) {
  openSmallProject(100000);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0; }));
  const qint64 process = run().processId();
  const QString followed = run().folder();
  hand.key(Qt::Key_Q, Qt::ControlModifier);
  EXPECT_FALSE(window().isVisible());
  const std::int64_t before = feed().last().last;
  closeWindow();
  EXPECT_TRUE(is_running(followed.toStdString()));

  openWindow();
  ASSERT_TRUE(isState(RunController::State::running));
  EXPECT_FALSE(window().banner().isVisible()) << "the page in front shows the run";
  EXPECT_EQ(run().folder(), followed);
  EXPECT_EQ(run().processId(), process);
  EXPECT_EQ(window().currentPage(), QStringLiteral("train")) << "where people were when they quit";
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > before; })) << "it went on without a window";
  const std::int64_t seen = feed().last().last;
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > seen; })) << "and is followed live";
  hand.click(child<QWidget>(QStringLiteral("pauseButton")));
  ASSERT_TRUE(isState(RunController::State::paused));
  hand.click(button(QStringLiteral("Continue")));
  ASSERT_TRUE(isState(RunController::State::running));
  hand.click(child<QWidget>(QStringLiteral("stopButton")));
  ASSERT_TRUE(isState(RunController::State::idle));
  EXPECT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::stopped; }));
  EXPECT_TRUE(test::wait_for([&] { return !is_running(followed.toStdString()); })) << "the process frees its lock last";
}

TEST_F(AfterACrash, ARunThatCrashesUnderASecondWindowIsReportedThere) {
  openSmallProject(100000);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return logged<Saved>() > 0; }));
  hand.key(Qt::Key_Q, Qt::ControlModifier);
  openWindow();
  ASSERT_TRUE(isState(RunController::State::running));
  window().showPage(QStringLiteral("design"));
  killTraining();
  ASSERT_TRUE(says(QStringLiteral("ended without reporting")));
  EXPECT_NE(button(QStringLiteral("Resume"), &window().banner()), nullptr);
}

TEST_F(AfterACrash, OfTheWindowTheRunIsOfferedOnOtherPages) {
  openSmallProject(100000);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0; }));
  window().showPage(QStringLiteral("design"));
  hand.key(Qt::Key_Q, Qt::ControlModifier);
  closeWindow();
  {
    WindowHost safe({.path = {}, .templateName = {}, .safe = true});
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
    EXPECT_EQ(safe.workplace().session.run().state(), RunController::State::idle) << "what a run holds is not read";
    EXPECT_TRUE(safe.workplace().session.feed().folder().isEmpty());
  }
  openWindow();
  ASSERT_TRUE(says(QStringLiteral("A run is training")));
  hand.click(button(QStringLiteral("Show"), &window().banner()));
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  EXPECT_FALSE(window().banner().isVisible());
  hand.click(child<QWidget>(QStringLiteral("stopButton")));
  EXPECT_TRUE(isState(RunController::State::idle));
}

/// The window is closed while it trains, and opened again after the run's end.
TEST_F(AfterACrash, ARunThatFinishedWithoutAWindowIsShownAsFinished) {
  openSmallProject(3, 500);
  startByButton();
  const QString followed = run().folder();
  hand.key(Qt::Key_Q, Qt::ControlModifier);
  closeWindow();
  ASSERT_TRUE(test::wait_for([&] { return !is_running(followed.toStdString()); }));
  openWindow();
  window().showPage(QStringLiteral("train"));
  ASSERT_TRUE(test::wait_for([&] { return feed().loaded(); }));
  EXPECT_EQ(feed().folder(), followed);
  EXPECT_EQ(feed().status(), RunStatus::finished);
  ASSERT_TRUE(test::wait_for([&] { return train().notice().notice().tone == QLatin1String("ok"); }))
      << train().notice().notice().sentence.toStdString();
  EXPECT_FALSE(window().banner().isVisible()) << window().banner().text().toStdString();
  EXPECT_EQ(run().state(), RunController::State::idle);
}

}  // namespace
}  // namespace nw::ui
