// SPDX-License-Identifier: Apache-2.0
// Run folders for tests and screenshots, written by the engine's writers: a definition, events line by line, incomplete
// lines, the lock.
#pragma once
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::test {

/// An empty temporary folder, removed by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "netwright-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The definition of a LeNet-5 run on digits, as `train` writes it.
inline RunDefinition definition_of(const std::string& template_name = "lenet5", double created = 0) {
  RunDefinition d;
  d.name = template_name;
  if (const Template* t = find_template(template_name)) d.doc = t->make();
  d.channels = 1;
  d.height = d.width = 28;
  d.mean = {0.1307F};
  d.deviation = {0.3081F};
  for (char c = '0'; c <= '9'; ++c) d.classes.emplace_back(1, c);
  d.created = created;
  return d;
}

class RunWriter {
 public:
  RunWriter(const fs::path& runs, RunDefinition definition) : definition_(std::move(definition)) {
    auto made = create_run_folder(runs, definition_);
    if (!made) throw std::runtime_error(made.error().str());
    folder_ = *made;
  }
  const fs::path& folder() const { return folder_; }
  const RunDefinition& definition() const { return definition_; }
  template <class What>
  void post(double t, What what) {
    raw(event_line(Event{t, std::move(what)}) + "\n");
  }
  void raw(const std::string& bytes) {
    std::ofstream(folder_ / "events.jsonl", std::ios::binary | std::ios::app) << bytes;
  }
  void lock() {
    auto taken = FileLock::take(folder_ / "lock");
    if (!taken) throw std::runtime_error(taken.error().str());
    lock_.emplace(*std::move(taken));
  }
  void unlock() { lock_.reset(); }

 private:
  RunDefinition definition_;
  fs::path folder_;
  std::optional<FileLock> lock_;
};

/// Parameters of write_training(). Curves follow fixed formulas with noise derived from the record's index, so that
/// screenshots are reproducible.
struct RunScript {
  std::int64_t epochs = 10, epochs_done = 10, steps_per_epoch = 844, records_per_epoch = 60;
  double best = 0.989, start_time = 1'763'700'000, epoch_seconds = 6.4, images_per_s = 8400;
  int gpus = 0;
  double into_epoch = 0;           // fraction of the epoch after the last complete one
  std::optional<EndReason> end{};  // none: still running, or interrupted
  std::string device = "cpu";
  Metric metric = Metric::accuracy;
  std::vector<Knob> changes{};  // of settings, in the order of their steps
};

/// Noise of record i in [-1, 1], computed by a hash, so that it does not depend on earlier calls.
inline double noise(std::int64_t i, std::uint64_t salt) {
  std::uint64_t v = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL + salt * 0xBF58476D1CE4E5B9ULL;
  v ^= v >> 29;
  v *= 0x94D049BB133111EBULL;
  v ^= v >> 32;
  return static_cast<double>(v % 20001) / 10000.0 - 1;
}

inline DeviceSample machine_sample(std::int64_t i, int gpus) {
  DeviceSample s{92 + 4 * noise(i, 11), 88 + 4 * noise(i, 12), 9.2e9 + 1e8 * noise(i, 13), 33.5e9, 0.61e9, {}};
  for (int g = 0; g < gpus; ++g) {
    const double dip = i % 17 == 5 + g ? 45 : 0;
    s.gpus.push_back({"GPU", 78 - 2.0 * g - dip + 9 * noise(i, 20 + static_cast<std::uint64_t>(g)),
                      (g == 0 ? 10.6e9 : 9.8e9), 24e9, 318 - 6.0 * g + 8 * noise(i, 30), 71 - 1.5 * g});
  }
  return s;
}

inline void write_training(RunWriter& run, const RunScript& story) {
  const TrainSettings& settings = run.definition().doc.settings();
  Started started;
  started.time = story.start_time;
  started.name = run.definition().name;
  started.device = story.device;
  started.metric = story.metric;
  started.epochs = story.epochs;
  started.steps_per_epoch = story.steps_per_epoch;
  started.batch = settings.batch;
  started.parameters = 61706;
  started.memory_bytes = story.gpus > 0 ? std::int64_t{10'400'000'000} : 48'000'000;
  started.train = story.steps_per_epoch * settings.batch;
  started.validation = 6000;
  started.test = 10000;
  run.post(0, started);
  const double total = static_cast<double>(story.epochs_done) + story.into_epoch;
  const auto accuracy_at = [&](double e) {
    return story.best - (story.best - 0.1) * std::exp(-3.2 * std::pow(e, 0.62));
  };
  const auto loss_at = [&](double e) { return 2.25 * std::exp(-2.9 * std::pow(e, 0.55)) + 0.02; };
  double best = 0;
  std::int64_t sampled = 0;
  std::size_t changed = 0;
  double rate = 0;  // that was set by a change
  const auto records = static_cast<std::int64_t>(total * static_cast<double>(story.records_per_epoch));
  for (std::int64_t i = 1; i <= records; ++i) {
    const double epoch = static_cast<double>(i) / static_cast<double>(story.records_per_epoch),
                 t = epoch * story.epoch_seconds;
    const auto step = static_cast<std::int64_t>(epoch * static_cast<double>(story.steps_per_epoch));
    for (; changed < story.changes.size() && story.changes[changed].step <= step; ++changed) {
      run.post(t, story.changes[changed]);
      if (story.changes[changed].name == "learning_rate") rate = story.changes[changed].value;
    }
    const double loss = loss_at(epoch), spread = loss * 0.35 + 0.01;
    Steps s;
    s.last = step;
    s.count = story.steps_per_epoch / story.records_per_epoch;
    s.epoch = epoch;
    const double mean = std::max(0.002, loss + 0.3 * spread * noise(i, 1));
    s.loss = {std::max(0.001, mean - spread * (0.6 + 0.4 * noise(i, 2))), mean,
              mean + spread * (0.8 + 0.5 * noise(i, 3))};
    const double accuracy = std::min(1.0, accuracy_at(epoch) + 0.004 + 0.006 * noise(i, 4));
    s.accuracy = {std::max(0.0, accuracy - 0.03), accuracy, std::min(1.0, accuracy + 0.02)};
    s.learning_rate =
        rate > 0 ? rate : learning_rate_at(settings, std::max<std::int64_t>(0, step - 1), story.steps_per_epoch);
    s.images_per_s = story.images_per_s * (1 + 0.02 * noise(i, 5) - (i % 211 > 205 ? 0.3 : 0));
    run.post(t, s);
    for (; static_cast<double>(sampled) <= t; ++sampled)
      run.post(static_cast<double>(sampled), machine_sample(sampled, story.gpus));
    if (i % story.records_per_epoch != 0) continue;
    EpochEnd e;
    e.epoch = i / story.records_per_epoch;
    e.step = step;
    e.train_loss = loss;
    e.train_accuracy = accuracy;
    e.has_validation = true;
    e.validation_loss = loss * 1.06 + 0.012 + 0.003 * noise(e.epoch, 6);
    e.validation_accuracy = accuracy_at(epoch) + 0.0012 * noise(e.epoch, 7);
    e.seconds = story.epoch_seconds;
    e.images_per_s = story.images_per_s;
    e.best = e.validation_accuracy > best;
    best = std::max(best, e.validation_accuracy);
    run.post(t, e);
    run.post(t + 0.05, Saved{"step-" + std::to_string(step), step, 742'000, e.best});
  }
  if (!story.end) return;
  Ended ended;
  ended.reason = *story.end;
  ended.step = static_cast<std::int64_t>(total * static_cast<double>(story.steps_per_epoch));
  ended.wall_s = total * story.epoch_seconds;
  ended.images_per_s = story.images_per_s;
  if (story.end == EndReason::finished) {
    ended.test_accuracy = best - 0.0011;
    ended.test_loss = loss_at(total) * 1.1;
  }
  if (story.end == EndReason::failed)
    ended.message = text(NW_TR("the loss is not a number after step {0}: the weights of step {1} were kept"),
                         ended.step, ended.step - 1);
  run.post(ended.wall_s, ended);
}

}  // namespace nw::test
