// SPDX-License-Identifier: Apache-2.0
// Lists of image files: which reader, and from the list to pixels.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/csv_lines.hpp"
#include "engine/data/sources/image_list.hpp"
#include "engine/data/sources/targets.hpp"

namespace nw {
namespace {

constexpr std::uint64_t coco_limit_bytes = std::uint64_t{512} << 20;

Result<ImageListing> read_coco(const fs::path& place, const fs::path& test_place, TargetKind kind) {
  NW_ASSIGN(const std::string text, read_file(place, coco_limit_bytes));
  NW_ASSIGN(ImageListing all, parse_coco(text, place, kind));
  if (test_place.empty()) return all;
  NW_ASSIGN(const std::string test_text, read_file(test_place, coco_limit_bytes));
  NW_ASSIGN(ImageListing test, parse_coco(test_text, test_place, kind));
  const bool labels = kind == TargetKind::labels;
  if (labels ? test.target_names != all.target_names : test.classes != all.classes)
    return fail(Errc::bad_input, NW_TR("{0} and {1} have different categories"), place.string(), test_place.string());
  all.test = std::move(test.train);
  all.warnings.insert(all.warnings.end(), test.warnings.begin(), test.warnings.end());
  if (labels) group_by_targets(all);  // those of both
  return all;
}

Result<ImageListing> read_path_tables(const DataChoice& c, const fs::path& place, const fs::path& test_place) {
  NW_ASSIGN(const std::string train, read_file(place, csv_limit_bytes));
  std::string test;
  if (!test_place.empty()) { NW_ASSIGN(test, read_file(test_place, csv_limit_bytes)); }
  return parse_path_table(c, train, place, test, test_place);
}

std::vector<ImageEntry> items_of(const std::vector<ImageListing::Image>& images, const fs::path& root) {
  std::vector<ImageEntry> items;
  for (const auto& image : images) {
    const fs::path below = image.file.lexically_relative(root);
    items.push_back({image.file.string(), below.empty() ? image.file.string() : below.string(), image.label,
                     image.targets, false, 0});
  }
  return items;
}

}  // namespace

bool is_path_table(const fs::path& file) {
  constexpr std::size_t enough = std::size_t{256} << 10;
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info {};
  std::string start(enough, '\0');
  ssize_t got = -1;
  if (fd >= 0 && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) got = ::read(fd, start.data(), start.size());
  if (fd >= 0) ::close(fd);
  if (got <= 0) return false;
  start.resize(static_cast<std::size_t>(got));
  return lists_paths(start);
}

Result<ImageListing> read_listing(const DataChoice& c, const fs::path& place, const fs::path& test_place) {
  if (c.kind != SourceKind::csv && target_kind(c) == TargetKind::values)
    return fail(Errc::bad_input, NW_TR("{0}: has no numbers to be learned; learn the class or labels"), place.string());
  switch (c.kind) {
    case SourceKind::coco:
      return read_coco(place, test_place, target_kind(c));
    case SourceKind::voc:
      return open_voc(place, test_place, target_kind(c));
    case SourceKind::synthetic:
    case SourceKind::mnist:
    case SourceKind::idx:
    case SourceKind::cifar:
    case SourceKind::image_folder:
    case SourceKind::csv:
      break;
  }
  return read_path_tables(c, place, test_place);
}

Result<OpenedData> open_listing(const ImageListing& list, std::int64_t channels, std::int64_t height,
                                std::int64_t width) {
  std::error_code ignored;
  const fs::path place(list.place), root = fs::is_directory(place, ignored) ? place : place.parent_path();
  OpenedData data;
  data.classes = list.classes;
  data.target_kind = list.target_kind;
  data.target_names = list.target_names;
  data.warnings = list.warnings;
  ImageSize size{channels, height, width};
  NW_ASSIGN(data.train, read_image_files(items_of(list.train, root), list.place, data.classes, size, data));
  if (!list.test.empty()) {
    NW_ASSIGN(data.test, read_image_files(items_of(list.test, root), list.place, data.classes, size, data));
  }
  count_the_rest(data);
  data.description = list.description;
  data.place = list.place;
  return data;
}

}  // namespace nw
