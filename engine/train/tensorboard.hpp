// SPDX-License-Identifier: Apache-2.0
// events.out.tfevents files, which TensorBoard reads: records of length, masked CRC-32C, protobuf
// (tensorflow/core/lib/io/ record_writer.h, tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto,
// tensorboard/plugins/hparams/plugin_data.proto). Only the fields that are needed are written.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/core/image.hpp"
#include "engine/core/json.hpp"
#include "engine/runs/layer_statistics.hpp"

namespace nw {

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78).
std::uint32_t crc32c(std::string_view bytes);
/// One record in the format of the file.
std::string tensorboard_record(std::string_view event);

struct Scalar {
  std::string tag;
  double value = 0;
};
std::string tensorboard_version_event(double wall_time);
std::string tensorboard_scalars_event(double wall_time, std::int64_t step, const std::vector<Scalar>&);
std::string tensorboard_image_event(double wall_time, std::int64_t step, const std::string& tag, const Image&);
/// Histograms "weights/LAYER", "gradients/LAYER" and "outputs/LAYER" of a record. Sums are those of the numbers that
/// were measured, buckets the record's bins.
std::string tensorboard_histograms_event(double wall_time, const LayerStatistics&);
/// The settings of a run, an object of numbers, texts and booleans (others as JSON), for the tab HParams; and how it
/// ended.
std::string tensorboard_settings_event(double wall_time, const Json& settings);
std::string tensorboard_end_event(double wall_time, bool success);

/// Appends to an event file. Every process writes a new file; TensorBoard joins them.
class TensorboardFile {
 public:
  static Result<TensorboardFile> create(const fs::path& folder, double wall_time);
  TensorboardFile(TensorboardFile&&) noexcept;
  TensorboardFile& operator=(TensorboardFile&&) noexcept;
  ~TensorboardFile();
  /// One of the events above. Errc::disk: it waits in memory, and is written before the next one.
  Status append(const std::string& event);
  /// Writes what waits.
  Status write();

 private:
  TensorboardFile() = default;
  int fd_ = -1;
  std::int64_t bytes_ = 0;  // of whole records
  std::string waiting_;
  fs::path path_;
};

}  // namespace nw
