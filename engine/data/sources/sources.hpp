// SPDX-License-Identifier: Apache-2.0
// Functions shared by the readers of engine/sources; the fuzzers call them with their inputs. All input is untrusted
// until checked; an error message contains the file and the action to take.
#pragma once
#include <functional>

#include "engine/core/files.hpp"
#include "engine/data/dataset.hpp"
#include "engine/design/data_source.hpp"

namespace nw {

/// The input of DataSource::read, from which it can be determined whether it has changed since it was last read.
struct SourceReading {
  std::vector<fs::path> places;  // files and folders that determine the result; empty paths are ignored
  bool deep = false;             // folders include everything below them
  std::function<Result<OpenedData>()> open;
};

/// Decoded images in one block of memory; every source is converted to this class.
class MemoryDataset final : public Dataset {
 public:
  MemoryDataset(std::int64_t channels, std::int64_t height, std::int64_t width)
      : channels_(channels), height_(height), width_(width) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(labels_.size()); }
  std::int64_t channels() const override { return channels_; }
  std::int64_t height() const override { return height_; }
  std::int64_t width() const override { return width_; }
  Status pixels(std::int64_t i, std::span<std::uint8_t> hwc) const override;
  const std::uint8_t* in_memory(std::int64_t i) const override { return pixels_.data() + i * bytes(); }
  std::int64_t label(std::int64_t i) const override { return labels_[static_cast<std::size_t>(i)]; }
  std::span<const float> targets(std::int64_t i) const override {
    return std::span(targets_).subspan(static_cast<std::size_t>(i * target_width_),
                                       static_cast<std::size_t>(target_width_));
  }
  std::string origin(std::int64_t i) const override;
  /// All pixels, sample after sample.
  const std::vector<std::uint8_t>& block() const { return pixels_; }

  std::vector<std::uint8_t> pixels_;  // (size, H, W, C)
  std::vector<std::int64_t> labels_;
  std::vector<float> targets_;         // (size, target_width_)
  std::int64_t target_width_ = 0;      // 0: classification
  std::int64_t validation_from_ = -1;  // see OpenedData
  std::vector<std::string> origins_;   // one per sample, or one name for all
 private:
  std::int64_t channels_, height_, width_;
};

/// The origin of sample i: element i of `origins`, or its index in the only file that they contain.
std::string origin_among(const std::vector<std::string>& origins, std::int64_t samples, std::int64_t i);

inline constexpr std::uint64_t file_limit_bytes = std::uint64_t{8} << 30;     // of one data file
inline constexpr std::uint64_t memory_limit_bytes = std::uint64_t{16} << 30;  // of one decoded set

/// The size of the unpacked file, computed from its first bytes (a header).
using SizeFromStart = std::function<Result<std::uint64_t>(std::string_view start)>;
bool is_gzip(std::string_view bytes);
/// All members of a gzip file (RFC 1952), unpacked in pieces up to `limit_bytes` and, with `size_from_start`, up to the
/// size stated in the unpacked header. A stated size that the packed bytes cannot reach is rejected before memory is
/// reserved.
Result<std::string> gunzip(std::string_view packed, const std::string& where, std::uint64_t limit_bytes,
                           const SizeFromStart& size_from_start = {});
/// The file's bytes, decompressed if they start with gzip's signature.
Result<std::string> read_maybe_gzip(const fs::path&, std::uint64_t limit_bytes = file_limit_bytes,
                                    const SizeFromStart& size_from_start = {});

// Each format has a reader of bytes in memory (used by the fuzzers) and a reader of files; names are for messages.

/// IDX: http://yann.lecun.com/exdb/mnist, "the IDX file format": magic 0 0 8 rank, big-endian sizes, bytes.
Result<std::shared_ptr<MemoryDataset>> parse_idx(std::string_view images, const std::string& images_name,
                                                 std::string_view labels, const std::string& labels_name);
Result<std::shared_ptr<MemoryDataset>> read_idx(const fs::path& images, const fs::path& labels);
/// The classes are the label numbers from 0 to the largest; `test` may be null.
Result<OpenedData> open_idx(const std::shared_ptr<MemoryDataset>& train, const std::shared_ptr<MemoryDataset>& test,
                            const fs::path& place);

/// CIFAR-10 and CIFAR-100 binary (https://www.cs.toronto.edu/~kriz/cifar.html): records of 1 label byte, or of a coarse
/// and a fine label byte, and 3072 pixel bytes (C,H,W).
enum class CifarLabels : std::uint8_t { of_10, fine_of_100, coarse_of_100 };
Status parse_cifar(std::string_view bytes, const std::string& name, MemoryDataset& into,
                   CifarLabels = CifarLabels::of_10);

/// A folder of class folders, or of train/ and test/ or val/ (if both exist, val/ is the validation set) with class
/// folders; classes are sorted by name, as in torchvision's ImageFolder. Or a .zip, .tar or .tar.gz file that contains
/// such a folder, read without unpacking it to disk. Damaged files are omitted and named in the warnings. Pixels: see
/// ImageDecoder; the EXIF orientation is ignored, as in torchvision.
Result<OpenedData> open_image_folder(const fs::path& folder, const fs::path& test_folder, std::int64_t channels,
                                     std::int64_t height, std::int64_t width);

/// One image per row: a label column and H*W*C pixel columns (0…255). `test_name` empty: no test table.
Result<OpenedData> parse_csv(const DataChoice&, std::string_view train, const std::string& train_name,
                             std::string_view test, const std::string& test_name);

// Lists of image files with their classes. Paths are relative to the list's folder. The lists are read before the
// images, to find out whether a file has changed since its decoded pixels were stored.

/// The contents of a list, before any image is read.
struct ImageListing {
  struct Image {
    fs::path file;
    std::int64_t label = 0;
    std::vector<float> targets = {};
  };                               // see Dataset::targets()
  std::vector<Image> train, test;  // an empty test is held out of train
  std::vector<std::string> classes;
  TargetKind target_kind = TargetKind::classes;
  std::vector<std::string> target_names;
  std::vector<Text> warnings;
  std::string description, place;
};
/// A table with a header, a column of paths (named path, file, filename, image, …, or the one whose cells have
/// extensions of images) and a label column. Errc::bad_input: for classification, labels that are fractions. For
/// multi-label data and regression see data/targets.hpp.
bool lists_paths(std::string_view table);
/// The column of paths, from the names of the columns and the cells of the first row.
std::optional<std::size_t> column_of_paths(const std::vector<std::string_view>& header,
                                           const std::vector<std::string>& first_row);
Result<ImageListing> parse_path_table(const DataChoice&, std::string_view train, const fs::path& train_file,
                                      std::string_view test, const fs::path& test_file);
/// COCO annotations (https://cocodataset.org/#format-data): image → category, in the order of the category ids. For
/// classification, images without annotation are omitted and images with several categories are an error; multi-label
/// data accepts both.
Result<ImageListing> parse_coco(std::string_view json, const fs::path& file, TargetKind = TargetKind::classes);
/// PASCAL VOC (http://host.robots.ox.ac.uk/pascal/VOC/voc2012/htmldoc, section 4): a folder with
/// ImageSets/Main/<class>_train.txt and JPEGImages; lines "name 1|0|-1" (0: present but difficult: omitted for
/// classification, a label like others for multi-label data). Or a single such file: binary classification.
struct VocLine {
  std::string name;
  int mark = 0;
};
Result<std::vector<VocLine>> parse_voc_list(std::string_view text, const std::string& name);
/// Reads a list and its test list, which may be absent ("").
using ReadListing = Result<ImageListing> (*)(const fs::path& place, const fs::path& test_place, TargetKind);
/// DataSource::read for a list of images. The list is read at once, because its images determine whether the data has
/// changed.
Result<SourceReading> listing_reading(const DataChoice&, const fs::path& data_dir, ReadListing);
/// The same for a list that was already read.
SourceReading reading_of(ImageListing, const DataChoice&, const fs::path& place, const fs::path& test_place);

/// Digits rendered from strokes with random shape, pose and thickness; deterministic for given sizes.
OpenedData make_synthetic(std::int64_t train, std::int64_t test);
/// Images of noise of this size, in memory, with ten classes: to measure speed.
Result<OpenedData> make_noise(std::int64_t channels, std::int64_t height, std::int64_t width, std::int64_t train,
                              std::int64_t test);
/// A circle, a square or a triangle on a dark background, 32×32 in colour. Multi-label: the shapes that occur, none to
/// all. Regression: centre and size of the one shape, as fractions of the side.
OpenedData make_shapes(std::int64_t train, std::int64_t test, TargetKind);
/// Points on two interleaving half circles (scikit-learn's make_moons with noise 0.1): images of 1×2×1, x
/// and y.
OpenedData make_two_moons(std::int64_t train, std::int64_t test);

/// A set that is recognised by its files: possible sub-folders, and files of which one must exist.
struct KnownSet {
  const char* title;
  std::vector<std::string> names, probes;
};
const KnownSet& mnist_set();

/// The folder of a known set: the first of data_dir, NETWRIGHT_DATA and the user's data folder (and their subfolders
/// `names`) that contains a probe file. Empty: none does.
fs::path find_set(const fs::path& data_dir, const KnownSet&);
/// Whether `place` is a folder that contains the set, directly or in a subfolder.
bool holds_set(const fs::path& place, const KnownSet&);
/// The chosen path, else the folder in which the set is found. Errc::bad_input: there is none; the message contains the
/// action to take.
Result<fs::path> known_place(const DataChoice&, const fs::path& data_dir, const KnownSet&);
/// Resolves a path from a project: unchanged if it exists or is absolute, else below NETWRIGHT_DATA or the user's data
/// folder.
fs::path located(const std::string& path);
/// `data_dir`, else the choice's resolved path; empty: neither is given.
fs::path chosen_place(const DataChoice&, const fs::path& data_dir);
/// Whether the name has the extension, ignoring case.
bool has_ending(std::string name, std::initializer_list<std::string_view> endings);
/// The same for a path that is not a folder.
bool is_file_named(const fs::path& place, std::initializer_list<std::string_view> endings);

}  // namespace nw
