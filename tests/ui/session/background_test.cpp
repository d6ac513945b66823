// SPDX-License-Identifier: GPL-3.0-or-later
// Work on other threads that runs out of memory or throws: its owner hears of it and does not wait for ever.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <new>
#include <stdexcept>

#include "ui/session/background.hpp"

namespace nw::ui {
namespace {

/// Runs the event loop until `done`, or for 20 seconds; what it throws is kept in `thrown`.
bool until(const bool& done, std::string* thrown = nullptr) {
  const QDeadlineTimer deadline(20000);
  while (!done && !deadline.hasExpired()) {
    try {
      QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    } catch (const std::exception& e) {
      if (!thrown) throw;
      *thrown = e.what();
    }
  }
  return done;
}

TEST(InBackground, WorkThatReturnsAResultReportsThatThereIsNoMemory) {
  QObject owner;
  bool done = false;
  Errc code{};
  inBackground(
      &owner, []() -> Result<int> { throw std::bad_alloc(); },
      [&](const Result<int>& result) {
        ASSERT_FALSE(result);
        code = result.error().code;
        EXPECT_NE(result.error().str().find("not enough memory"), std::string::npos);
        done = true;
      });
  ASSERT_TRUE(until(done));
  EXPECT_EQ(code, Errc::out_of_memory);
  done = false;
  inBackground(
      &owner, []() -> Status { throw std::bad_alloc(); },
      [&](const Status& status) {
        EXPECT_FALSE(status);
        done = true;
      });
  EXPECT_TRUE(until(done));
}

TEST(InBackground, TheOwnerOfWorkThatThrowsWaitsNoLonger) {
  QObject owner;
  bool used = false, gaveUp = false;
  std::string thrown;
  inBackground(
      &owner, []() -> int { throw std::runtime_error("no luck"); }, [&](int) { used = true; }, [&] { gaveUp = true; });
  ASSERT_TRUE(until(gaveUp, &thrown));
  EXPECT_EQ(thrown, "no luck") << "what it threw is reported too";
  EXPECT_FALSE(used);
}

TEST(InBackground, WorkThatSucceedsIsUsedAndNothingIsGivenUp) {
  QObject owner;
  bool gaveUp = false, done = false;
  int got = 0;
  inBackground(
      &owner, [] { return 7; },
      [&](int n) {
        got = n;
        done = true;
      },
      [&] { gaveUp = true; });
  ASSERT_TRUE(until(done));
  EXPECT_EQ(got, 7);
  EXPECT_FALSE(gaveUp);
}

}  // namespace
}  // namespace nw::ui
