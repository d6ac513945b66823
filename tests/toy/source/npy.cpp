// SPDX-License-Identifier: Apache-2.0
// A folder with images.npy, u8 (N,H,W,C), and labels.npy, i64 (N): arrays as numpy.save writes them
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). In docs/adding.md.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

constexpr std::int64_t most_classes = 100'000;

struct Array {
  std::vector<std::int64_t> shape;
  std::string_view data;
};

std::vector<std::int64_t> read_shape(std::string_view header) {
  constexpr std::string_view key = "'shape': (";
  std::vector<std::int64_t> shape;
  const std::size_t begin = header.find(key);
  const char* at = begin == header.npos ? nullptr : header.data() + begin + key.size();
  const char* const end = header.data() + header.size();
  for (std::int64_t size = 0; at && at < end && *at != ')';) {
    const auto [next, error] = std::from_chars(at, end, size);
    if (error == std::errc()) shape.push_back(size);
    at = error == std::errc() ? next : at + 1;
  }
  return shape;
}

/// The array of `bytes`, which must outlive it. `type`: NumPy's name of the element type; `element_bytes`: its size.
Result<Array> parse_npy(std::string_view bytes, std::string_view type, std::int64_t element_bytes,
                        const std::string& where) {
  constexpr std::size_t fixed = 10;  // magic, version, length of the header
  if (bytes.size() < fixed || !bytes.starts_with("\x93NUMPY\x01"))
    return fail(Errc::bad_input, NW_TR("{0}: is not a NumPy array of version 1"), where);
  const std::size_t length = static_cast<unsigned char>(bytes[8]) + 256 * static_cast<unsigned char>(bytes[9]);
  const std::string_view header = bytes.substr(fixed, length);
  Array array{read_shape(header), bytes.substr(std::min(bytes.size(), fixed + length))};
  if (header.find(type) == header.npos || header.find("'fortran_order': False") == header.npos)
    return fail(Errc::bad_input, NW_TR("{0}: its elements are not {1} in C order"), where, type);
  std::int64_t expected = element_bytes;
  for (const std::int64_t size : array.shape) {
    if (size < 1 || expected > static_cast<std::int64_t>(memory_limit_bytes) / size)
      return fail(Errc::bad_input, NW_TR("{0}: its header declares an impossible size"), where);
    expected *= size;
  }
  if (static_cast<std::int64_t>(array.data.size()) != expected)
    return fail(Errc::bad_input, NW_TR("{0}: is truncated; copy it again"), where);
  return array;
}

}  // namespace

/// The bytes of both files; `where` names them in messages. Errc::bad_input: the files do not contain such arrays.
Result<std::shared_ptr<MemoryDataset>> parse_npy_set(std::string_view images, std::string_view labels,
                                                     const std::string& where) {
  NW_ASSIGN(const Array pixels, parse_npy(images, "'|u1'", 1, where + "/images.npy"));
  NW_ASSIGN(const Array classes, parse_npy(labels, "'<i8'", 8, where + "/labels.npy"));
  if (pixels.shape.size() != 4 || classes.shape.size() != 1 || pixels.shape[0] != classes.shape[0])
    return fail(Errc::bad_input, NW_TR("{0}: images (N,H,W,C) and labels (N) are needed"), where);
  auto set = std::make_shared<MemoryDataset>(pixels.shape[3], pixels.shape[1], pixels.shape[2]);
  set->pixels_.assign(pixels.data.begin(), pixels.data.end());
  set->labels_.resize(static_cast<std::size_t>(classes.shape[0]));
  std::memcpy(set->labels_.data(), classes.data.data(), classes.data.size());
  set->origins_ = {where + "/images.npy"};
  return set;
}

namespace {

Result<OpenedData> open_npy(const fs::path& folder) {
  NW_ASSIGN(const std::string images, read_file(folder / "images.npy", file_limit_bytes));
  NW_ASSIGN(const std::string labels, read_file(folder / "labels.npy", file_limit_bytes));
  NW_ASSIGN(const auto set, parse_npy_set(images, labels, folder.filename().string()));
  OpenedData data;
  data.train = set;
  std::int64_t largest = -1;
  for (const std::int64_t label : set->labels_) {
    if (label < 0 || label >= most_classes)
      return fail(Errc::bad_input, NW_TR("{0}: the label {1} is not between 0 and {2}"), folder.string(), label,
                  most_classes - 1);
    largest = std::max(largest, label);
  }
  for (std::int64_t i = 0; i <= largest; ++i) data.classes.push_back(std::to_string(i));
  data.description = fmt::format("NumPy arrays, {} images", set->size());
  data.place = folder.string();
  return data;
}

Result<SourceReading> read(const DataChoice& c, const fs::path& data_dir) {
  const fs::path folder = chosen_place(c, data_dir);
  if (folder.empty()) return fail(Errc::bad_input, NW_TR("No folder with images.npy is chosen"));
  return SourceReading{{folder / "images.npy", folder / "labels.npy"}, false, [folder] { return open_npy(folder); }};
}

bool recognize(const fs::path& place) {
  std::error_code ignored;
  return fs::exists(place / "images.npy", ignored) && fs::exists(place / "labels.npy", ignored);
}

constexpr SourceOption options[] = {{.id = "npy_folder",
                                     .label = NW_TR("Folder"),
                                     .help = NW_TR("A folder with images.npy and labels.npy."),
                                     .kind = SourceOption::Kind::folder,
                                     .empty = NW_TR("choose a folder"),
                                     .text = &DataChoice::path}};

}  // namespace

extern const DataSource npy_source{.kind = SourceKind("npy"),
                                   .title = NW_TR("NumPy arrays"),
                                   .command_line = "npy",
                                   .order = 75,
                                   .options = options,
                                   .recognize = recognize,
                                   .read = read};

}  // namespace nw
