// SPDX-License-Identifier: Apache-2.0
// Images with their classes, by index. Every random draw is a function of (seed, epoch, data-set index).
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/design/choice.hpp"
#include "kernels/result.hpp"

namespace nw {

/// Samples of one set: u8 pixels in memory order (H,W,C), all of one size. The const methods may be called from several
/// threads.
class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual std::int64_t size() const = 0;
  virtual std::int64_t channels() const = 0;
  virtual std::int64_t height() const = 0;
  virtual std::int64_t width() const = 0;
  /// Copies pixels (H*W*C bytes) of sample i.
  virtual Status pixels(std::int64_t i, std::span<std::uint8_t> hwc) const = 0;
  /// The same pixels in memory, valid as long as the data set; null if they are not in memory.
  virtual const std::uint8_t* in_memory(std::int64_t i) const {
    (void)i;
    return nullptr;
  }
  /// The class of sample i. For multi-label data and regression: the group (OpenedData::classes) by which the sample is
  /// counted, displayed and split.
  virtual std::int64_t label(std::int64_t i) const = 0;
  /// The targets of sample i: 1 for each label it has and 0 for the others, or its numbers; the same count for each
  /// sample. Empty for classification.
  virtual std::span<const float> targets(std::int64_t i) const {
    (void)i;
    return {};
  }
  /// The origin of sample i as a readable text: "train/cat/12.jpg" or "train-images-idx3-ubyte.gz, image 12".
  virtual std::string origin(std::int64_t i) const = 0;
  std::int64_t bytes() const { return channels() * height() * width(); }
};

/// A file of a source that cannot be read, or whose size differs from the other files'.
struct SkippedFile {
  enum class Kind : std::uint8_t { unreadable /* left out */, other_size /* resized */ };
  Kind kind = Kind::unreadable;
  bool test_set = false;
  std::string file;  // below its set's folder, as in origin()
  std::string why;   // unreadable: the reader's message, nested() if it has a template; else the size, "40×30"
  bool operator==(const SkippedFile&) const = default;
};
inline constexpr std::size_t max_skipped_files = 10000;  // limit of the list; all unreadable files are counted

/// An opened source: training and test sets, class names, and warnings.
struct OpenedData {
  std::shared_ptr<const Dataset> train, test;  // if test is null, test samples are held out of train
  // train's samples from this index on are the source's own validation set; -1: there is none
  std::int64_t validation_from = -1;
  std::vector<std::string> classes;  // of Dataset::label()
  TargetKind target_kind = TargetKind::classes;
  // one for each of Dataset::targets(); empty for classification
  std::vector<std::string> target_names;
  std::vector<Text> warnings;  // "class bird has no images"
  // images omitted because they could not be read; warnings name them
  std::int64_t unreadable = 0;
  std::vector<SkippedFile> skipped_files;
  std::string description;  // "MNIST, 60 000 images 28×28×1"
  std::string place;        // the folder or file used; "" for synthetic
};

/// The meaning of a network's outputs: classes, labels, or numbers.
inline const std::vector<std::string>& output_names(const OpenedData& d) {
  return d.target_kind == TargetKind::classes ? d.classes : d.target_names;
}

}  // namespace nw
