// SPDX-License-Identifier: Apache-2.0
#include "engine/train/recorder.hpp"

#include <algorithm>
#include <utility>

#include "engine/monitor/monitor.hpp"

namespace nw {
namespace {

constexpr double sample_interval_s = 1;

/// 30 records a second for the first two minutes, then gradually fewer, one a second after an hour: this limits the
/// size of a day's log.
double record_interval_s(double running_s) { return std::clamp(running_s / 3600, 1.0 / 30, 1.0); }

void widen(Bin& bin, double v, std::int64_t before) {
  bin.min = before == 0 ? v : std::min(bin.min, v);
  bin.max = before == 0 ? v : std::max(bin.max, v);
  bin.mean += (v - bin.mean) / static_cast<double>(before + 1);
}

}  // namespace

Recorder::Recorder(EventSink& sink, RunFiles* files) : sink_(sink), files_(files), thread_([this] { work(); }) {}

Recorder::~Recorder() {
  stop();
  const std::lock_guard lock(sending_);
  flush_steps();
}

void Recorder::stop() {
  {
    const std::lock_guard lock(gather_);
    leaving_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Recorder::watch_machine(std::vector<int> gpus) {
  const std::lock_guard lock(gather_);
  gpus_ = std::move(gpus);
  next_sample_s_ = seconds();
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
  widen(steps_.loss, n.loss, steps_.count);
  widen(steps_.accuracy, n.accuracy, steps_.count);
  ++steps_.count;
  steps_.last = n.step;
  steps_.epoch = n.epoch;
  steps_.learning_rate = n.learning_rate;
  steps_.grad_norm = n.grad_norm;
  samples_ += n.samples;
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
  flush_steps();
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

void Recorder::flush_steps() {
  Steps steps;
  std::vector<float> losses;
  {
    const std::lock_guard lock(gather_);
    if (steps_.count == 0) return;
    steps_.images_per_s = trained_s_ > 0 ? static_cast<double>(samples_) / trained_s_ : 0;
    steps = std::exchange(steps_, {});
    losses = std::exchange(losses_, {});
    samples_ = 0;
    trained_s_ = 0;
  }
  if (files_) files_->add_losses(losses);
  send(steps);
}

void Recorder::work() {
  Monitor monitor;
  for (double next_steps = 0;;) {
    bool sample = false, leaving = false;
    std::vector<int> gpus;
    {
      std::unique_lock lock(gather_);
      const auto at = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(next_steps));
      changed_.wait_until(lock, at, [this] { return leaving_; });
      leaving = leaving_;
      sample = seconds() >= next_sample_s_ || (leaving && next_sample_s_ < std::numeric_limits<double>::infinity());
      if (sample) next_sample_s_ = seconds() + sample_interval_s;
      gpus = gpus_;
    }
    if (sample) energy_.read(monitor.energy(gpus));
    if (leaving) return;
    const double now = seconds();
    const std::lock_guard lock(sending_);
    flush_steps();
    if (sample) send(monitor.sample());
    next_steps = now + record_interval_s(now);
  }
}

}  // namespace nw
