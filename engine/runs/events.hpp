// SPDX-License-Identifier: Apache-2.0
// The events of a run, as small structs; one line of events.jsonl each. Schema 1: {"schema":1,"type":"steps","t":…,…}.
// Times are seconds since the run's process started (`t`) and Unix seconds (`time`) in "started".
#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/json.hpp"
#include "engine/design/choice.hpp"
#include "engine/runs/layer_statistics.hpp"
#include "engine/runs/not_finite_event.hpp"
#include "engine/runs/pipeline_record.hpp"
#include "engine/runs/rank_times.hpp"

namespace nw {

/// The quantity that a run reports beside the loss, in the fields called accuracy: the fraction of images whose class
/// is predicted; the fraction of images whose labels are all predicted; R², the fraction of the targets' variance that
/// is explained: below 0 where the mean is the better prediction, NaN where all targets are the same.
enum class Metric : std::uint8_t { accuracy, all_labels, r2 };
/// How a run ended, unless it was interrupted.
enum class EndReason : std::uint8_t { finished, stopped, failed };
enum class HealthLevel : std::uint8_t { note, warning, error };

struct Started {
  double time = 0;
  std::string name, device;
  std::int64_t epochs = 0, steps_per_epoch = 0, batch = 0, parameters = 0, memory_bytes = 0, train = 0, validation = 0,
               test = 0, pid = 0;
  Metric metric = Metric::accuracy;
};
struct Bin {
  double min = 0, mean = 0, max = 0;
};
/// Several steps together, at most 30 records a second. `last` is the newest step's number, 1-based; the record has
/// `count` steps.
struct Steps {
  std::int64_t last = 0, count = 0;
  double epoch = 0;
  Bin loss, accuracy;
  double learning_rate = 0, images_per_s = 0, grad_norm = 0;
  double penalty = 0;  // mean of L1 and L2 penalties, which are minimized beside the loss and are no part of it
};
struct EpochEnd {
  std::int64_t epoch = 0, step = 0;
  double train_loss = 0, train_accuracy = 0;
  bool has_validation = false;
  double validation_loss = 0, validation_accuracy = 0, seconds = 0, images_per_s = 0;
  bool best = false;
};
/// One sample of the machine. Percent 0…100, bytes; -1 = not readable. `process_*` is this run's process.
struct GpuSample {
  std::string name;
  double utilization = -1, memory_used_bytes = -1, memory_total_bytes = -1, power_w = -1, temperature_c = -1;
  double process_utilization = -1, process_memory_bytes = -1, processor_mhz = -1, memory_mhz = -1;
  double pcie_in_bytes_per_s = -1, pcie_out_bytes_per_s = -1, nvlink_in_bytes_per_s = -1, nvlink_out_bytes_per_s = -1;
};
struct DeviceSample {
  double cpu = -1, process_cpu = -1, memory_used_bytes = -1, memory_total_bytes = -1, process_memory_bytes = -1;
  std::vector<GpuSample> gpus;
};
struct Health {
  HealthLevel level = HealthLevel::note;
  Text message;
  std::int64_t step = 0;
  std::optional<NotFinite> not_finite = {};  // of a step that is not finite, which is `step`
};
// A run-time setting has this value from the step after `step` on. Names: engine/train/knobs.hpp.
struct Knob {
  std::string name;
  double value = 0;
  std::int64_t step = 0;
  bool scheduled = false;  // learning_rate: again as the schedule has it, which is `value` in the next step
};
struct Saved {
  std::string checkpoint;
  std::int64_t step = 0;
  std::int64_t bytes = 0;
  bool best = false;
};
/// The parts of a step's time: means over `count` measured steps up to step `last`, seconds of wall time; decode to
/// wait add up to `seconds`. wait: threads were delayed by other programs; hidden: images prepared while a GPU
/// computed, not part of the sum.
struct StepSplit {
  std::int64_t last = 0, count = 0;
  double seconds = 0, decode_s = 0, augment_s = 0, copy_s = 0, compute_s = 0, reduce_s = 0, wait_s = 0, hidden_s = 0;
};
// readers discard events after that step
struct Resumed {
  std::int64_t from_step = 0;
  std::int64_t pid = 0;
  double time = 0;
};
struct Paused {
  std::int64_t step = 0;
};
struct Continued {
  std::int64_t step = 0;
};
// energy and trained images of this process; -1 = not readable; message: why it failed, else empty
struct Ended {
  EndReason reason = EndReason::failed;
  Text message;
  std::int64_t step = 0;
  double wall_s = 0, test_loss = -1, test_accuracy = -1, images_per_s = 0;
  int exit_code = 0;
  double gpu_energy_j = -1, cpu_energy_j = -1;
  std::int64_t images = 0;
};
/// Whether the run was evaluated on a test set; no loss is negative.
inline bool is_tested(const Ended& e) { return !(e.test_loss < 0); }

/// An event and its time. `t`: seconds since the process started.
struct Event {
  double t = 0;
  std::variant<Started, Steps, EpochEnd, DeviceSample, Health, Knob, Saved, Resumed, Paused, Continued, Ended,
               StepSplit, LayerStatistics, PipelinePlan, PipelineTimes, RankTimes>
      what;
};
/// Names as in events.jsonl and `--json`: "accuracy", "all_labels", "r2"; "finished", "stopped", "failed"; "note",
/// "warning", "error".
std::string_view name_of(Metric);
std::string_view name_of(EndReason);
std::string_view name_of(HealthLevel);
/// The metric of a network with such targets.
Metric metric_of(TargetKind);
std::string event_line(const Event&);  // JSON, without newline
/// Errc::unsupported: a type or a schema of a newer version; Errc::bad_input: a malformed line.
Result<Event> parse_event(std::string_view line);

/// Receiver of the engine's events. Called from any worker thread; must return immediately and must not call back.
struct EventSink {
  virtual ~EventSink() = default;
  virtual void post(const Event&) = 0;
};

}  // namespace nw
