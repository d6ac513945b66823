// SPDX-License-Identifier: Apache-2.0
// A file of lines that loses none while it cannot be written: they wait in memory, in order. Private to engine/train.
#pragma once
#include <deque>
#include <optional>
#include <string>

#include "engine/core/files.hpp"

namespace nw {

class QueuedLines {
 public:
  explicit QueuedLines(LineFile file) : file_(std::move(file)) {}
  /// The file is opened for the first line.
  explicit QueuedLines(fs::path path) : path_(std::move(path)) {}
  /// Writes the line after those that wait. Errc::disk and others: it waits too.
  Status add(std::string line);
  /// Writes the lines that wait. Errc::disk and others: some still do.
  Status write();
  Status sync() { return file_ ? file_->sync() : Status(); }
  std::size_t waiting_bytes() const { return waiting_bytes_; }

 private:
  fs::path path_;
  std::optional<LineFile> file_;
  std::deque<std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace nw
