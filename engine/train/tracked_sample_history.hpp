// SPDX-License-Identifier: Apache-2.0
// probes.bin: how a run read a few fixed images, every so many steps. "NWPROBE1", then little-endian uint32 images,
// classes, channels, height, width, split (0 train, 1 validation, 2 test), every, 0; for each image int64 data-set
// index, int64 label; its pixels u8 (H,W,C), one image after another; uint64 XXH3 of all that. Then records of one
// size: int64 step, for each image int32 predicted class, float32 its probability, float32 that of the label; uint64
// XXH3 of the record. A torn last record is left out.
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
  float confidence = 0, truth = 0;  // probability of what was predicted, and of the label; 0…1
  bool operator==(const TrackedPrediction&) const = default;
};

struct TrackedSampleHistory {
  std::int64_t classes = 0, channels = 1, height = 0, width = 0;  // of the pictures
  std::int64_t every = 1;                                         // steps between two looks
  std::string split = "validation";
  std::vector<Probe> probes;
  std::vector<std::uint8_t> pixels;        // (probes, height, width, channels)
  std::vector<std::int64_t> steps;         // of the records, rising; 0: before the first update
  std::vector<TrackedPrediction> answers;  // (records, probes)

  const TrackedPrediction& at(std::size_t record, std::size_t probe) const {
    return answers[record * probes.size() + probe];
  }
  bool right(std::size_t record, std::size_t probe) const { return at(record, probe).predicted == probes[probe].label; }
};

/// Where a probe was first read right (learnt) and where it was read wrong after it had been right (forgotten): record
/// numbers.
struct LearningMilestones {
  std::vector<std::size_t> learnt, forgotten;
};
LearningMilestones turns_of(const TrackedSampleHistory&, std::size_t probe);

/// Errc::not_recorded: the run has none (it is older, or trains nothing that has classes). Errc::bad_input: its file is
/// damaged.
Result<TrackedSampleHistory> read_tracked_samples(const fs::path& run);

/// The bytes of such a file; `where`: what its errors name.
Result<TrackedSampleHistory> tracked_samples_from(std::string_view bytes, const std::string& where);

/// Appended to by the run's own process.
class TrackedSampleFile {
 public:
  /// Begins it with what `history` says of the images. A resumed run keeps the records up to `from_step` where they are
  /// of the same images.
  static Result<TrackedSampleFile> open(const fs::path& run, const TrackedSampleHistory& history,
                                        std::int64_t from_step);
  TrackedSampleFile(TrackedSampleFile&&) noexcept;
  TrackedSampleFile& operator=(TrackedSampleFile&&) noexcept;
  ~TrackedSampleFile();
  /// One answer for each image. What cannot be written now (Errc::disk) is written with the next one.
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
