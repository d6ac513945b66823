// SPDX-License-Identifier: Apache-2.0
// A run beside the one that it was made of: accuracy, changed predictions, size and latency. `compress --int8` and
// `changed-predictions`.
#pragma once
#include <functional>
#include <optional>

#include "engine/core/json.hpp"
#include "engine/predict/changed_predictions.hpp"
#include "engine/predict/speed.hpp"

namespace nw::cli {

struct ComparedRun {
  std::string run, checkpoint = "best";
};
struct RunComparison {
  TargetKind kind = TargetKind::classes;
  double before = 0, after = 0;  // the measure of the targets
  std::optional<ChangedPredictions> changes;
  std::vector<InferenceSpeed> speed_before, speed_after;
  std::int64_t bytes_before = 0, bytes_after = 0;  // of the files of weights
};
/// As of SpeedRequest. One thread waits for no other: its times can be compared on a busy machine.
inline constexpr const char *all_cores = "cpu", *one_core = "cpu@1";

/// `seconds`: of each measurement of latency on `device`; 0: none. `stage`: told "before", "after", "latency" when they
/// begin.
Result<RunComparison> compare_runs(const ComparedRun& before, const ComparedRun& after, double seconds,
                                   const std::string& device, const std::function<void(const char*)>& stage = {});

/// Bytes of the checkpoint's file of weights; 0: it is not there. `checkpoint`: "best", "latest" or a name.
std::int64_t weight_bytes_of(const fs::path& run, const std::string& checkpoint);

/// Accuracy, its change, and the ten images of the largest confidence that get another class.
void show_changes(const RunComparison&);
/// `names`: of the two columns.
void show_speed(const std::vector<InferenceSpeed>& before, const std::vector<InferenceSpeed>& after,
                const char* names[2]);
Json speeds_as_json(const std::vector<InferenceSpeed>&);
/// At most `most` flips; "flips_in_all" counts them.
Json changes_as_json(const ChangedPredictions&, std::size_t most);
/// "accuracy" before and after with Wilson's intervals, the metric, sizes, latency and the batches that are not faster.
Json comparison_as_json(const RunComparison&, std::size_t most_flips);

/// What is known of a smaller network's speed before it exists: its latency untrained, beside the run's.
struct SpeedTrial {
  std::vector<InferenceSpeed> before, after;
};
/// Prints it: a table with what is not faster here, or one JSON object of type "trial".
void show_trial(const SpeedTrial&, const char* names[2], bool json);

}  // namespace nw::cli
