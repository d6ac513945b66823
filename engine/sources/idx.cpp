// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/source_options.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

constexpr std::size_t images_rank = 3, labels_rank = 1;

struct Idx {
  std::vector<std::uint64_t> sizes;
  std::uint64_t data = 0, elements = 0;  // offset of the first element; product of the dimensions
};

/// Parses the header at the start of an unsigned-byte IDX file.
Result<Idx> read_header(std::string_view start, const std::string& where, std::size_t rank) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(start[i])); };
  if (start.size() < 4 || byte(0) != 0 || byte(1) != 0 || byte(2) != 8)
    return fail(Errc::bad_input, NW_TR("{0}: not an IDX file of bytes (it should begin with 0 0 8)"), where);
  if (byte(3) != rank)
    return fail(Errc::bad_input, NW_TR("{0}: has {1} dimensions, {2} are needed; are images and labels swapped?"),
                where, byte(3), rank);
  Idx idx{.data = 4 + 4 * rank, .elements = 1};
  if (start.size() < idx.data)
    return fail(Errc::bad_input, NW_TR("{0}: ends inside its header; download it again"), where);
  for (std::size_t d = 0; d < rank; ++d) {
    const std::size_t at = 4 + 4 * d;
    idx.sizes.push_back(byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3));
    if (__builtin_mul_overflow(idx.elements, idx.sizes.back(), &idx.elements) || idx.elements > file_limit_bytes)
      return fail(Errc::bad_input, NW_TR("{0}: its header states an impossible size; download it again"), where);
  }
  return idx;
}

/// Parses the header and checks that exactly as many bytes follow as the product of the dimensions.
Result<Idx> read_whole(std::string_view bytes, const std::string& where, std::size_t rank) {
  NW_ASSIGN(const Idx idx, read_header(bytes, where, rank));
  if (idx.elements != bytes.size() - idx.data)
    return fail(Errc::bad_input, NW_TR("{0}: its header states {1} bytes of data, but {2} follow; download it again"),
                where, idx.elements, bytes.size() - idx.data);
  return idx;
}

Result<std::string> read_idx_file(const fs::path& file, std::size_t rank) {
  return read_maybe_gzip(file, file_limit_bytes, [&](std::string_view start) -> Result<std::uint64_t> {
    NW_ASSIGN(const Idx idx, read_header(start, file.string(), rank));
    return idx.data + idx.elements;
  });
}

}  // namespace

Result<std::shared_ptr<MemoryDataset>> parse_idx(std::string_view images, const std::string& images_name,
                                                 std::string_view labels, const std::string& labels_name) {
  NW_ASSIGN(const Idx pixels, read_whole(images, images_name, images_rank));
  NW_ASSIGN(const Idx classes, read_whole(labels, labels_name, labels_rank));
  if (pixels.sizes[0] != classes.sizes[0])
    return fail(Errc::bad_input, NW_TR("{0} has {1} images, {2} has {3} labels; choose files of the same set"),
                images_name, pixels.sizes[0], labels_name, classes.sizes[0]);
  if (pixels.elements == 0) return fail(Errc::bad_input, NW_TR("{0}: holds no images"), images_name);
  auto set = std::make_shared<MemoryDataset>(1, static_cast<std::int64_t>(pixels.sizes[1]),
                                             static_cast<std::int64_t>(pixels.sizes[2]));
  set->pixels_.assign(images.begin() + static_cast<std::ptrdiff_t>(pixels.data), images.end());
  for (const char label : labels.substr(classes.data)) set->labels_.push_back(static_cast<unsigned char>(label));
  set->origins_ = {fs::path(images_name).filename().string()};
  return set;
}

Result<std::shared_ptr<MemoryDataset>> read_idx(const fs::path& images, const fs::path& labels) {
  NW_ASSIGN(const std::string pixels, read_idx_file(images, images_rank));
  NW_ASSIGN(const std::string classes, read_idx_file(labels, labels_rank));
  return parse_idx(pixels, images.string(), classes, labels.string());
}

Result<OpenedData> open_idx(const std::shared_ptr<MemoryDataset>& train, const std::shared_ptr<MemoryDataset>& test,
                            const fs::path& place) {
  if (test && (train->height() != test->height() || train->width() != test->width()))
    return fail(Errc::bad_input, NW_TR("{0}: training and test images differ in size"), place.string());
  OpenedData data;
  std::int64_t last = 0;
  for (const auto& set : {train, test})
    if (set) last = std::max(last, *std::max_element(set->labels_.begin(), set->labels_.end()));
  for (std::int64_t c = 0; c <= last; ++c) data.classes.push_back(std::to_string(c));
  data.train = train;
  data.test = test;
  data.description = place.filename().string();
  data.place = place.string();
  return data;
}

namespace {

Result<OpenedData> open_files(const DataChoice& c) {
  if (c.path.empty() || c.labels_path.empty())
    return fail(Errc::bad_input, NW_TR("IDX needs a file of images and a file of labels; choose both"));
  NW_ASSIGN(const auto train, read_idx(located(c.path), located(c.labels_path)));
  std::shared_ptr<MemoryDataset> test;
  if (!c.test_path.empty()) {
    if (c.test_labels_path.empty())
      return fail(Errc::bad_input, NW_TR("{0}: its file of labels is not chosen"), c.test_path);
    NW_ASSIGN(test, read_idx(located(c.test_path), located(c.test_labels_path)));
  }
  return open_idx(train, test, located(c.path));
}

Result<SourceReading> read(const DataChoice& c, const fs::path&) {
  return SourceReading{{located(c.path), located(c.labels_path), located(c.test_path), located(c.test_labels_path)},
                       false,
                       [c] { return open_files(c); }};
}

bool recognize(const fs::path& place) {
  std::error_code ignored;
  return !fs::is_directory(place, ignored) && place.filename().string().find("idx3") != std::string::npos;
}

void replace_in(std::string& name, std::string_view old, std::string_view other) {
  if (const std::size_t at = name.find(old); at != name.npos) name.replace(at, old.size(), other);
}

/// Chooses the label file next to the image file: the two names differ in these words.
void complete(DataChoice& c) {
  std::error_code ignored;
  const fs::path images(c.path);
  std::string name = images.filename().string();
  replace_in(name, "images", "labels");
  replace_in(name, "idx3", "idx1");
  const fs::path labels = images.parent_path() / name;
  if (labels != images && fs::exists(labels, ignored)) c.labels_path = labels.string();
}

constexpr SourceOption options[] = {{.id = "images",
                                     .label = NW_TR("Images"),
                                     .help = NW_TR("IDX file with the training images, .gz or not."),
                                     .kind = SourceOption::Kind::file,
                                     .empty = NW_TR("choose a file"),
                                     .text = &DataChoice::path},
                                    {.id = "labels",
                                     .label = NW_TR("Labels"),
                                     .help = NW_TR("IDX file with their classes."),
                                     .kind = SourceOption::Kind::file,
                                     .empty = NW_TR("choose a file"),
                                     .text = &DataChoice::labels_path},
                                    {.id = "test_images",
                                     .label = NW_TR("Test images"),
                                     .help = NW_TR("Empty: a part of the training images is held out."),
                                     .kind = SourceOption::Kind::file,
                                     .empty = NW_TR("held out of training"),
                                     .text = &DataChoice::test_path},
                                    {.id = "test_labels",
                                     .label = NW_TR("Test labels"),
                                     .help = NW_TR("IDX file with the classes of the test images."),
                                     .kind = SourceOption::Kind::file,
                                     .empty = NW_TR("held out of training"),
                                     .text = &DataChoice::test_labels_path,
                                     .applies = [](const DataChoice& c) { return !c.test_path.empty(); }}};

}  // namespace

extern const DataSource idx_source{.kind = SourceKind::idx,
                                   .title = NW_TR("IDX files"),
                                   .order = 70,
                                   .options = options,
                                   .recognize = recognize,
                                   .read = read,
                                   .complete = complete};

}  // namespace nw
