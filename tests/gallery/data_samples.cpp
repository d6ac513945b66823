// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/data_samples.hpp"

#include <QDir>
#include <QImage>
#include <fstream>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/run_writer.hpp"

namespace nw::ui {
namespace {

constexpr std::int64_t trainImages = 400, testImages = 100;

const fs::path& place() {
  static const test::TemporaryFolder folder;
  return folder.path();
}

const OpenedData& digits() {
  static const OpenedData data = make_synthetic(trainImages, testImages);
  return data;
}

std::vector<std::uint8_t> pixelsOf(const Dataset& set, std::int64_t i) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(set.bytes()));
  (void)set.pixels(i, pixels);
  return pixels;
}

/// Writes the images and labels of one split as IDX files whose headers claim `promised` samples.
void writeIdx(const Dataset& set, const fs::path& images, const fs::path& labels, std::uint32_t promised) {
  std::string pixels, classes;
  for (std::int64_t i = 0; i < set.size(); ++i) {
    for (const std::uint8_t p : pixelsOf(set, i)) pixels += static_cast<char>(p);
    classes += static_cast<char>(set.label(i));
  }
  const auto side = [](std::int64_t n) { return static_cast<std::uint32_t>(n); };
  test::write_bytes(images, test::idx_bytes({promised, side(set.height()), side(set.width())}, pixels));
  test::write_bytes(labels, test::idx_bytes({promised}, classes));
}

void writeImages(const Dataset& set, const fs::path& folder) {
  for (std::int64_t i = 0; i < set.size(); ++i) {
    const std::vector<std::uint8_t> pixels = pixelsOf(set, i);
    const QImage image(pixels.data(), static_cast<int>(set.width()), static_cast<int>(set.height()),
                       static_cast<int>(set.width()), QImage::Format_Grayscale8);
    const fs::path classFolder = folder / ("digit-" + std::to_string(set.label(i)));
    fs::create_directories(classFolder);
    image.save(QString::fromStdString((classFolder / (std::to_string(i) + ".png")).string()));
  }
}

}  // namespace

DataChoice idxChoice() {
  const fs::path at = place() / "idx";
  if (!fs::exists(at) && digits().train) {
    writeIdx(*digits().train, at / "train-images.idx", at / "train-labels.idx", trainImages);
    writeIdx(*digits().test, at / "test-images.idx", at / "test-labels.idx", testImages);
  }
  return {.kind = SourceKind::idx,
          .path = (at / "train-images.idx").string(),
          .labels_path = (at / "train-labels.idx").string(),
          .test_path = (at / "test-images.idx").string(),
          .test_labels_path = (at / "test-labels.idx").string()};
}

DataChoice folderChoice() {
  const fs::path at = place() / "digits";
  if (!fs::exists(at) && digits().train) {
    writeImages(*digits().train, at / "train");
    writeImages(*digits().test, at / "test");
  }
  return {.kind = SourceKind::image_folder, .path = at.string()};
}

DataChoice csvChoice() {
  const fs::path at = place() / "digits.csv";
  if (!fs::exists(at) && digits().train) {
    std::ofstream file(at);
    const Dataset& set = *digits().train;
    for (std::int64_t i = 0; i < set.size(); ++i) {
      file << set.label(i);
      for (const std::uint8_t p : pixelsOf(set, i)) file << ',' << static_cast<int>(p);
      file << '\n';
    }
  }
  return {.kind = SourceKind::csv, .path = at.string(), .channels = 1, .height = 28, .width = 28};
}

DataChoice malformedChoice() {
  const fs::path at = place() / "lying";
  if (!fs::exists(at) && digits().test)
    writeIdx(*digits().test, at / "train-images.idx", at / "train-labels.idx", 60000);
  return {.kind = SourceKind::idx,
          .path = (at / "train-images.idx").string(),
          .labels_path = (at / "train-labels.idx").string()};
}

DataChoice defectsChoice() {
  const fs::path at = place() / "defects";
  if (!fs::exists(at) && digits().train) {
    writeImages(*digits().train, at / "train");
    writeImages(*digits().test, at / "test");
    const fs::path three = at / "train/digit-3";
    int i = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(three)) {
      const std::string name = "copy-" + std::to_string(i) + ".png";
      if (++i > 8) break;
      if (i <= 3)
        fs::copy_file(file, at / "test/digit-3" / name);
      else if (i <= 5)
        fs::copy_file(file, at / "train/digit-8" / name);
      else
        fs::resize_file(file, fs::file_size(file) / 2);
    }
  }
  return {.kind = SourceKind::image_folder, .path = at.string(), .channels = 1};
}

}  // namespace nw::ui
