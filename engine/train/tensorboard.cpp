// SPDX-License-Identifier: Apache-2.0
#include "engine/train/tensorboard.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace nw {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0x82F63B78u : c >> 1;
    table[i] = c;
  }
  return table;
}
constexpr auto table = make_table();

std::string little_endian(std::uint64_t v, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(v >> (8 * i) & 0xFF);
  return out;
}
std::string masked_crc(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return little_endian(((crc >> 15) | (crc << 17)) + 0xA282EAD8u, 4);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t c = ~0u;
  for (const char b : bytes) c = c >> 8 ^ table[(c ^ static_cast<unsigned char>(b)) & 0xFF];
  return ~c;
}

std::string tensorboard_record(std::string_view event) {
  const std::string length = little_endian(event.size(), 8);
  return length + masked_crc(length) + std::string(event) + masked_crc(event);
}

Result<TensorboardFile> TensorboardFile::create(const fs::path& folder, double wall_time) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  TensorboardFile file;
  file.path_ = folder / fmt::format("events.out.tfevents.{}.{}.{}", static_cast<std::int64_t>(wall_time), host.data(),
                                    ::getpid());
  file.fd_ = ::open(file.path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  struct stat info {};
  if (file.fd_ < 0 || ::fstat(file.fd_, &info) != 0)
    return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), file.path_.string(), std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return fail(Errc::bad_input, NW_TR("{0} is not a file"), file.path_.string());
  file.bytes_ = info.st_size;
  NW_TRY(file.append(tensorboard_version_event(wall_time)));
  return file;
}

TensorboardFile::TensorboardFile(TensorboardFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      bytes_(other.bytes_),
      waiting_(std::move(other.waiting_)),
      path_(std::move(other.path_)) {}
TensorboardFile& TensorboardFile::operator=(TensorboardFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(bytes_, other.bytes_);
  std::swap(waiting_, other.waiting_);
  std::swap(path_, other.path_);
  return *this;
}
TensorboardFile::~TensorboardFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status TensorboardFile::append(const std::string& event) {
  waiting_ += tensorboard_record(event);
  return write();
}

// Records that were not written completely are removed, so that the next one begins where readers expect it.
Status TensorboardFile::write() {
  if (waiting_.empty()) return {};
  const bool repaired = ::lseek(fd_, 0, SEEK_END) == bytes_ || ::ftruncate(fd_, bytes_) == 0;
  const ssize_t n = repaired ? ::write(fd_, waiting_.data(), waiting_.size()) : -1;
  if (n == static_cast<ssize_t>(waiting_.size())) {
    bytes_ += n;
    waiting_.clear();
    return {};
  }
  const int error = n < 0 ? errno : ENOSPC;
  (void)!::ftruncate(fd_, bytes_);
  return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), path_.string(), std::strerror(error));
}

}  // namespace nw
