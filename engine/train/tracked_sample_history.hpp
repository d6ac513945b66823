// SPDX-License-Identifier: Apache-2.0
// probes.bin: a run's predictions of the tracked samples at intervals. "NWPROBE1", then little-endian uint32 images,
// classes, channels, height, width, split (0 train, 1 validation, 2 test), every, 0; for each image int64 data-set
// index, int64 label; its pixels u8 (H,W,C), one image after another; uint64 XXH3 of all that. Then records of one
// size: int64 step, for each image int32 predicted class, float32 its probability, float32 that of the label; uint64
// XXH3 of the record. An incomplete last record is ignored.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files.hpp"

namespace nw {

struct Probe {
  std::int64_t sample = 0, label = 0;  // data-set index; true class
  bool operator==(const Probe&) const = default;
};
struct TrackedPrediction {
  std::int32_t predicted = 0;
  float confidence = 0, truth = 0;  // probability of the predicted class and of the label; 0…1
  bool operator==(const TrackedPrediction&) const = default;
};

struct TrackedSampleHistory {
  std::int64_t classes = 0, channels = 1, height = 0, width = 0;  // of the images
  std::int64_t every = 1;                                         // steps between two predictions
  std::string split = "validation";
  std::vector<Probe> probes;
  std::vector<std::uint8_t> pixels;        // (probes, height, width, channels)
  std::vector<std::int64_t> steps;         // of the records, ascending; 0: before the first update
  std::vector<TrackedPrediction> answers;  // (records, probes)

  const TrackedPrediction& at(std::size_t record, std::size_t probe) const {
    return answers[record * probes.size() + probe];
  }
  bool right(std::size_t record, std::size_t probe) const { return at(record, probe).predicted == probes[probe].label; }
};

/// Number of samples that a record predicts correctly.
std::size_t correct_at(const TrackedSampleHistory&, std::size_t record);

/// The state of a sample in a record: misclassified now, but correct in an earlier record, is `forgotten`.
enum class TrackedSampleState : std::uint8_t { not_yet, right, forgotten };
TrackedSampleState state_at(const TrackedSampleHistory&, std::size_t record, std::size_t probe);

/// Records at which a sample was first predicted correctly (learned), and misclassified after that (forgotten).
struct LearningMilestones {
  std::vector<std::size_t> learnt, forgotten;
};
LearningMilestones turns_of(const TrackedSampleHistory&, std::size_t probe);

/// Errc::not_recorded: the run has no such file (it is older, or no classification). Errc::bad_input: the file is
/// damaged.
Result<TrackedSampleHistory> read_tracked_samples(const fs::path& run);

/// Parses the bytes of such a file; errors contain `where`.
Result<TrackedSampleHistory> tracked_samples_from(std::string_view bytes, const std::string& where);

/// The file, opened for appending. Only the run's process writes to it.
class TrackedSampleFile {
 public:
  /// Writes the header from `history`. A resumed run keeps the records up to `from_step` if they are of the same
  /// images.
  static Result<TrackedSampleFile> open(const fs::path& run, const TrackedSampleHistory& history,
                                        std::int64_t from_step);
  TrackedSampleFile(TrackedSampleFile&&) noexcept;
  TrackedSampleFile& operator=(TrackedSampleFile&&) noexcept;
  ~TrackedSampleFile();
  /// One prediction for each sample. A record that cannot be written now (Errc::disk) is written with the next one.
  Status append(std::int64_t step, const std::vector<TrackedPrediction>& answers);
  std::int64_t last_step() const { return last_step_; }  // of the newest record; -1: none

 private:
  TrackedSampleFile() = default;
  fs::path run_;
  int fd_ = -1;
  std::string waiting_;
  std::int64_t last_step_ = -1;
};

}  // namespace nw
