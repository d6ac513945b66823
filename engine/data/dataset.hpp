// SPDX-License-Identifier: Apache-2.0
// Images with their classes, by index. Everything that is drawn at random is a function of (seed, epoch, data-set
// index).
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/compile/compile.hpp"
#include "engine/core/files.hpp"
#include "engine/data/choice.hpp"
#include "engine/data/input_times.hpp"
#include "engine/data/mixing.hpp"
#include "engine/data/transform.hpp"

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
struct OddFile {
  enum class Kind : std::uint8_t { unreadable /* left out */, other_size /* resized */ };
  Kind kind = Kind::unreadable;
  bool test_set = false;
  std::string file;  // below its set's folder, as origin() says it
  std::string why;   // unreadable: the reader's sentence, nested() where it has a template; else its size, "40×30"
  bool operator==(const OddFile&) const = default;
};
inline constexpr std::size_t most_odd_files = 10000;  // that are named; unreadable ones are counted all

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
  std::vector<OddFile> odd_files;
  std::string description;  // "MNIST, 60 000 images 28×28×1"
  std::string place;        // the folder or file used; "" for synthetic
};

/// Decodes image files; given by the process that loaded the image module (OpenCV). Null where there is none.
class ImageDecoder {
 public:
  virtual ~ImageDecoder() = default;
  struct Image {
    std::int64_t height = 0, width = 0, channels = 0;
    std::vector<std::uint8_t> hwc;
    std::int64_t found_height = 0, found_width = 0;  // in the file, before resizing
    bool clipped = false;                            // grey of sixteen bits with values above 255, which became 255
  };
  /// Safe from several threads. bytes of a PNG, JPEG, GIF (its first picture), BMP, WebP, TIFF, PBM, PGM or PPM file
  /// (by magic); channels 1 (grey), 3 (RGB) or 0 (as found); height/width 0 = as found, else resized. Pixels are those
  /// of PIL's convert("RGB"), so those of torchvision's ImageFolder: transparency is dropped, a palette resolved,
  /// colours of sixteen bits give their upper byte, grey of sixteen bits is cut at 255 (`clipped`), and an orientation
  /// in EXIF turns nothing. Refused: other magic, truncated (JPEG too), damaged, more than 64 megapixels.
  virtual Result<Image> decode(std::span<const std::uint8_t> bytes, std::string_view where, std::int64_t channels,
                               std::int64_t height, std::int64_t width) const = 0;
};
/// The module exports `extern "C" const nw::ImageDecoder* netwright_image_decoder(int version)`; null for another
/// version.
inline constexpr int image_module_version = 2;
/// Loads the module beside the executable once; null and a reason when it is not installed.
Result<const ImageDecoder*> image_decoder();

/// Opens what the choice names. `data_dir` (--data) wins over choice.path; then NETWRIGHT_DATA, then the user's data
/// folder; mnist and cifar without any place fall back to synthetic only when `allow_synthetic`.
Result<OpenedData> open_data(const DataChoice&, const fs::path& data_dir, bool allow_synthetic,
                             bool* fell_back = nullptr);

/// What kind of data lies at a place, by names in it and below it; nothing where nothing is known. `preferred` wins
/// where its own files are there too. A few dozen look-ups on the disk, no file is read.
std::optional<SourceKind> recognise(const fs::path& place, SourceKind preferred = SourceKind::synthetic);

/// What a network's outputs stand for: classes, labels, or numbers.
inline const std::vector<std::string>& output_names(const OpenedData& d) {
  return d.target_kind == TargetKind::classes ? d.classes : d.target_names;
}

/// Indices of the three splits; training and validation index OpenedData::train, test indexes OpenedData::test (or
/// train when there is no test set). Seeded, stratified if asked; the same on every machine. What is excluded is taken
/// out of the parts after they were made, so all others stay where they were.
struct Splits {
  std::vector<std::int64_t> train, validation, test;
  bool test_from_train = false;
};
Result<Splits> split_data(const OpenedData&, const DataChoice&);
/// Which of a set's samples the choice excludes, by their names; in rising order.
std::vector<std::int64_t> excluded_of(const Dataset&, bool test_set, const DataChoice&);
/// XXH3 over who is in which part, so that a run can say whether it is still split the same.
std::uint64_t split_hash(const Splits&);
/// XXH3 over sizes, labels and pixels of what is used, so that a run can say whether the data is still the same.
Result<std::uint64_t> data_hash(const OpenedData&);

/// Per channel, over the training split, of pixels scaled to 0…1.
struct Normalization {
  std::vector<float> mean, deviation;
};
Result<Normalization> measure_normalization(const Dataset&, std::span<const std::int64_t> indices);

/// What changes training images: crop and flip first, then the transforms in their order.
struct Augmentation {
  bool random_crop = false;
  std::int64_t crop_padding = 4;
  bool horizontal_flip = false;
  std::vector<Transform> transforms = {};
};

/// Fills batches: pixels → augment → /255 → normalise, f32 (N,H,W,C) in memory, i.e. the border layout of (N,C,H,W).
class BatchMaker {
 public:
  BatchMaker(std::shared_ptr<const Dataset>, std::vector<std::int64_t> indices, const Normalization&, Augmentation,
             std::uint64_t seed);
  std::int64_t size() const;  // samples per epoch
  /// Data-set indices of positions [begin, end) of `epoch`: shuffled by (seed, epoch) when `shuffle`.
  void order(std::int64_t epoch, bool shuffle, std::vector<std::int64_t>& out) const;
  /// Writes `samples.size()` images; augmentation only when `augment`. `times`: where what it costs is added.
  Status fill(std::span<const std::int64_t> samples, std::int64_t epoch, bool augment, std::span<float> nhwc,
              InputTimes* times = nullptr) const;
  std::int64_t label(std::int64_t sample) const;
  /// See Dataset::targets().
  std::span<const float> targets(std::int64_t sample) const { return data_->targets(sample); }
  /// Mean over what is learned of its variance among these samples; 0 where classes are.
  double target_variance() const;
  /// How the samples of training batch `index` of `epoch` are mixed with each other.
  Mix mix(std::int64_t epoch, std::int64_t index) const;
  void mix_images(const Mix&, std::span<float> own, std::span<const float> other) const;
  /// What a device needs to make the same images itself; none where the pixels do not lie in memory, where transforms
  /// make every image anew, or where more than a class is learned: then batches are made here and copied, the same for
  /// every device.
  std::optional<SampleSet> samples() const;

 private:
  bool moves() const { return augmentation_.random_crop || augmentation_.horizontal_flip; }
  /// The sample as it is seen in this epoch: shifted, mirrored, transformed. In `place`.
  const std::uint8_t* changed(const std::uint8_t* from, std::int64_t sample, std::int64_t epoch,
                              TransformImage& place) const;
  void move(const std::uint8_t* from, std::int64_t sample, std::int64_t epoch, std::uint8_t* to) const;

  std::shared_ptr<const Dataset> data_;
  std::vector<std::int64_t> indices_;
  std::vector<std::array<float, 256>> table_;  // pixel value to normalised number, per channel
  Augmentation augmentation_;
  std::uint64_t seed_ = 0;
};

DataFacts facts_of(const OpenedData&, const Splits&, const DataChoice&);

}  // namespace nw
