// SPDX-License-Identifier: Apache-2.0
// The data that a project trains on: part of the document and of run.json. It contains no samples.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nw {

/// A data source: the name of its record (engine/design/data_source.hpp), as in files.
class SourceKind {
 public:
  /// `name` must be a string literal or have static lifetime.
  constexpr explicit SourceKind(std::string_view name) : name_(name) {}
  constexpr std::string_view name() const { return name_; }
  constexpr bool operator==(const SourceKind&) const = default;

  /// The sources that the program itself uses, in templates and downloads. Other sources need no constant.
  static const SourceKind synthetic, mnist, idx, cifar, image_folder, csv, coco, voc;

 private:
  std::string_view name_;
};
inline constexpr SourceKind SourceKind::synthetic{"synthetic"};
inline constexpr SourceKind SourceKind::mnist{"mnist"};
inline constexpr SourceKind SourceKind::idx{"idx"};
inline constexpr SourceKind SourceKind::cifar{"cifar"};
inline constexpr SourceKind SourceKind::image_folder{"image_folder"};
inline constexpr SourceKind SourceKind::csv{"csv"};
inline constexpr SourceKind SourceKind::coco{"coco"};
inline constexpr SourceKind SourceKind::voc{"voc"};

/// The kind of targets: one of several classes, any number of labels, or numbers (regression).
enum class TargetKind : std::uint8_t { classes, labels, values };
std::string_view name_of(TargetKind);  // "classes", "labels", "values"

/// The data set, its split and its normalization. If a path is empty, the usual folders are searched (see
/// data/find.hpp).
struct DataChoice {
  SourceKind kind = SourceKind::synthetic;
  // folder (mnist, cifar, image_folder, voc), archive (image_folder) or file (csv, coco, voc); for idx the images file
  // of the training set
  std::string path;
  std::string labels_path;  // idx: labels file
  // idx: test images; csv, coco, voc: test file; image_folder: test folder or archive; empty: held out from the
  // training set
  std::string test_path;
  std::string test_labels_path;  // idx
  // image_folder, lists of images: size to resize to; csv of pixels: the shape of a row; 0 = as found
  std::int64_t channels = 0, height = 0, width = 0;
  // of images: "bilinear" (antialiased), "area" or "nearest"; files of versions without this setting mean "area"
  std::string resize = "bilinear";
  std::string target_column;  // csv; empty = first column; for "labels" and "values" several, separated by commas
  // "class": class index; "odd": 1 if the class index is odd (binary); "coarse": CIFAR-100's 20 superclasses; "labels":
  // multi-label classification (csv, coco, voc, shapes); "values": regression (csv, shapes)
  std::string target = "class";
  std::string synthetic_set = "digits";  // synthetic: "digits", "shapes" or "two_moons"
  std::int64_t synthetic_train = 8000, synthetic_test = 2000;
  double validation_fraction = 0.1;  // taken from the training set; 0 = none
  double test_fraction = 0.1;        // only if the source has no test set of its own
  bool stratified = true;
  std::uint64_t split_seed = 0;
  // Samples of one group stay in one split: the "folder" of the file, or its "name" up to the first "_" or "-"; empty:
  // none.
  std::string group_by;
  // table of paths and splits (see data/split_rules.hpp); empty: the split is random
  std::string split_file;
  std::vector<std::string> excluded;  // excluded samples by sample_name(); sorted, without duplicates
  bool normalize = true;              // per channel, by mean and standard deviation
  // of pixels from 0 to 1, for each channel: those that weights were trained with; empty, or of another number of
  // channels than the images have: measured on the training split
  std::vector<float> mean, deviation;
  bool operator==(const DataChoice&) const = default;
};

inline TargetKind target_kind(const DataChoice& c) {
  return c.target == "labels" ? TargetKind::labels : c.target == "values" ? TargetKind::values : TargetKind::classes;
}

/// The name under which a sample is excluded: the file, or the image of a file, and the set. It does not change when
/// other images are added or removed.
inline std::string sample_name(bool test_set, const std::string& origin) {
  return (test_set ? "test: " : "train: ") + origin;
}
inline constexpr std::size_t most_excluded = 1'000'000, longest_sample_name = 4096;
/// Adds or removes names; the list stays sorted.
void exclude(DataChoice&, const std::vector<std::string>& names);
void include(DataChoice&, const std::vector<std::string>& names);

}  // namespace nw
