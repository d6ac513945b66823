// SPDX-License-Identifier: Apache-2.0
#include "engine/images/archive_feed.hpp"

#include <algorithm>
#include <cstdio>
#include <new>

namespace nw::images {
namespace {

constexpr std::size_t piece_bytes = std::size_t{256} << 10;

}  // namespace

ArchiveFeed::ArchiveFeed(const ByteSource& source, const ArchiveLimits& limits)
    : source_(source), limits_(limits), packed_(piece_bytes) {
  std::uint8_t magic[4] = {};
  const std::ptrdiff_t got = source_.read(0, magic);
  gzip_ = got >= 2 && magic[0] == 0x1F && magic[1] == 0x8B;
  zip_ = got == 4 && magic[0] == 'P' && magic[1] == 'K' && magic[2] < 9 && magic[3] == magic[2] + 1;
  if (gzip_) {
    unpacked_.resize(piece_bytes);
    if (::inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
    inside_ = true;
  }
}

ArchiveFeed::~ArchiveFeed() {
  if (gzip_) ::inflateEnd(&stream_);
}

bool ArchiveFeed::take_share(std::uint64_t bytes) {
  unpacked_bytes_ += bytes;
  const bool within = unpacked_bytes_ <= limits_.total_bytes &&
                      (unpacked_bytes_ <= limits_.free_bytes || unpacked_bytes_ / limits_.ratio <= source_.size);
  if (!within) problem_ = Problem::bomb;
  return within;
}

int ArchiveFeed::open(archive* a) {
  archive_read_set_callback_data(a, this);
  archive_read_set_read_callback(a, [](archive* at, void* self, const void** bytes) -> la_ssize_t {
    const la_ssize_t got = static_cast<ArchiveFeed*>(self)->next(bytes);
    if (got < 0) archive_set_error(at, -1, "cannot be read");
    return got;
  });
  if (!gzip_) {
    archive_read_set_skip_callback(a, [](archive*, void* self, la_int64_t bytes) -> la_int64_t {
      auto* feed = static_cast<ArchiveFeed*>(self);
      const auto left = static_cast<la_int64_t>(feed->source_.size - std::min(feed->at_, feed->source_.size));
      const la_int64_t skipped = std::clamp<la_int64_t>(bytes, 0, left);
      feed->at_ += static_cast<std::uint64_t>(skipped);
      return skipped;
    });
    archive_read_set_seek_callback(a, [](archive*, void* self, la_int64_t offset, int whence) -> la_int64_t {
      auto* feed = static_cast<ArchiveFeed*>(self);
      const la_int64_t from =
          whence == SEEK_SET ? 0 : static_cast<la_int64_t>(whence == SEEK_CUR ? feed->at_ : feed->source_.size);
      if (offset < -from || offset > static_cast<la_int64_t>(feed->source_.size) - from) return ARCHIVE_FATAL;
      feed->at_ = static_cast<std::uint64_t>(from + offset);
      return from + offset;
    });
  }
  return archive_read_open1(a);
}

std::ptrdiff_t ArchiveFeed::fill() {
  const std::ptrdiff_t got = source_.read(at_, packed_);
  if (got < 0)
    problem_ = Problem::unreadable;
  else
    at_ += static_cast<std::uint64_t>(got);
  return got;
}

la_ssize_t ArchiveFeed::next(const void** bytes) {
  if (problem_ != Problem::none) return ARCHIVE_FATAL;
  if (gzip_) return next_unpacked(bytes);
  const std::ptrdiff_t got = fill();
  *bytes = packed_.data();
  return got < 0 ? ARCHIVE_FATAL : got;
}

/// After a gzip member follow another member, zeros up to the end, or nothing; otherwise the file is damaged.
bool ArchiveFeed::begin_member() {
  for (;;) {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) ++stream_.next_in, --stream_.avail_in;
    if (stream_.avail_in > 0) break;
    const std::ptrdiff_t got = fill();
    if (got <= 0) return false;
    stream_.next_in = packed_.data();
    stream_.avail_in = static_cast<uInt>(got);
  }
  if (*stream_.next_in != 0x1F || ::inflateReset(&stream_) != Z_OK) {
    problem_ = Problem::damaged;
    return false;
  }
  return inside_ = true;
}

la_ssize_t ArchiveFeed::next_unpacked(const void** bytes) {
  *bytes = unpacked_.data();
  stream_.next_out = unpacked_.data();
  stream_.avail_out = static_cast<uInt>(unpacked_.size());
  while (!ended_ && stream_.avail_out > 0) {
    if (!inside_ && !begin_member()) {
      ended_ = true;
      break;
    }
    if (stream_.avail_in == 0) {
      const std::ptrdiff_t got = fill();
      if (got < 0) return ARCHIVE_FATAL;
      if (got == 0) problem_ = Problem::damaged;  // the file ends inside a member
      stream_.next_in = packed_.data();
      stream_.avail_in = static_cast<uInt>(got);
    }
    const int code = problem_ == Problem::none ? ::inflate(&stream_, Z_NO_FLUSH) : Z_DATA_ERROR;
    if (code == Z_STREAM_END)
      inside_ = false;
    else if (code != Z_OK && code != Z_BUF_ERROR)
      problem_ = Problem::damaged;
    if (problem_ != Problem::none) return ARCHIVE_FATAL;
  }
  if (problem_ != Problem::none) return ARCHIVE_FATAL;
  const std::size_t made = unpacked_.size() - stream_.avail_out;
  return take_share(made) ? static_cast<la_ssize_t>(made) : ARCHIVE_FATAL;
}

void ArchiveFeed::drain() {
  const void* ignored = nullptr;
  while (gzip_ && next(&ignored) > 0) {}
}

}  // namespace nw::images
