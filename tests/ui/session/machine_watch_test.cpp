// SPDX-License-Identifier: GPL-3.0-or-later
// The load of the computer is measured on a thread of its own and arrives on that of the window.
#include "ui/session/machine_watch.hpp"

#include <gtest/gtest.h>

#include <QThread>

#include "tests/support/wait_for.hpp"

namespace nw::ui {
namespace {

TEST(MachineWatch, SamplesArriveOnTheThreadOfTheWindow) {
  MachineWatch watch;
  int elsewhere = 0, here = 0;
  double memory = 0;
  const auto heard = [&] {
    ++(QThread::currentThread() == qApp->thread() ? here : elsewhere);
    memory = watch.last().memory_total_bytes;
  };
  QObject::connect(&watch, &MachineWatch::sampled, &watch, heard, Qt::DirectConnection);
  ASSERT_TRUE(test::wait_for([&] { return here + elsewhere >= 2; }));
  EXPECT_EQ(elsewhere, 0);
  EXPECT_GT(memory, 0);
}

}  // namespace
}  // namespace nw::ui
