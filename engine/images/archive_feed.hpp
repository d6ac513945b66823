// SPDX-License-Identifier: Apache-2.0
// Passes the bytes of an archive to libarchive, decompressed if they are gzip, and counts them. Private to
// engine/images.
#pragma once
#include <archive.h>
#include <zlib.h>

#include <vector>

#include "engine/images/archive.hpp"

namespace nw::images {

class ArchiveFeed {
 public:
  ArchiveFeed(const ByteSource& source, const ArchiveLimits& limits);
  ~ArchiveFeed();
  ArchiveFeed(const ArchiveFeed&) = delete;
  ArchiveFeed& operator=(const ArchiveFeed&) = delete;

  /// Registers itself as the source of `a` and opens it; returns libarchive's result code.
  int open(archive* a);
  bool is_gzip() const { return gzip_; }
  bool is_zip() const { return zip_; }
  /// Decompresses the part that libarchive did not request, so that the last checksum is verified too.
  void drain();
  /// Whether this many more bytes of unpacked content are within the limits.
  bool take_share(std::uint64_t bytes);
  enum class Problem { none, unreadable, damaged, bomb };
  Problem problem() const { return problem_; }

 private:
  la_ssize_t next(const void** bytes);
  la_ssize_t next_unpacked(const void** bytes);
  std::ptrdiff_t fill();
  bool begin_member();

  const ByteSource& source_;
  const ArchiveLimits& limits_;
  std::vector<std::uint8_t> packed_, unpacked_;
  std::uint64_t at_ = 0, unpacked_bytes_ = 0;
  bool gzip_ = false, zip_ = false, inside_ = false, ended_ = false;
  z_stream stream_{};
  Problem problem_ = Problem::none;
};

}  // namespace nw::images
