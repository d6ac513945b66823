// SPDX-License-Identifier: Apache-2.0
// A row of a list of runs, computed from the folder alone. Most lines of events.jsonl are step records, which are not
// parsed.
#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <system_error>

#include "engine/runs/contained.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {

constexpr std::uint64_t events_limit = std::uint64_t{256} << 20;
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
                          },
                          [&](const EpochEnd& e) { epochs_.push_back(e); },
                          [&](const Resumed& e) {
                            s_.wall_s += seconds_;
                            seconds_ = 0;
                            s_.steps = e.from_step;
                            ended_ = false;
                            std::erase_if(epochs_, [&](const EpochEnd& old) { return old.step > e.from_step; });
                          },
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
    seconds_ = std::max(seconds_, event.t);
  }
  void finish(bool running) {
    s_.wall_s += seconds_;
    if (running)
      s_.status = RunStatus::running;
    else if (!ended_)
      s_.status = RunStatus::interrupted;
    if (!epochs_.empty()) s_.last_loss = epochs_.back().train_loss;
    for (const EpochEnd& e : epochs_) {
      const double accuracy = compared_accuracy(e);
      if (!(s_.best_accuracy >= accuracy) && !std::isnan(accuracy)) s_.best_accuracy = accuracy;
      s_.epochs_done = std::max(s_.epochs_done, e.epoch);
      if (s_.curve.size() < curve_limit) s_.curve.push_back(static_cast<float>(accuracy));
    }
  }

 private:
  RunSummary& s_;
  std::vector<EpochEnd> epochs_;
  double seconds_ = 0;  // of the process being read
  bool ended_ = false;
};

/// Complete lines of events.jsonl; of step records only the last.
void read_events(const fs::path& run, Digest& digest) {
  const auto bytes = read_inside(run, "events.jsonl", events_limit);
  if (!bytes) return;
  std::string_view last_steps;
  const auto take = [&](std::string_view line) {
    if (auto event = parse_event(line)) digest.take(*event);
  };
  for (std::size_t begin = 0;;) {
    const std::size_t end = bytes->find('\n', begin);
    if (end == std::string::npos) break;
    const std::string_view line(bytes->data() + begin, end - begin);
    begin = end + 1;
    if (line.find("\"type\":\"steps\"") != std::string_view::npos) {
      last_steps = line;
      continue;
    }
    const bool ordered = line.find("\"type\":\"resumed\"") != std::string_view::npos ||
                         line.find("\"type\":\"ended\"") != std::string_view::npos;
    if (ordered && !last_steps.empty()) {
      take(last_steps);
      last_steps = {};
    }
    take(line);
  }
  if (!last_steps.empty()) take(last_steps);
}

}  // namespace

Result<RunSummary> summarize_run(const fs::path& run) {
  NW_ASSIGN(const RunDefinition definition, read_run_definition(run));
  RunSummary s;
  s.folder = run;
  s.name = definition.name;
  s.created = definition.created;
  s.epochs = definition.doc.settings().epochs;
  Digest digest(s);
  const bool running =
      is_running(run);  // read before the events: a run that ends in between has then written its last event
  read_events(run, digest);
  digest.finish(running);
  const bool over = s.status == RunStatus::finished || s.status == RunStatus::running;
  s.can_resume = !over && static_cast<bool>(latest_checkpoint(run));
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
