// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include "engine/core/json.hpp"
#include "engine/io/safetensors.hpp"

namespace nw {
namespace {

constexpr std::uint64_t header_limit = 100'000'000;  // the limit of the format
constexpr std::size_t tensor_limit = 1'000'000;
constexpr std::size_t rank_limit = 64;

Error bad(std::string_view where, const Text& what) {
  return fail(Errc::bad_input, NW_TR("{0} is not a valid safetensors file: {1}"), where, what.str());
}

/// Without a sign: the format's own reader takes -0 for no whole number.
bool whole(const Json& j) { return j.is_number_unsigned(); }

/// Returns false on overflow.
bool times(std::uint64_t& a, std::uint64_t b) { return !__builtin_mul_overflow(a, b, &a); }

Result<std::vector<std::int64_t>> shape_of(const Json& j, std::string_view where, const std::string& name) {
  const auto it = j.find("shape");
  if (it == j.end() || !it->is_array() || it->size() > rank_limit)
    return bad(where, text(NW_TR("tensor \"{0}\" has no shape"), name));
  std::vector<std::int64_t> shape;
  for (const Json& size : *it) {
    if (!whole(size) || size.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
      return bad(where, text(NW_TR("tensor \"{0}\" has a size that is not a whole number"), name));
    shape.push_back(size.get<std::int64_t>());
  }
  return shape;
}

Result<TensorInfo> tensor_of(const std::string& name, const Json& j, std::string_view where) {
  if (!j.is_object() || j.size() != 3)
    return bad(where, text(NW_TR("tensor \"{0}\" needs dtype, shape and data_offsets, and nothing else"), name));
  TensorInfo info{.name = name};
  const auto dtype = j.find("dtype"), offsets = j.find("data_offsets");
  if (dtype == j.end() || !dtype->is_string() || size_of_dtype(dtype->get_ref<const std::string&>()) == 0)
    return bad(where, text(NW_TR("tensor \"{0}\" has an unknown dtype"), name));
  info.dtype = dtype->get<std::string>();
  NW_ASSIGN(info.shape, shape_of(j, where, name));
  if (offsets == j.end() || !offsets->is_array() || offsets->size() != 2 || !whole((*offsets)[0]) ||
      !whole((*offsets)[1]))
    return bad(where, text(NW_TR("tensor \"{0}\" has no data_offsets"), name));
  info.begin = (*offsets)[0].get<std::uint64_t>();
  info.end = (*offsets)[1].get<std::uint64_t>();
  std::uint64_t bytes = size_of_dtype(info.dtype);
  for (const std::int64_t size : info.shape)
    if (!times(bytes, static_cast<std::uint64_t>(size)))
      return bad(where, text(NW_TR("the shape of tensor \"{0}\" is too large"), name));
  if (info.end < info.begin || info.bytes() != bytes)
    return bad(where, text(NW_TR("the range of tensor \"{0}\" is not the {1} bytes of its shape"), name, bytes));
  return info;
}

Result<SafetensorsMetadata> metadata_of(const Json& j, std::string_view where) {
  if (!j.is_object()) return bad(where, text(NW_TR("__metadata__ is not an object")));
  SafetensorsMetadata metadata;
  for (const auto& [key, value] : j.items()) {
    if (!value.is_string()) return bad(where, text(NW_TR("__metadata__ \"{0}\" is not text"), key));
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

/// The tensors must cover the data exactly: each begins where the previous one ends.
Status check_cover(std::vector<TensorInfo>& tensors, std::uint64_t data_bytes, std::string_view where) {
  std::stable_sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t at = 0;
  for (const TensorInfo& t : tensors) {
    if (t.end > data_bytes) return bad(where, text(NW_TR("tensor \"{0}\" ends after the end of the file"), t.name));
    if (t.begin < at) return bad(where, text(NW_TR("tensor \"{0}\" overlaps the one before it"), t.name));
    if (t.begin > at)
      return bad(where, text(NW_TR("there are bytes before tensor \"{0}\" that belong to no tensor"), t.name));
    at = t.end;
  }
  if (at != data_bytes)
    return bad(where, text(NW_TR("{0} bytes after the last tensor belong to nothing"), data_bytes - at));
  return {};
}

Result<std::uint64_t> header_length(std::string_view start, std::uint64_t file_bytes, std::string_view where) {
  if (file_bytes < 8 || start.size() < 8)
    return bad(where, text(NW_TR("it is shorter than its 8 bytes of header length")));
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(start[static_cast<std::size_t>(i)]);
  if (length > header_limit)
    return bad(where, text(NW_TR("its header claims {0} bytes; at most 100 MB are allowed"), length));
  if (length > file_bytes - 8 || length > start.size() - 8)
    return bad(where, text(NW_TR("its header claims {0} bytes, more than the file holds"), length));
  return length;
}

}  // namespace

std::uint64_t size_of_dtype(std::string_view dtype) {
  static constexpr std::array<std::pair<std::string_view, std::uint64_t>, 14> table{{{"BOOL", 1},
                                                                                     {"U8", 1},
                                                                                     {"I8", 1},
                                                                                     {"F8_E5M2", 1},
                                                                                     {"F8_E4M3", 1},
                                                                                     {"U16", 2},
                                                                                     {"I16", 2},
                                                                                     {"F16", 2},
                                                                                     {"BF16", 2},
                                                                                     {"U32", 4},
                                                                                     {"I32", 4},
                                                                                     {"F32", 4},
                                                                                     {"F64", 8},
                                                                                     {"I64", 8}}};
  for (const auto& [name, bytes] : table)
    if (name == dtype) return bytes;
  return dtype == "U64" ? 8 : 0;
}

Result<SafetensorsHeader> parse_safetensors(std::string_view start, std::uint64_t file_bytes, std::string_view where) {
  NW_ASSIGN(const std::uint64_t length, header_length(start, file_bytes, where));
  const std::string_view header = start.substr(8, length);
  if (header.empty() || header.front() != '{') return bad(where, text(NW_TR("its header does not start with \"{\"")));
  const auto last = header.find_last_not_of(' ');
  if (header[last] != '}') return bad(where, text(NW_TR("its header does not end with \"}\"")));
  auto json = parse_json(header, where, {.depth = 4, .bytes = header_limit, .string_bytes = std::size_t{1} << 20});
  if (!json) return bad(where, json.error().what);
  if (json->size() > tensor_limit) return bad(where, text(NW_TR("it holds more than a million tensors")));
  SafetensorsHeader out;
  out.data_offset = 8 + length;
  for (const auto& [name, value] : json->items()) {
    if (name == "__metadata__") {
      NW_ASSIGN(out.metadata, metadata_of(value, where));
      continue;
    }
    NW_ASSIGN(TensorInfo info, tensor_of(name, value, where));
    out.tensors.push_back(std::move(info));
  }
  NW_TRY(check_cover(out.tensors, file_bytes - out.data_offset, where));
  return out;
}

}  // namespace nw
