// SPDX-License-Identifier: Apache-2.0
// Images with their classes, by index. Everything that is drawn at random is a function of (seed, epoch, data-set
// index).
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/design/choice.hpp"
#include "kernels/result.hpp"

namespace nw {

/// One split's source of samples: u8 pixels in memory order (H,W,C), all of one size. get() is safe from several
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
  /// The same pixels where they lie in memory, as long as the data set lives; null where they do not.
  virtual const std::uint8_t* in_memory(std::int64_t i) const {
    (void)i;
    return nullptr;
  }
  /// Its class; where other things are learned, the group (OpenedData::classes) that it is counted, shown and split
  /// with.
  virtual std::int64_t label(std::int64_t i) const = 0;
  /// What is learned of sample i where that is not its class: 1 for each label it has and 0 for the others, or its
  /// numbers; as many for each sample. Empty: the class.
  virtual std::span<const float> targets(std::int64_t i) const {
    (void)i;
    return {};
  }
  /// Where sample i came from, for people: "train/cat/12.jpg" or "train-images-idx3-ubyte.gz, image 12".
  virtual std::string origin(std::int64_t i) const = 0;
  std::int64_t bytes() const { return channels() * height() * width(); }
};

/// A file of a source that is not as the others are.
struct SkippedFile {
  enum class Kind : std::uint8_t { unreadable /* left out */, other_size /* resized */ };
  Kind kind = Kind::unreadable;
  bool test_set = false;
  std::string file;  // below its set's folder, as origin() says it
  std::string why;   // unreadable: the reader's sentence, nested() where it has a template; else its size, "40×30"
  bool operator==(const SkippedFile&) const = default;
};
inline constexpr std::size_t max_skipped_files = 10000;  // that are named; unreadable ones are counted all

/// A source opened: training and test sets, class names, and what was found odd on the way.
struct OpenedData {
  std::shared_ptr<const Dataset> train, test;  // test may be null: then it is held out of train
  // train's samples from here on are the source's own validation set; -1: it has none
  std::int64_t validation_from = -1;
  std::vector<std::string> classes;  // of Dataset::label()
  TargetKind target_kind = TargetKind::classes;
  // one for each of Dataset::targets(); empty where classes are learned
  std::vector<std::string> target_names;
  std::vector<Text> warnings;  // "class bird has no images"
  // images that were left out since they could not be read; warnings name them
  std::int64_t unreadable = 0;
  std::vector<SkippedFile> skipped_files;
  std::string description;  // "MNIST, 60 000 images 28×28×1"
  std::string place;        // the folder or file used; "" for synthetic
};

/// What a network's outputs stand for: classes, labels, or numbers.
inline const std::vector<std::string>& output_names(const OpenedData& d) {
  return d.target_kind == TargetKind::classes ? d.classes : d.target_names;
}

}  // namespace nw
