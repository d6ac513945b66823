// SPDX-License-Identifier: Apache-2.0
// events.out.tfevents files, which TensorBoard reads: records of length, masked CRC-32C, protobuf
// (tensorflow/core/lib/io/ record_writer.h, tensorflow/core/util/event.proto). Only the fields that scalars need are
// written.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files.hpp"

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

/// Appends to an event file. Every process writes a new file; TensorBoard joins them.
class TensorboardFile {
 public:
  static Result<TensorboardFile> create(const fs::path& folder, double wall_time);
  TensorboardFile(TensorboardFile&&) noexcept;
  TensorboardFile& operator=(TensorboardFile&&) noexcept;
  ~TensorboardFile();
  Status append(double wall_time, std::int64_t step, const std::vector<Scalar>&);

 private:
  TensorboardFile() = default;
  Status write(const std::string& record);
  int fd_ = -1;
  fs::path path_;
};

}  // namespace nw
