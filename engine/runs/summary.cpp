// SPDX-License-Identifier: Apache-2.0
// A row of a list of runs, computed from the folder alone. Most lines of events.jsonl are step records, which are not
// parsed.
#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "engine/runs/contained.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/runs/run_notes.hpp"

namespace nw {
namespace {

constexpr std::uint64_t events_limit = std::uint64_t{16} << 30;  // weeks of training with eight GPUs
constexpr std::size_t longest_event = std::size_t{1} << 20;      // events are far shorter
constexpr std::size_t runs_limit = 100'000, curve_limit = 100'000;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// Accumulates events; the run may be resumed meanwhile.
class Digest {
 public:
  explicit Digest(RunSummary& summary) : s_(summary) {}
  void take(const Event& event) {
    seconds_ = std::max(seconds_, event.t);
    std::visit(Overloaded{[&](const Started& e) {
                            s_.device = e.device;
                            s_.metric = e.metric;
                            s_.epochs = e.epochs;
                            s_.parameters = e.parameters;
                            if (!e.name.empty()) s_.name = e.name;
                          },
                          [&](const Steps& e) {
                            s_.last_loss = e.loss.mean;
                            s_.steps = e.last;
                            learning_rate_ = e.learning_rate;
                          },
                          [&](const EpochEnd& e) { add(e); },
                          [&](const Resumed& e) {
                            s_.wall_s += seconds_;
                            seconds_ = 0;
                            s_.steps = e.from_step;
                            ended_ = false;
                            sampled_ = std::numeric_limits<double>::quiet_NaN();
                            keep_until(e.from_step);
                          },
                          [&](const Knob& e) { take_knob(e); }, [&](const DeviceSample& e) { add_energy(e, event.t); },
                          [&](const Ended& e) {
                            ended_ = true;
                            s_.steps = e.step;
                            if (is_tested(e) && std::isfinite(e.test_loss)) s_.test_accuracy = e.test_accuracy;
                            if (e.gpu_energy_j >= 0) s_.gpu_energy_j = std::max(s_.gpu_energy_j, 0.0) + e.gpu_energy_j;
                            if (e.cpu_energy_j >= 0) s_.cpu_energy_j = std::max(s_.cpu_energy_j, 0.0) + e.cpu_energy_j;
                            s_.images += e.images;
                            s_.status = status_after(e.reason);
                          },
                          [](const auto&) {}},
               event.what);
  }
  void finish(bool running) {
    s_.wall_s += seconds_;
    if (running)
      s_.status = RunStatus::running;
    else if (!ended_)
      s_.status = RunStatus::interrupted;
    if (!epochs_.empty()) s_.last_loss = epochs_.back().train_loss;
    for (const EpochEnd& e : epochs_) {
      s_.epochs_done = std::max(s_.epochs_done, e.epoch);
      if (s_.curve.size() < curve_limit) s_.curve.push_back(static_cast<float>(compared_accuracy(e)));
    }
    if (const EpochEnd* best = best_epoch(epochs_)) s_.best_accuracy = compared_accuracy(*best);
  }

 private:
  void add(const EpochEnd& e) {
    epochs_.push_back(e);
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (s_.history.size() < curve_limit)
      s_.history.push_back({e.epoch, e.train_loss, e.train_accuracy, e.has_validation ? e.validation_loss : none,
                            e.has_validation ? e.validation_accuracy : none, std::exchange(learning_rate_, none),
                            e.step, s_.wall_s + seconds_, energy_j_});
  }
  /// The power of a sample counts for the time since the one before it; a gap is no training.
  void add_energy(const DeviceSample& e, double t) {
    constexpr double longest_gap_s = 60;
    double power_w = 0;
    bool measured = false;
    for (const GpuSample& g : e.gpus)
      if (g.power_w >= 0 && std::isfinite(g.power_w)) power_w += g.power_w, measured = true;
    if (!measured) return;
    const double passed = t - std::exchange(sampled_, t);
    if (!std::isfinite(energy_j_)) energy_j_ = 0;
    if (passed > 0 && passed <= longest_gap_s) energy_j_ += power_w * passed;
  }
  void take_knob(const Knob& e) {
    if (e.name != epochs_knob || !(e.value >= 1 && e.value <= 1e6)) return;
    s_.epochs = static_cast<std::int64_t>(e.value);
    s_.extended_from_step = e.step;
  }
  void keep_until(std::int64_t step) {
    std::erase_if(epochs_, [&](const EpochEnd& old) { return old.step > step; });
    s_.history.resize(std::min(s_.history.size(), epochs_.size()));
  }

  RunSummary& s_;
  double learning_rate_ = std::numeric_limits<double>::quiet_NaN();  // of the last step record read
  std::vector<EpochEnd> epochs_;
  double seconds_ = 0;                                                               // of the process being read
  double sampled_ = std::numeric_limits<double>::quiet_NaN(), energy_j_ = sampled_;  // the last sample's time
  bool ended_ = false;
};

/// Complete lines of events.jsonl; of step records only the last. A run that is just starting has no events yet.
Status read_events(const fs::path& run, Digest& digest) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(run / "events.jsonl", ignored))) return {};
  NW_ASSIGN(const std::uint64_t bytes, size_inside(run, "events.jsonl"));
  if (bytes > events_limit)
    return fail(Errc::bad_input, NW_TR("{0} holds {1} bytes; at most {2} are read"), (run / "events.jsonl").string(),
                bytes, events_limit);
  std::string last_steps;
  const auto take = [&](std::string_view line) {
    if (auto event = parse_event(line)) digest.take(*event);
  };
  const auto take_line = [&](std::string_view line) {
    if (line.find("\"type\":\"steps\"") != std::string_view::npos) {
      last_steps = line;
      return;
    }
    const auto is = [&](std::string_view type) { return line.find(type) != std::string_view::npos; };
    const bool ordered = is("\"type\":\"resumed\"") || is("\"type\":\"ended\"") || is("\"type\":\"epoch\"");
    if (ordered && !last_steps.empty()) {
      take(last_steps);
      last_steps.clear();
    }
    take(line);
  };
  NW_TRY(each_line_inside(run, "events.jsonl", longest_event, take_line));
  if (!last_steps.empty()) take(last_steps);
  return {};
}

}  // namespace

Result<RunSummary> summarize_run(const fs::path& run) {
  NW_ASSIGN(const RunDefinition definition, read_run_definition(run));
  return summarize_run(run, definition);
}

Result<RunSummary> summarize_run(const fs::path& run, const RunDefinition& definition) {
  RunSummary s;
  s.folder = run;
  s.name = definition.name;
  if (const auto notes = read_run_notes(run)) s.given_name = notes->name;
  s.created = definition.created;
  s.epochs = definition.doc.settings().epochs;
  Digest digest(s);
  const bool running =
      is_running(run);  // read before the events: a run that ends in between has then written its last event
  NW_TRY(read_events(run, digest));
  digest.finish(running);
  const bool over = s.status == RunStatus::finished || s.status == RunStatus::running;
  const bool has_checkpoint = static_cast<bool>(latest_checkpoint(run));
  s.can_resume = !over && has_checkpoint;
  s.can_train_further = s.status != RunStatus::running && has_checkpoint;
  return s;
}

std::vector<RunSummary> list_runs(const fs::path& runs) {
  std::vector<RunSummary> all;
  std::error_code error;
  for (fs::directory_iterator it(runs, error), end; !error && it != end && all.size() < runs_limit;
       it.increment(error)) {
    std::error_code ignored;
    if (!fs::is_directory(it->symlink_status(ignored)) || it->path().filename().string().starts_with('.')) continue;
    if (auto summary = summarize_run(it->path())) {
      all.push_back(*std::move(summary));
    } else {
      RunSummary damaged;
      damaged.folder = it->path();
      damaged.name = it->path().filename().string();
      damaged.status = is_running(it->path()) ? RunStatus::running : RunStatus::failed;
      all.push_back(std::move(damaged));
    }
  }
  std::sort(all.begin(), all.end(), [](const RunSummary& a, const RunSummary& b) {
    return a.created != b.created ? a.created > b.created : a.folder > b.folder;
  });
  return all;
}

}  // namespace nw
