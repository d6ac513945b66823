// SPDX-License-Identifier: GPL-3.0-or-later
// A run whose process was stopped (Ctrl+Z, a debugger, kill -STOP) answers nothing: the window says so within the time
// of a request, stays responsive, and keeps no more than the last click.
#include <QElapsedTimer>
#include <QSignalSpy>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/heartbeat.hpp"
#include "tests/ui/journey/journey.hpp"

namespace nw::ui {
namespace {

class StoppedRun : public Journey {
 protected:
  void TearDown() override {
    if (process_ > 0) ::kill(process_, SIGCONT);
    Journey::TearDown();
  }
  void trainAndFreeze() {
    openSmallProject(1000);
    startByButton();
    ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0; }));
    process_ = static_cast<pid_t>(run().processId());
    ASSERT_GT(process_, 0);
    QObject::connect(&session(), &Session::message, &window(), [this](const QString& sentence, int) {
      if (sentence.contains(QStringLiteral("kill -CONT %1").arg(process_))) ++said_;
    });
    ASSERT_EQ(::kill(process_, SIGSTOP), 0);
    ASSERT_TRUE(test::wait_for([this] { return isStopped(process_); }));
    heart_.start();
  }
  /// All threads are stopped: the signal stops them only once the thread that takes it gets a processor, and until then
  /// the others still answer.
  static bool isStopped(pid_t process) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
      std::ifstream file(task.path() / "stat");
      const std::string stat((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
      const std::size_t name_end = stat.rfind(") ");
      if (name_end == std::string::npos || stat[name_end + 2] != 'T') return false;
    }
    return true;
  }
  void click(const char* name) { hand.click(child<QWidget>(QLatin1String(name))); }
  static constexpr int request_ms = 2000;  // until a request to a stopped process is given up
  pid_t process_ = 0;
  int said_ = 0;
  test::Heartbeat heart_;
};

TEST_F(StoppedRun, IsSaidOnceWhenStopIsPressedAndStopsWhenItGoesOn) {
  trainAndFreeze();
  click("stopButton");
  ASSERT_TRUE(test::wait_for([&] { return said_ > 0; }));
  QTest::qWait(3000);
  EXPECT_EQ(said_, 1);
  EXPECT_EQ(run().state(), RunController::State::stopping);
  heart_.stop();
  EXPECT_LT(heart_.longest_ms(), request_ms) << "the window waited for a request";
  ASSERT_EQ(::kill(process_, SIGCONT), 0);
  EXPECT_TRUE(isState(RunController::State::idle)) << "the request waited for it";
  process_ = 0;
}

TEST_F(StoppedRun, OfManyClicksOnlyTheLastIsKept) {
  trainAndFreeze();
  QElapsedTimer clicking;
  clicking.start();
  for (int i = 0; i < 9; ++i) click("pauseButton");
  click("stopButton");
  // the first click and the last, and one more for each request that was given up while the ten clicks were made
  const int most = 2 + static_cast<int>(clicking.elapsed() / request_ms);
  ASSERT_TRUE(test::wait_for([&] { return run().state() == RunController::State::stopping && said_ >= 2; }))
      << said_ << " of " << most;
  QTest::qWait(request_ms + 1000);  // one more request would be said within this time
  EXPECT_LE(said_, most);
  heart_.stop();
  EXPECT_LT(heart_.longest_ms(), request_ms) << "the window waited for a request";
  click("stopButton");  // "Stop now"
  EXPECT_TRUE(isState(RunController::State::idle)) << "a stopped process can be killed";
  process_ = 0;
}

}  // namespace
}  // namespace nw::ui
