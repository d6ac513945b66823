// SPDX-License-Identifier: Apache-2.0
// metrics.bin: the loss of every single step, 4 bytes each, never more than 16 MiB. "NWLOSS1\n", then little-endian
// uint32 stride and uint32 0, then float32: entry k is the mean loss of steps k*stride+1 … (k+1)*stride. When full,
// neighbours are averaged and the stride doubles.
#pragma once
#include <span>
#include <vector>

#include "engine/core/files.hpp"

namespace nw {

struct LossHistory {
  std::uint32_t stride = 1;
  std::vector<float> loss;
};
Result<LossHistory> read_loss_history(const fs::path& run);

class LossHistoryFile {
 public:
  static constexpr std::size_t limit = std::size_t{4} << 20;  // entries
  /// Appends after step `from_step`; later entries are removed. `entries_limit` is smaller in tests.
  static Result<LossHistoryFile> open(const fs::path& run, std::int64_t from_step, std::size_t entries_limit = limit);
  LossHistoryFile(LossHistoryFile&&) noexcept;
  LossHistoryFile& operator=(LossHistoryFile&&) noexcept;
  ~LossHistoryFile();
  /// Appends the losses of the steps that follow the last recorded step. Errc::disk: they wait in memory.
  Status append(std::span<const float> losses);
  /// Writes what waits.
  Status write();

 private:
  LossHistoryFile() = default;
  Status halve();
  Status reopen();
  fs::path run_;
  int fd_ = -1;
  std::size_t entries_ = 0, limit_ = limit;
  std::uint32_t stride_ = 1, pending_ = 0;  // pending: steps summed for the next entry
  double sum_ = 0;
  std::vector<float> waiting_;  // entries that are not yet in the file
};

}  // namespace nw
