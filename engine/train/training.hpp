// SPDX-License-Identifier: Apache-2.0
// The parts of one run in the order they come to life; the loop over them is in trainer.cpp.
#pragma once
#include <optional>

#include "engine/backend/hang.hpp"
#include "engine/data/batches/batches.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/runs/control_server.hpp"
#include "engine/train/checkpoint.hpp"
#include "engine/train/layer_recorder.hpp"
#include "engine/train/probes.hpp"
#include "engine/train/profile.hpp"
#include "engine/train/recorder.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/step_split.hpp"
#include "engine/train/trainer.hpp"

namespace nw {

/// Data of a run, opened, split and normalised as its definition says.
struct TrainingData {
  OpenedData opened;
  Splits splits;
  DataFacts facts;
  std::optional<BatchMaker> train, validation, test;  // absent: that split is empty
  std::vector<Text> notes;                            // to be told once the run can speak
};
/// Fills in what the definition does not know yet: place, hash, normalisation, classes, sizes. `resume`: says when the
/// data has changed, and keeps the definition's normalisation.
Result<TrainingData> open_training_data(RunDefinition&, bool allow_synthetic, bool resume);

/// Refuses (Errc::bad_input) a folder in which a name that a run writes is a link, or is not what it should be.
Status check_run_folder(const fs::path& run);

/// Everything a run holds while it trains.
class Training {
 public:
  Training(TrainRequest, TrainControl&, EventSink&);
  ~Training();
  /// Lock, definition, data, devices, plan, weights, files, control socket.
  Status open();
  /// Epoch after epoch; returns early when asked to stop.
  Status loop();
  /// Says how it ended, once.
  Result<TrainResult> end(const Status&);

 private:
  struct Sum {
    double loss = 0;
    std::int64_t correct = 0, samples = 0;
    std::optional<double> variance = {};  // of the numbers that are learned
    double mean_loss() const;
    /// Share of samples that are right; where numbers are learned, the share of their variance that is explained (R²),
    /// 0 where it is below.
    double accuracy() const;
  };

  Status open_folder();
  Status choose_other_devices();
  Status open_network();
  Status open_weights();
  void compare_choices();
  Status open_probes();
  Status open_reporting();
  Status restore();
  Started started_event(const std::vector<FoundDevice>&) const;

  Status train_epoch();
  Status look_at_probes();
  Status step(const BatchSamples&, std::chrono::steady_clock::time_point begin);
  Status steps(std::int64_t count, std::chrono::steady_clock::time_point begin);
  StepArgs step_args(std::int64_t ahead) const;
  Status take(const StepMetrics&, const BatchSamples&, const StepArgs&, double seconds);
  Status check_finite(const StepMetrics&, const BatchSamples&, const StepArgs&);
  Status finish_epoch();
  Result<Sum> evaluate(const BatchMaker&);
  void say_split(bool all);
  Status save_profile_so_far() const;
  bool look_due() const;
  void look(bool before);
  bool take_best(const Sum& validation);
  bool early_stop() const;
  Sum sum_over(const BatchMaker&) const;
  bool go_on(bool between_steps);
  void take_knobs();
  void wait_while_paused();
  Status save(bool best);
  Status save_and_wait_for_room(bool best);
  Status wait_for_room(const Error&, const std::function<Status()>& again);
  void say_only(const Ended&);
  void say_hung(const Error&);
  std::string answer(std::string_view line);
  void post(decltype(Event::what));

  const TrainSettings& settings() const { return request_.definition.doc.settings(); }
  BatchSource source(const BatchMaker&, bool training) const;

  TrainRequest request_;
  TrainControl& control_;
  EventSink& sink_;
  std::optional<FileLock> lock_;
  std::unique_ptr<RunFiles> files_;
  std::optional<Recorder> recorder_;
  std::unique_ptr<ControlServer> server_;
  std::optional<LastWords> last_words_;  // behind what it speaks through
  TrainingData data_;
  std::vector<Text> notes_;  // warnings from before the run had begun
  std::unique_ptr<Replicas> replicas_;
  std::optional<Profile> profile_;
  std::unique_ptr<Probes> probes_;  // none: nothing is watched
  bool probes_told_ = false;        // that they cannot be written
  std::unique_ptr<StepSplitter> splitter_;
  std::unique_ptr<LayerRecorder> layers_;  // null: nobody wants to know
  std::optional<Text> not_looked_;         // why, until it is said
  std::unique_ptr<Batches> batches_;
  std::vector<BatchSamples> burst_;  // of steps that are run at once
  Started started_;
  Progress progress_;
  std::optional<double> train_variance_;  // see Sum
  std::int64_t steps_per_epoch_ = 0, saved_step_ = -1;
  std::int64_t images_before_ = 0;  // trained by earlier processes of this run
  std::int64_t steps_before_ = 0;   // of a run to be resumed, as its log has them
  double asked_rate_ = -1;          // last seen in control_
  double first_step_s_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), prepared_from_ = begin_;
  std::optional<Sum> test_;
  std::atomic<std::int64_t> step_seen_{0}, epoch_seen_{0};  // for the control socket's thread
};

}  // namespace nw
