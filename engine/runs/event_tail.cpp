// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/runs/contained.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {
constexpr std::size_t longest_line = std::size_t{1} << 20;  // events are far shorter; a longer line is damaged
}

EventTail::EventTail(fs::path run, std::string file) : run_(std::move(run)), file_(std::move(file)) {}

Result<bool> EventTail::poll(std::vector<Event>& out, std::size_t limit_bytes) {
  auto opened = open_inside(run_, file_);
  if (!opened) {
    // A run that is just starting has no events yet; anything else (a link, a pipe) is reported.
    struct stat info {};
    if (::lstat((run_ / file_).c_str(), &info) != 0 && errno == ENOENT) return false;
    return opened.error();
  }
  const int fd = *opened;
  struct stat info {};
  ::fstat(fd, &info);
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size < offset_ || (inode_ != 0 && inode_ != info.st_ino)) {
    offset_ = 0;  // truncated or replaced: read from the start
    rest_.clear();
    skipping_ = false;
  }
  inode_ = info.st_ino;
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(size - offset_, limit_bytes)), '\0');
  const ssize_t n = bytes.empty() ? 0 : ::pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset_));
  const int error = errno;
  ::close(fd);
  if (n < 0) return fail(Errc::disk, NW_TR("{0} cannot be read: {1}"), (run_ / file_).string(), std::strerror(error));
  bytes.resize(static_cast<std::size_t>(n));
  offset_ += bytes.size();

  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = bytes.find('\n', begin);
    if (!skipping_) rest_.append(bytes, begin, std::min(end, bytes.size()) - begin);
    if (rest_.size() > longest_line) {
      rest_.clear();
      skipping_ = true;
    }
    if (end == std::string::npos) break;
    begin = end + 1;
    if (skipping_) {
      ++damaged_;
    } else if (auto event = parse_event(rest_)) {
      out.push_back(*std::move(event));
    } else if (event.error().code == Errc::bad_input) {
      ++damaged_;
    }
    rest_.clear();
    skipping_ = false;
  }
  return offset_ < size;
}

}  // namespace nw
