// SPDX-License-Identifier: Apache-2.0
#include "engine/io/safetensors.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/core/json.hpp"

namespace nw {
namespace {

/// Reads exactly `to.size()` bytes. A file that was truncated meanwhile is an error; the rest is not filled with zeros.
Status read_at(int fd, std::uint64_t offset, std::span<std::byte> to, const std::string& where) {
  for (std::size_t done = 0; done < to.size();) {
    const ssize_t n = ::pread(fd, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(Errc::disk, NW_TR("{0} cannot be read: {1}"), where, std::strerror(errno));
    if (n == 0) return fail(Errc::bad_input, NW_TR("{0} is shorter than it was when it was opened"), where);
    done += static_cast<std::size_t>(n);
  }
  return {};
}

std::string_view dtype_name(DType t) {
  switch (t) {
    case DType::f32:
    case DType::tf32:
      return "F32";
    case DType::bf16:
      return "BF16";
    case DType::f16:
      return "F16";
    case DType::f64:
      return "F64";
    case DType::i64:
      return "I64";
    case DType::u8:
      return "U8";
  }
  return "";
}

std::uint64_t bytes_of(const TensorSource& t) {
  std::uint64_t bytes = size_of(t.dtype);
  for (const std::int64_t size : t.shape) bytes *= static_cast<std::uint64_t>(size);
  return bytes;
}

/// The length and the header, padded with blanks so that the data starts at a multiple of 8.
std::string header_bytes(const std::vector<TensorSource>& tensors, const SafetensorsMetadata& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t at = 0;
  for (const TensorSource& t : tensors) {
    header[t.name] = {{"dtype", t.stored_as.empty() ? dtype_name(t.dtype) : t.stored_as},
                      {"shape", t.shape},
                      {"data_offsets", {at, at + bytes_of(t)}}};
    at += bytes_of(t);
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string length(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(text.size() >> (8 * i) & 0xFF);
  return length + text;
}

}  // namespace

Result<SafetensorsFile> SafetensorsFile::open(const fs::path& path) {
  const std::string where = path.string();  // first: the descriptor belongs to nobody until it is passed on
  NW_ASSIGN(const int fd, open_regular(path));
  return from_descriptor(fd, where);
}

Result<SafetensorsFile> SafetensorsFile::from_descriptor(int fd, const std::string& where) {
  SafetensorsFile file;
  file.fd_ = fd;
  file.where_ = where;
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
    return fail(Errc::bad_input, NW_TR("{0} is not a file"), where);
  const auto size = static_cast<std::uint64_t>(info.st_size);
  // Untrusted input: the length is checked against the format's limit and the file's size before the header is read.
  std::string start(std::min<std::uint64_t>(size, 8), '\0');
  NW_TRY(read_at(fd, 0, std::as_writable_bytes(std::span(start)), where));
  std::uint64_t length = 0;
  for (std::size_t i = start.size(); i-- > 0;) length = length << 8 | static_cast<unsigned char>(start[i]);
  if (size >= 8 && length <= 100'000'000 && length <= size - 8) {
    start.resize(8 + length);
    NW_TRY(read_at(fd, 0, std::as_writable_bytes(std::span(start)), where));
  }
  NW_ASSIGN(file.header_, parse_safetensors(start, size, where));
  return file;
}

SafetensorsFile::SafetensorsFile(SafetensorsFile&& other) noexcept { *this = std::move(other); }
SafetensorsFile& SafetensorsFile::operator=(SafetensorsFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(where_, other.where_);
  std::swap(header_, other.header_);
  return *this;
}
SafetensorsFile::~SafetensorsFile() {
  if (fd_ >= 0) ::close(fd_);
}

const TensorInfo* SafetensorsFile::find(std::string_view name) const {
  const auto it =
      std::find_if(header_.tensors.begin(), header_.tensors.end(), [&](const TensorInfo& t) { return t.name == name; });
  return it == header_.tensors.end() ? nullptr : &*it;
}

Status SafetensorsFile::read(const TensorInfo& t, std::span<std::byte> to) const {
  if (to.size() != t.bytes())
    return fail(Errc::bad_input, NW_TR("{0}: tensor \"{1}\" holds {2} bytes, {3} are needed"), where_, t.name,
                t.bytes(), to.size());
  return read_part(t, 0, to);
}

Status SafetensorsFile::read_part(const TensorInfo& t, std::uint64_t from, std::span<std::byte> to) const {
  if (from > t.bytes() || to.size() > t.bytes() - from)
    return fail(Errc::bad_input, NW_TR("{0}: tensor \"{1}\" holds {2} bytes, {3} are needed"), where_, t.name,
                t.bytes(), from + to.size());
  return read_at(fd_, header_.data_offset + t.begin + from, to, where_);
}

Result<std::uint64_t> write_safetensors(const fs::path& path, std::vector<TensorSource> tensors,
                                        const SafetensorsMetadata& metadata, int mode) {
  std::sort(tensors.begin(), tensors.end(), [](const TensorSource& a, const TensorSource& b) {
    return size_of(a.dtype) != size_of(b.dtype) ? size_of(a.dtype) > size_of(b.dtype) : a.name < b.name;
  });
  NW_ASSIGN(AtomicFile file, AtomicFile::create(path, mode));
  const std::string header = header_bytes(tensors, metadata);
  NW_TRY(file.write(std::as_bytes(std::span(header))));
  std::uint64_t total = header.size();
  std::vector<std::byte> buffer;
  for (const TensorSource& t : tensors) {
    buffer.resize(bytes_of(t));
    NW_TRY(t.fill(buffer));
    NW_TRY(file.write(buffer));
    total += buffer.size();
  }
  NW_TRY(file.commit());
  return total;
}

}  // namespace nw
