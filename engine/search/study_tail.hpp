// SPDX-License-Identifier: Apache-2.0
// Follows the journal of a study that another process writes.
#pragma once
#include <optional>

#include "engine/search/journal.hpp"
#include "engine/search/timeline.hpp"

namespace nw::search {

class StudyTail {
 public:
  explicit StudyTail(fs::path folder) : folder_(std::move(folder)) {}
  /// Reads the lines that were completed since the last call, at most `limit_bytes` of the file per call. True: there
  /// may be more to read now. A journal that was replaced or cut is read anew. Errc::bad_input: one sentence with the
  /// number of the line that cannot be; it is repeated until the file is replaced.
  Result<bool> poll(std::size_t limit_bytes = std::size_t{4} << 20);
  const Study& study() const { return study_; }
  const Timeline& timeline() const { return timeline_; }
  /// Counts the records that were taken since the file was begun, and how often it was.
  std::uint64_t version() const { return version_; }
  const fs::path& folder() const { return folder_; }

 private:
  void begin_anew();
  Status take(std::string_view line);
  fs::path folder_;
  std::uint64_t offset_ = 0, inode_ = 0, version_ = 0;
  std::size_t lines_ = 0;
  std::string rest_;
  std::optional<Error> broken_;
  Study study_;
  Timeline timeline_;
};

}  // namespace nw::search
