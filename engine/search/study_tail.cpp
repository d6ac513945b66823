// SPDX-License-Identifier: Apache-2.0
#include "engine/search/study_tail.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/runs/contained.hpp"
#include "engine/runs/descriptor.hpp"

namespace nw::search {
namespace {
constexpr std::size_t longest_record = std::size_t{8} << 20;
}

void StudyTail::begin_anew() {
  offset_ = 0;
  lines_ = 0;
  rest_.clear();
  broken_.reset();
  study_ = {};
  timeline_ = {};
  ++version_;
}

Status StudyTail::take(std::string_view line) {
  ++lines_;
  const auto broken = [&](const Error& e) {
    return *(broken_ = fail(Errc::bad_input, NW_TR("{0}, line {1}: {2}"), (folder_ / journal_file).string(), lines_,
                            e.str()));
  };
  const auto record = record_from_line(line, study_.definition().space);
  if (!record) return broken(record.error());
  if (!*record) return {};
  if (const Status taken = study_.take(**record); !taken) return broken(taken.error());
  timeline_.take(**record);
  ++version_;
  return {};
}

Result<bool> StudyTail::poll(std::size_t limit_bytes) {
  NW_ASSIGN(const int opened, open_inside(folder_, journal_file));
  const Descriptor file(opened);
  struct stat info {};
  ::fstat(file.fd, &info);
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size < offset_ || (inode_ != 0 && inode_ != info.st_ino)) begin_anew();
  inode_ = info.st_ino;
  if (broken_) return *broken_;
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(size - offset_, limit_bytes)), '\0');
  const ssize_t n = bytes.empty() ? 0 : ::pread(file.fd, bytes.data(), bytes.size(), static_cast<off_t>(offset_));
  if (n < 0)
    return fail(Errc::disk, NW_TR("{0} cannot be read: {1}"), (folder_ / journal_file).string(), std::strerror(errno));
  bytes.resize(static_cast<std::size_t>(n));
  offset_ += bytes.size();
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = bytes.find('\n', begin);
    rest_.append(bytes, begin, std::min(end, bytes.size()) - begin);
    if (rest_.size() > longest_record)
      return *(broken_ = fail(Errc::bad_input, NW_TR("{0}, line {1}: {2}"), (folder_ / journal_file).string(),
                              lines_ + 1, "the line is too long"));
    if (end == std::string::npos) break;
    begin = end + 1;
    NW_TRY(take(rest_));
    rest_.clear();
  }
  return offset_ < size;
}

}  // namespace nw::search
