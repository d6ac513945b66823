// SPDX-License-Identifier: Apache-2.0
#include "engine/data/fetch/partial_file_sink.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "engine/data/sources/sources.hpp"

namespace nw {

PartialFile::PartialFile(const fs::path& whole)
    : file(whole.parent_path() / ("." + whole.filename().string() + ".part")),
      tag_file(whole.parent_path() / ("." + whole.filename().string() + ".part-tag")) {}

std::int64_t PartialFile::bytes() const {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error ? 0 : static_cast<std::int64_t>(size);
}

std::string PartialFile::tag() const {
  const auto text = read_file(tag_file, 4096);
  return text ? *text : std::string();
}

void PartialFile::remove() const {
  std::error_code ignored;
  fs::remove(file, ignored);
  fs::remove(tag_file, ignored);
}

PartialFileSink::PartialFileSink(const PartialFile& part, std::int64_t expected_bytes, std::string host,
                                 std::function<bool(std::int64_t)> arrived)
    : part_(part),
      expected_(expected_bytes),
      limit_(expected_bytes > 0 ? expected_bytes : static_cast<std::int64_t>(file_limit_bytes)),
      host_(std::move(host)),
      arrived_(std::move(arrived)) {}

PartialFileSink::~PartialFileSink() {
  if (fd_ >= 0) ::close(fd_);
}

bool PartialFileSink::refuse(Error error) {
  error_ = std::move(error);
  return false;
}

bool PartialFileSink::head(const HttpHeader& h) {
  const std::int64_t there = part_.bytes();
  if (h.status == 416)
    return refuse(fail(Errc::bad_input, NW_TR("{0} sent no data after byte {1} of {2}"), host_, there,
                       part_.file.filename().string()));
  if (h.status != 200 && h.status != 206)
    return refuse(fail(Errc::other, NW_TR("{0} responded with HTTP status {1}"), host_, h.status));
  at_ = h.status == 206
            ? h.from
            : 0;  // 200: the server does not support Range, or the file has changed; it is sent from its start
  if (at_ != 0 && at_ != there)
    return refuse(fail(Errc::bad_input, NW_TR("{0} sent another range of bytes than requested"), host_));
  if (h.whole >= 0 && (expected_ > 0 ? h.whole != expected_ : h.whole > limit_))
    return refuse(
        fail(Errc::bad_input, NW_TR("{0} has a file of {1} bytes where {2} were expected"), host_, h.whole, limit_));
  if (h.whole >= 0) limit_ = h.whole;
  std::error_code error;
  const fs::space_info room = fs::space(part_.file.parent_path(), error);
  const std::int64_t need = h.whole >= 0 ? h.whole - at_ : 0;
  if (!error && need > 0 && room.available < static_cast<std::uintmax_t>(need))
    return refuse(fail(Errc::disk, NW_TR("{0} more bytes are needed in {1}, {2} are free"), need,
                       part_.file.parent_path().string(), room.available));
  constexpr int plain = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;  // never waits for a pipe
  fd_ = ::open(part_.file.c_str(), plain | (at_ == 0 ? O_TRUNC : 0), 0644);
  struct stat info {};
  if (fd_ >= 0 && ::fstat(fd_, &info) == 0 && !S_ISREG(info.st_mode))
    return refuse(fail(Errc::disk, NW_TR("{0} is not a file"), part_.file.string()));
  if (fd_ < 0 || ::lseek(fd_, at_, SEEK_SET) < 0)
    return refuse(fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), part_.file.string(), std::strerror(errno)));
  if (at_ == 0) {
    if (h.tag.empty())
      fs::remove(part_.tag_file, error);
    else if (const Status saved = save_file(part_.tag_file, h.tag); !saved)
      return refuse(saved.error());
  }
  return true;
}

bool PartialFileSink::body(std::span<const std::byte> bytes) {
  if (static_cast<std::int64_t>(bytes.size()) > limit_ - at_)
    return refuse(fail(Errc::bad_input, NW_TR("{0} sends more than the {1} bytes that were expected"), host_, limit_));
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return refuse(fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), part_.file.string(),
                         std::strerror(n < 0 ? errno : EIO)));
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    at_ += n, fetched_ += n;
  }
  return go_on();
}

bool PartialFileSink::go_on() {
  stopped_ = stopped_ || !arrived_(at_);
  return !stopped_;
}

Status PartialFileSink::finish() {
  if (fd_ >= 0 && ::fsync(fd_) != 0 && !error_)
    error_ = fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), part_.file.string(), std::strerror(errno));
  if (error_) return *error_;
  return {};
}

}  // namespace nw
