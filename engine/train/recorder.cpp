// SPDX-License-Identifier: Apache-2.0
#include "engine/train/recorder.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "engine/monitor/monitor.hpp"
#include "engine/train/without_throwing.hpp"

namespace nw {
namespace {

constexpr double sample_interval_s = 1;

/// 30 records a second for the first two minutes, then gradually fewer, one a second after an hour: this limits the
/// size of a day's log.
double record_interval_s(double running_s) { return std::clamp(running_s / 3600, 1.0 / 30, 1.0); }

/// `weight`: the step's share of the record's images.
void widen(Bin& bin, double v, bool first, double weight) {
  bin.min = first ? v : std::min(bin.min, v);
  bin.max = first ? v : std::max(bin.max, v);
  bin.mean += (v - bin.mean) * weight;
}

}  // namespace

Recorder::Recorder(EventSink& sink, RunFiles* files) : sink_(sink), files_(files), thread_([this] { work(); }) {}

Recorder::~Recorder() {
  stop();
  (void)without_throwing([this]() -> Status {
    const std::lock_guard lock(sending_);
    flush_steps(true);
    return {};
  });
}

void Recorder::stop() {
  {
    const std::lock_guard lock(gather_);
    leaving_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Recorder::watch_machine(std::vector<int> gpus, std::vector<std::string> bus_ids) {
  const std::lock_guard lock(gather_);
  gpus_ = std::move(gpus);
  bus_ids_ = std::move(bus_ids);
  next_sample_s_ = seconds();
}

std::vector<int> Recorder::watched_gpus() {
  const std::lock_guard lock(gather_);
  return gpus_;
}

double Recorder::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Recorder::add(const StepNote& n) {
  const std::lock_guard lock(gather_);
  if (training_since_s_ >=
      0) {  // a step's time is counted in the record that contains the step, whenever that record is written
    const double now = seconds();
    trained_s_ += now - training_since_s_;
    training_since_s_ = now;
  }
  samples_ += n.samples;
  most_samples_ = std::max(most_samples_, n.samples);
  const double weight =
      samples_ > 0 ? static_cast<double>(n.samples) / static_cast<double>(samples_) : 1.0 / double(steps_.count + 1);
  widen(steps_.loss, n.loss, steps_.count == 0, weight);
  steps_.penalty += (n.penalty - steps_.penalty) * weight;
  widen(steps_.accuracy, n.accuracy, steps_.count == 0, weight);
  ++steps_.count;
  steps_.last = n.step;
  steps_.epoch = n.epoch;
  steps_.learning_rate = n.learning_rate;
  steps_.grad_norm = n.grad_norm;
  losses_.push_back(static_cast<float>(n.loss));
}

void Recorder::set_training(bool on) {
  const std::lock_guard lock(gather_);
  if (on == (training_since_s_ >= 0)) return;
  const double now = seconds();
  if (!on) trained_s_ += now - training_since_s_;
  training_since_s_ = on ? now : -1;
}

void Recorder::post(decltype(Event::what) what) {
  const std::lock_guard lock(sending_);
  flush_steps(std::holds_alternative<Ended>(what));
  send(std::move(what));
}

void Recorder::post_last(Ended& ended) {
  stop();
  ended.gpu_energy_j = energy_.used().gpu_j;
  ended.cpu_energy_j = energy_.used().cpu_j;
  post(ended);
}

void Recorder::send(decltype(Event::what) what) {
  const Event event{seconds(), std::move(what)};
  if (files_) files_->post(event);
  sink_.post(event);
}

/// The collected steps as a record; none (count 0) while there are no steps. Unless `all`, a record of less than half a
/// batch waits for the next step: the loss of the few images of an epoch's last batch would be a point of the curve.
Steps Recorder::take_record(bool all) {
  if (steps_.count == 0 || (!all && 2 * samples_ < most_samples_)) return {};
  steps_.images_per_s = trained_s_ > 0 ? static_cast<double>(samples_) / trained_s_ : 0;
  samples_ = 0;
  trained_s_ = 0;
  return std::exchange(steps_, {});
}

void Recorder::flush_steps(bool all) {
  Steps steps;
  std::vector<float> losses;
  {
    const std::lock_guard lock(gather_);
    losses = std::exchange(losses_, {});
    steps = take_record(all);
  }
  if (files_ && !losses.empty()) files_->add_losses(losses);
  if (steps.count > 0) send(steps);
}

// Without memory for it a record is left for the next time.
void Recorder::write_due(Monitor* monitor) try {
  const std::lock_guard lock(sending_);
  flush_steps(false);
  if (monitor) send(monitor->sample());
} catch (const std::bad_alloc&) {}

// The thread has no caller to whom a lack of memory could be told: what needs memory is left out, and tried again a
// second later.
void Recorder::work() {
  std::optional<Monitor> monitor;
  std::vector<std::string> bus_ids;  // not yet passed on
  for (double next_steps = 0;;) {
    bool sample = false, leaving = false;
    {
      std::unique_lock lock(gather_);
      const auto at = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(next_steps));
      changed_.wait_until(lock, at, [this] { return leaving_; });
      leaving = leaving_;
      sample = seconds() >= next_sample_s_ || (leaving && next_sample_s_ < std::numeric_limits<double>::infinity());
      if (sample) next_sample_s_ = seconds() + sample_interval_s;
      if (!bus_ids_.empty()) bus_ids = std::exchange(bus_ids_, {});
    }
    (void)without_throwing([&]() -> Status {
      if (!monitor) monitor.emplace();
      if (!bus_ids.empty()) monitor->put_first(bus_ids);
      bus_ids.clear();
      if (sample) energy_.read(monitor->energy(watched_gpus()));
      return {};
    });
    if (leaving) return;
    const double now = seconds();
    write_due(sample && monitor && bus_ids.empty() ? &*monitor : nullptr);
    next_steps = now + record_interval_s(now);
  }
}

}  // namespace nw
