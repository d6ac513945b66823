// SPDX-License-Identifier: GPL-3.0-or-later
// A run whose disk takes no checkpoint: the Train page says why, where and what to do; strip, status bar and Runs page
// say that it is paused; it goes on once that is mended. The disk is the training process's limit on the size of files.
#include <sys/resource.h>

#include <QElapsedTimer>
#include <QLabel>
#include <QTest>

#include "kernels/nested_text.hpp"
#include "tests/ui/journey/runs_journey.hpp"
#include "ui/runs/run_details.hpp"
#include "ui/train/event_list.hpp"
#include "ui/train/notice_bar.hpp"
#include "ui/train/progress.hpp"

namespace nw::ui {
namespace {

constexpr rlim_t checkpoint_too_large = 200'000;  // bytes: the weights of LeNet-5 take 247 kB

class MendingJourney : public RunsJourney {
 protected:
  /// What is started meanwhile writes files of at most so many bytes.
  template <class Start>
  static void limited(rlim_t bytes, Start start) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{bytes, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    start();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  }
  void startOnASmallDisk() {
    openSmallProject(400, 300);
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);  // this process has the limit, too, while the other one starts
    limited(checkpoint_too_large, [&] { startByButton(); });
    ::signal(SIGXFSZ, handler);
  }
  void mend() {
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    ASSERT_GT(run().processId(), 0);
    ASSERT_EQ(::prlimit(static_cast<pid_t>(run().processId()), RLIMIT_FSIZE, &none, nullptr), 0);
  }
  const Notice& notice() { return train().notice().notice(); }
  bool pauses() {
    return test::wait_for([&] { return notice().tone == QLatin1String("warn") && feed().paused(); }) &&
           isState(RunController::State::paused);
  }
};

TEST_F(MendingJourney, AFullDiskPausesTheRunWithItsReasonEverywhereAndItGoesOnWhenMended) {
  startOnASmallDisk();
  ASSERT_TRUE(pauses()) << notice().sentence.toStdString();
  QElapsedTimer sincePause;
  sincePause.start();
  ASSERT_TRUE(train().notice().isVisible());
  EXPECT_EQ(notice().title, QStringLiteral("Training is paused"));
  for (const char* words : {"model.safetensors", "File too large", "free some space", "last checkpoint is kept"})
    EXPECT_TRUE(notice().sentence.contains(QLatin1String(words))) << words << " in " << notice().sentence.toStdString();
  EXPECT_EQ(train().strip().progress().state, QStringLiteral("Paused"));
  EXPECT_EQ(train().strip().progress().left, QString()) << "nobody knows";
  QString tone;
  EXPECT_EQ(healthText(feed().log(), &tone), QStringLiteral("Waits"));
  EXPECT_EQ(tone, QStringLiteral("warn")) << "it has not failed";
  for (const Event& event : feed().log())
    if (const auto* health = std::get_if<Health>(&event.what); health && health->level == HealthLevel::error)
      EXPECT_TRUE(nested_in(health->message.args.at(0))) << "the window says what failed in its own language";
  const QString folder = run().folder();
  showRuns(1);
  ASSERT_TRUE(test::wait_for([&] { return text(folder.toStdString(), "status") == QLatin1String("Paused"); }));
  EXPECT_TRUE(cell(folder.toStdString(), "status").data(Qt::ToolTipRole).toString().contains(u"File too large"));
  EXPECT_TRUE(cell(folder.toStdString(), "status").data(Qt::AccessibleTextRole).toString().contains(u"File too large"));
  bool inDetails = false;
  for (const QLabel* label : page().details().findChildren<QLabel*>())
    inDetails = inDetails || (label->isVisible() && label->text().contains(QLatin1String("File too large")));
  EXPECT_TRUE(inDetails);
  window().showPage(QStringLiteral("train"));
  if (const qint64 left = 3500 - sincePause.elapsed(); left > 0) QTest::qWait(static_cast<int>(left));
  mend();  // it tried by itself after 1 and 3 seconds, and will after 7
  const std::size_t epochs = static_cast<std::size_t>(feed().epochs().size());
  hand.click(button(QStringLiteral("Try again now"), &train().notice()));
  QElapsedTimer clicked;
  clicked.start();
  ASSERT_TRUE(isState(RunController::State::running));
  EXPECT_LT(clicked.elapsed(), 2500) << "at once, and not at the next try";
  ASSERT_TRUE(test::wait_for([&] { return static_cast<std::size_t>(feed().epochs().size()) > epochs + 1; }));
  EXPECT_FALSE(train().notice().isVisible());
  EXPECT_NE(healthText(feed().log(), &tone), QStringLiteral("Failed"));
  EXPECT_FALSE(list_checkpoints(folder.toStdString()).empty());
  showRuns(1);
  EXPECT_TRUE(test::wait_for([&] { return text(folder.toStdString(), "status").startsWith(QStringLiteral("Epoch")); }));
  run().stopNow();
  EXPECT_TRUE(isState(RunController::State::idle));
}

TEST_F(MendingJourney, WithoutAClickItGoesOnByItself) {
  startOnASmallDisk();
  ASSERT_TRUE(pauses());
  mend();
  ASSERT_TRUE(isState(RunController::State::running));
  EXPECT_TRUE(test::wait_for([&] { return !train().notice().isVisible(); }));
  run().stopNow();
  EXPECT_TRUE(isState(RunController::State::idle));
}

}  // namespace
}  // namespace nw::ui
