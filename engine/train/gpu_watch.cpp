// SPDX-License-Identifier: Apache-2.0
#include "engine/train/gpu_watch.hpp"

#include <memory>
#include <optional>

#include "engine/backend/devices.hpp"
#include "engine/train/without_throwing.hpp"

namespace nw {

GpuWatch::GpuWatch(Read read, std::chrono::milliseconds interval)
    : read_(std::move(read)), interval_(interval), thread_([this] { work(); }) {}

GpuWatch::~GpuWatch() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  leave_.notify_all();
}

GpuWatch::Reading GpuWatch::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

GpuWatch::Reading GpuWatch::read_now(double at_s) {
  Reading now{at_s, read_()};
  meters_.resize(now.gpus.size());
  for (std::size_t i = 0; i < now.gpus.size(); ++i) {
    meters_[i].read({.gpu_j = now.gpus[i].energy_j});
    now.gpus[i].energy_j = meters_[i].used().gpu_j;
  }
  return now;
}

// Without memory for it a reading is left out.
void GpuWatch::work() {
  for (std::unique_lock lock(mutex_); !leaving_; leave_.wait_for(lock, interval_, [this] { return leaving_; })) {
    lock.unlock();
    Reading now;
    const double at_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const Status read = without_throwing([&]() -> Status {
      now = read_now(at_s);
      return {};
    });
    lock.lock();
    if (read) last_ = std::move(now);
  }
}

GpuWatch::Read read_gpus(std::vector<int> numbers) {
  return [numbers = std::move(numbers), monitor = std::shared_ptr<Monitor>()]() mutable {
    if (!monitor) {
      monitor = std::make_shared<Monitor>();
      monitor->put_first(bus_ids_of_gpus());
    }
    std::vector<GpuWatch::Counters> all;
    for (const int gpu : numbers) {
      const double percent = monitor->utilization(gpu);
      all.push_back({monitor->energy({gpu}).gpu_j, percent < 0 ? -1 : percent / 100});
    }
    return all;
  };
}

}  // namespace nw
