// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/machine_watch.hpp"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "engine/monitor/monitor.hpp"
#include "ui/session/guarded.hpp"

namespace nw::ui {

struct MachineWatch::Worker {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::jthread thread;  // last member: stops and joins before the other members are destroyed
};

MachineWatch::MachineWatch(QObject* parent) : QObject(parent), worker_(std::make_unique<Worker>()) {
  worker_->thread = std::jthread(guarded([this, worker = worker_.get()](const std::stop_token& stop) {
    Monitor monitor;
    while (!stop.stop_requested()) {
      DeviceSample sample = monitor.sample();
      QMetaObject::invokeMethod(
          this,
          [this, sample = std::move(sample)] {
            last_ = sample;
            Q_EMIT sampled();
          },
          Qt::QueuedConnection);
      std::unique_lock lock(worker->mutex);
      worker->wake.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    }
  }));
}

MachineWatch::~MachineWatch() { worker_.reset(); }

}  // namespace nw::ui
