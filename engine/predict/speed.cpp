// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/speed.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "engine/core/rng.hpp"
#include "engine/monitor/energy.hpp"
#include "engine/predict/forward.hpp"
#include "engine/predict/timing.hpp"

namespace nw {

Result<ResolvedDevice> inference_device(const std::string& name) {
  const std::size_t at = name.find('@');
  std::int64_t threads = 0;
  if (at != std::string::npos) {
    const char* end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + at + 1, end, threads);
    if (read.ec != std::errc() || read.ptr != end || threads < 1 || threads > 4096)
      return fail(Errc::usage, NW_TR("\"{0}\" is not a device with its threads; cpu@2 is the processor with two"),
                  name);
  }
  NW_ASSIGN(auto devices, resolve_devices({name.substr(0, at)}, threads));
  devices.front().name = name;
  return std::move(devices.front());
}

namespace {

/// The energy while a device computes: of a GPU by its own counter, and of the processors where that can be read.
class DeviceEnergy {
 public:
  explicit DeviceEnergy(const std::string& device) : gpus_(gpu_numbers({device})) {
    if (!gpus_.empty()) monitor_.put_first(bus_ids_of_gpus());
  }
  void read() { meter_.read(monitor_.energy(gpus_)); }
  /// Joules between the readings; -1: the device's counter cannot be read, or has not moved.
  double used_j() const {
    const Energy& used = meter_.used();
    if (!gpus_.empty() && used.gpu_j <= 0) return -1;
    const double all = std::max(used.cpu_j, 0.0) + std::max(used.gpu_j, 0.0);
    return all > 0 ? all : -1;
  }

 private:
  std::vector<int> gpus_;
  Monitor monitor_;
  EnergyMeter meter_;
};

}  // namespace

namespace predicting {

std::vector<float> noise(std::int64_t elements) {
  RandomStream random({.seed = 1, .op = 0, .epoch = 0, .sample = 0});
  std::vector<float> out(static_cast<std::size_t>(elements));
  for (float& v : out) v = static_cast<float>(random.below(2001)) / 1000.0f - 1.0f;
  return out;
}

Result<InferenceSpeed> time_calls(Forward& f, std::span<const float> images, std::int64_t batch, double seconds,
                                  const std::function<bool()>& goes_on) {
  using Clock = std::chrono::steady_clock;
  DeviceEnergy energy(f.device->name());
  std::vector<double> ms;
  std::vector<float> scores;
  auto begin = Clock::now();
  const double warm_up_s = std::min(0.2, seconds / 4);
  bool warm = false;
  for (;;) {
    const auto from = Clock::now();
    NW_TRY(f.run(images, batch, scores));
    const auto to = Clock::now();
    if (goes_on && !goes_on()) return fail(Errc::stopped, NW_TR("cancelled"));
    const double passed_s = std::chrono::duration<double>(to - begin).count();
    if (!warm) {
      if (passed_s < warm_up_s) continue;
      warm = true;
      begin = to;
      energy.read();
      continue;
    }
    ms.push_back(std::chrono::duration<double, std::milli>(to - from).count());
    if (passed_s >= seconds) break;
  }
  const double all_s = std::chrono::duration<double>(Clock::now() - begin).count();
  energy.read();
  std::sort(ms.begin(), ms.end());
  InferenceSpeed s{.batch = batch, .calls = static_cast<std::int64_t>(ms.size())};
  s.latency_ms = ms[ms.size() / 2];
  s.slowest_ms = ms[ms.size() * 99 / 100];
  s.images_per_s = static_cast<double>(batch * s.calls) / all_s;
  if (const double used_j = energy.used_j(); used_j > 0) s.energy_j = used_j / static_cast<double>(batch * s.calls);
  return s;
}

}  // namespace predicting

std::vector<std::int64_t> not_faster(const std::vector<InferenceSpeed>& before,
                                     const std::vector<InferenceSpeed>& after) {
  std::vector<std::int64_t> batches;
  for (const InferenceSpeed& b : before)
    for (const InferenceSpeed& a : after)
      if (a.batch == b.batch && b.latency_ms < 1.05 * a.latency_ms) batches.push_back(a.batch);
  return batches;
}

Result<std::vector<InferenceSpeed>> measure_inference(const SpeedRequest& q,
                                                      const std::function<bool(double)>& progress) {
  NW_ASSIGN(RunDefinition run, read_run_definition(q.run));
  if (q.untrained) run.doc = *q.untrained;
  NW_ASSIGN(const std::string checkpoint, predicting::checkpoint_named(q.run, q.checkpoint));
  std::vector<InferenceSpeed> all;
  const auto total = static_cast<double>(q.devices.size() * q.batches.size());
  for (const std::string& name : q.devices) {
    NW_ASSIGN(const ResolvedDevice device, inference_device(name));
    for (const std::int64_t batch : q.batches) {
      if (batch < 1 || batch > largest_inference_batch)
        return fail(Errc::usage, NW_TR("A batch of {0} images is not possible; from 1 to {1}"), batch,
                    largest_inference_batch);
      NW_ASSIGN(predicting::Forward f, predicting::Forward::make(run, device, batch));
      if (!q.untrained) NW_TRY(f.load(q.run, checkpoint));
      const std::vector<float> images = predicting::noise(batch * run.channels * run.height * run.width);
      const auto goes_on = [&] { return !progress || progress(static_cast<double>(all.size()) / total); };
      NW_ASSIGN(InferenceSpeed s, predicting::time_calls(f, images, batch, q.seconds, goes_on));
      s.device = name;
      s.description = device.device->description();
      s.threads = device.threads;
      all.push_back(std::move(s));
    }
  }
  return all;
}

}  // namespace nw
