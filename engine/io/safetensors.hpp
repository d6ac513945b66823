// SPDX-License-Identifier: Apache-2.0
// The safetensors file format (Hugging Face, safetensors README "Format"): 8 bytes little-endian header length, a JSON
// header, then the tensors' bytes without gap or overlap. It cannot contain code. The reader rejects everything that
// the format forbids.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/core/files.hpp"
#include "kernels/tensor.hpp"

namespace nw {

using SafetensorsMetadata = std::map<std::string, std::string>;

struct TensorInfo {
  std::string name, dtype;           // "F32", "I64", …
  std::vector<std::int64_t> shape;   // empty: a scalar
  std::uint64_t begin = 0, end = 0;  // byte offsets from the end of the header
  std::uint64_t bytes() const { return end - begin; }
};

struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;  // in the order of their data
  SafetensorsMetadata metadata;
  std::uint64_t data_offset = 0;  // 8 + header length
};

/// Bytes of one element; 0: not a dtype of the format.
std::uint64_t size_of_dtype(std::string_view dtype);

/// `start`: the beginning of the file, at least up to the end of the header. Rejects (Errc::bad_input): a header longer
/// than 100 MB or the file, or not starting with "{", invalid UTF-8, duplicate keys, deep nesting, invalid numbers,
/// unknown dtype, more than a million tensors, a length that is not shape × dtype, overflow, overlap, gaps, bytes after
/// the last tensor.
Result<SafetensorsHeader> parse_safetensors(std::string_view start, std::uint64_t file_bytes, std::string_view where);

/// A file opened for reading; tensors are read one at a time.
class SafetensorsFile {
 public:
  static Result<SafetensorsFile> open(const fs::path&);
  /// Takes ownership of the descriptor; for files opened inside an untrusted folder.
  static Result<SafetensorsFile> from_descriptor(int fd, const std::string& where);
  SafetensorsFile(SafetensorsFile&&) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) noexcept;
  ~SafetensorsFile();
  const SafetensorsHeader& header() const { return header_; }
  const std::string& where() const { return where_; }   // for messages
  const TensorInfo* find(std::string_view name) const;  // nullptr: not found
  /// `to.size()` must equal the tensor's bytes().
  Status read(const TensorInfo&, std::span<std::byte> to) const;
  /// A part of a tensor, from its byte `from` on.
  Status read_part(const TensorInfo&, std::uint64_t from, std::span<std::byte> to) const;

 private:
  SafetensorsFile() = default;
  int fd_ = -1;
  std::string where_;
  SafetensorsHeader header_;
};

/// One tensor to write; `fill` is called once with a buffer of its size. If it fails, nothing is written.
struct TensorSource {
  std::string name;
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  std::function<Status(std::span<std::byte>)> fill;
  // another type of the format whose elements are as large as those of `dtype`: "I8", "I32"; empty: `dtype`
  std::string stored_as = {};
};
/// Writes atomically; tensors are sorted by element size, then by name, so that equal tensors give equal files. Returns
/// the size of the file.
Result<std::uint64_t> write_safetensors(const fs::path&, std::vector<TensorSource>, const SafetensorsMetadata& = {},
                                        int mode = 0644);

}  // namespace nw
