// SPDX-License-Identifier: Apache-2.0
// Decodes lists of image files.
#include "engine/data/dataset.hpp"
#include "engine/data/sources/image_list.hpp"

namespace nw {
namespace {

std::vector<ImageEntry> items_of(const std::vector<ImageListing::Image>& images, const fs::path& root) {
  std::vector<ImageEntry> items;
  for (const auto& image : images) {
    const fs::path below = image.file.lexically_relative(root);
    items.push_back({image.file.string(), below.empty() ? image.file.string() : below.string(), image.label,
                     image.targets, false, 0});
  }
  return items;
}

/// Decodes the images of a listing.
Result<OpenedData> open_listing(const ImageListing& list, ImageSize size) {
  std::error_code ignored;
  const fs::path place(list.place), root = fs::is_directory(place, ignored) ? place : place.parent_path();
  OpenedData data;
  data.classes = list.classes;
  data.target_kind = list.target_kind;
  data.target_names = list.target_names;
  data.warnings = list.warnings;
  NW_ASSIGN(data.train, read_image_files(items_of(list.train, root), list.place, data.classes, size, data));
  if (!list.test.empty()) {
    NW_ASSIGN(data.test, read_image_files(items_of(list.test, root), list.place, data.classes, size, data));
  }
  count_the_rest(data);
  data.description = list.description;
  data.place = list.place;
  return data;
}

}  // namespace

SourceReading reading_of(ImageListing list, const DataChoice& c, const fs::path& place, const fs::path& test_place) {
  SourceReading reading{{place, test_place}, true, {}};
  for (const auto* images : {&list.train, &list.test})
    for (const auto& image : *images) reading.places.push_back(image.file);
  reading.open = [list = std::move(list), size = image_size(c)] { return open_listing(list, size); };
  return reading;
}

Result<SourceReading> listing_reading(const DataChoice& c, const fs::path& data_dir, ReadListing read) {
  const fs::path place = chosen_place(c, data_dir), test_place = located(c.test_path);
  if (place.empty()) return fail(Errc::bad_input, NW_TR("No list of images is chosen"));
  if (target_kind(c) == TargetKind::values)
    return fail(Errc::bad_input, NW_TR("{0}: has no numeric targets; choose class or labels as the target"),
                place.string());
  NW_ASSIGN(ImageListing list, read(place, test_place, target_kind(c)));
  return reading_of(std::move(list), c, place, test_place);
}

}  // namespace nw
