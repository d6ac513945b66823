// SPDX-License-Identifier: Apache-2.0
#include "engine/train/loss_history.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/runs/contained.hpp"

namespace nw {
namespace {

constexpr std::string_view magic = "NWLOSS1\n";
constexpr std::size_t header_bytes = 16;
constexpr const char* file_name = "metrics.bin";

std::string encode(const LossHistory& h) {
  std::string bytes(header_bytes + h.loss.size() * 4, '\0');
  std::memcpy(bytes.data(), magic.data(), magic.size());
  std::memcpy(bytes.data() + 8, &h.stride, 4);
  if (!h.loss.empty()) std::memcpy(bytes.data() + header_bytes, h.loss.data(), h.loss.size() * 4);
  return bytes;
}

}  // namespace

Result<LossHistory> read_loss_history(const fs::path& run) {
  NW_ASSIGN(const std::string bytes, read_inside(run, file_name, header_bytes + 2 * LossHistoryFile::limit * 4));
  LossHistory h;
  if (bytes.size() < header_bytes || !bytes.starts_with(magic))
    return fail(Errc::bad_input, NW_TR("{0} is not a loss history"), (run / file_name).string());
  std::memcpy(&h.stride, bytes.data() + 8, 4);
  if (h.stride == 0 || (h.stride & (h.stride - 1)) != 0)
    return fail(Errc::bad_input, NW_TR("{0} is not a loss history"), (run / file_name).string());
  h.loss.resize((bytes.size() - header_bytes) / 4);  // an incomplete last entry is ignored
  if (!h.loss.empty()) std::memcpy(h.loss.data(), bytes.data() + header_bytes, h.loss.size() * 4);
  return h;
}

Result<LossHistoryFile> LossHistoryFile::open(const fs::path& run, std::int64_t from_step, std::size_t entries_limit) {
  LossHistoryFile file;
  file.run_ = run;
  file.limit_ = entries_limit;
  LossHistory h;
  if (from_step > 0) {
    auto old = read_loss_history(run);
    // A disk that fails for a moment must not cost the curve, which is written anew below.
    if (!old && old.error().code == Errc::disk) return old.error();
    if (old) h = *std::move(old);
  }
  file.stride_ = h.stride;
  // Steps without a record (a crash before the flush) are filled with the last known loss, to keep the count.
  const auto wanted = static_cast<std::size_t>(from_step / h.stride);
  if (wanted <= file.limit_) h.loss.resize(wanted, h.loss.empty() ? 0.0F : h.loss.back());
  file.entries_ = h.loss.size();
  file.pending_ = static_cast<std::uint32_t>(from_step % h.stride);
  file.sum_ = h.loss.empty() ? 0 : static_cast<double>(h.loss.back()) * file.pending_;
  NW_TRY(save_file(run / file_name, encode(h), 0600, Links::replace));
  NW_TRY(file.reopen());
  return file;
}

LossHistoryFile::LossHistoryFile(LossHistoryFile&& other) noexcept { *this = std::move(other); }
LossHistoryFile& LossHistoryFile::operator=(LossHistoryFile&& other) noexcept {
  std::swap(run_, other.run_);
  std::swap(fd_, other.fd_);
  std::swap(entries_, other.entries_);
  std::swap(limit_, other.limit_);
  std::swap(stride_, other.stride_);
  std::swap(pending_, other.pending_);
  std::swap(sum_, other.sum_);
  std::swap(waiting_, other.waiting_);
  return *this;
}
LossHistoryFile::~LossHistoryFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status LossHistoryFile::append(std::span<const float> losses) {
  for (const float loss : losses) {
    sum_ += static_cast<double>(loss);
    if (++pending_ < stride_) continue;
    waiting_.push_back(static_cast<float>(sum_ / stride_));
    sum_ = 0;
    pending_ = 0;
  }
  return write();
}

// The file is cut to its whole entries first: an earlier write may have left a part.
Status LossHistoryFile::write() {
  if (fd_ < 0) NW_TRY(reopen());
  const std::size_t bytes = waiting_.size() * 4;
  if (bytes > 0) {
    const auto before = static_cast<off_t>(header_bytes + entries_ * 4);
    const bool whole = ::lseek(fd_, 0, SEEK_END) == before || ::ftruncate(fd_, before) == 0;
    const ssize_t n = whole ? ::write(fd_, waiting_.data(), bytes) : -1;
    if (n != static_cast<ssize_t>(bytes)) {
      const int error = n < 0 ? errno : ENOSPC;
      (void)!::ftruncate(fd_, before);
      return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), (run_ / file_name).string(), std::strerror(error));
    }
    entries_ += waiting_.size();
    waiting_.clear();
  }
  return entries_ >= limit_ ? halve() : Status();
}

Status LossHistoryFile::halve() {
  NW_ASSIGN(LossHistory h, read_loss_history(run_));
  const std::size_t pairs = h.loss.size() / 2;
  const bool odd = h.loss.size() % 2 != 0;
  const double last = h.loss.empty() ? 0 : static_cast<double>(h.loss.back());
  for (std::size_t i = 0; i < pairs; ++i) h.loss[i] = (h.loss[2 * i] + h.loss[2 * i + 1]) / 2;
  h.loss.resize(pairs);
  h.stride *= 2;
  NW_TRY(save_file(run_ / file_name, encode(h), 0600, Links::replace));
  if (odd) {
    sum_ += last * stride_;
    pending_ += stride_;
  }
  stride_ = h.stride;
  entries_ = pairs;
  return reopen();
}

Status LossHistoryFile::reopen() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  fd_ = ::open((run_ / file_name).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd_ < 0)
    return fail(Errc::disk, NW_TR("{0} cannot be opened: {1}"), (run_ / file_name).string(), std::strerror(errno));
  return {};
}

}  // namespace nw
