// SPDX-License-Identifier: GPL-3.0-or-later
// Waits for a condition while the event loop runs; the time limit only ends a test that would hang.
#pragma once
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QThread>

namespace nw::test {

template <class Condition>
bool wait_for(Condition condition, int limit_ms = 180000) {
  QElapsedTimer clock;
  clock.start();
  while (!condition()) {
    if (clock.elapsed() > limit_ms) return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    QThread::msleep(1);
  }
  return true;
}

}  // namespace nw::test
