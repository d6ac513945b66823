// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/photo_survey.hpp"

#include <algorithm>
#include <vector>

#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/image_list.hpp"
#include "engine/data/sources/recognise.hpp"

namespace nw {
namespace {

constexpr std::size_t most_decoded = 12;
constexpr int deepest_folder = 8;
constexpr std::int64_t most_looked_at_for_some = 200;  // files of a class

bool is_hidden(const fs::path& p) { return p.filename().string().starts_with('.'); }

/// Calls `take` for each image file below a class folder; links to folders are not followed.
template <class Take>
void each_image(const fs::path& folder, int depth, std::int64_t& files, const Take& take) {
  std::error_code error, ignored;
  for (fs::directory_iterator it(folder, error), end; !error && it != end && files < most_survey_files;
       it.increment(error)) {
    ++files;
    if (is_hidden(it->path())) continue;
    if (it->is_directory(ignored) && !it->is_symlink(ignored) && depth < deepest_folder)
      each_image(it->path(), depth + 1, files, take);
    else if (it->is_regular_file(ignored) && has_image_ending(it->path().filename().string()))
      take(it->path());
  }
}

std::int64_t median(std::vector<std::int64_t> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void measure_sizes(const std::vector<fs::path>& files, PhotoSet& set) {
  const auto decoder = image_decoder();
  if (!decoder) return;
  std::vector<std::int64_t> heights, widths;
  const std::size_t stride = std::max<std::size_t>(1, files.size() / most_decoded);
  for (std::size_t i = 0; i < files.size() && heights.size() < most_decoded; i += stride) {
    const auto bytes = read_file(files[i], image_file_limit_bytes);
    if (!bytes) continue;
    const auto image = (*decoder)->decode({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()},
                                          files[i].string(), 3, 8, 8);
    if (!image) continue;
    heights.push_back(image->found_height);
    widths.push_back(image->found_width);
  }
  set.height = median(std::move(heights));
  set.width = median(std::move(widths));
}

/// The folder with the class folders of the training images.
fs::path training_root(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "train", ignored) ? folder / "train" : folder;
}

bool has_class_folders(const fs::path& folder) { return recognise(folder) == SourceKind::image_folder; }

}  // namespace

std::optional<fs::path> folder_of_classes(const fs::path& folder) {
  if (has_class_folders(folder)) return folder;
  constexpr int most_looked_at = 64;
  std::error_code error, ignored;
  int looked = 0;
  for (fs::directory_iterator it(folder, error), end; !error && it != end && looked++ < most_looked_at;
       it.increment(error))
    if (it->is_directory(ignored) && has_class_folders(it->path())) return it->path();
  const fs::path above = folder.lexically_normal().parent_path();
  if (above != folder && has_class_folders(above)) return above;
  return {};
}

std::vector<fs::path> some_photos(const fs::path& folder, std::size_t most) {
  std::error_code error, ignored;
  std::vector<std::vector<fs::path>> classes;
  for (fs::directory_iterator it(training_root(folder), error), end; !error && it != end; it.increment(error)) {
    if (!it->is_directory(ignored) || is_hidden(it->path())) continue;
    std::vector<fs::path>& mine = classes.emplace_back();
    std::int64_t files = most_survey_files - most_looked_at_for_some;
    each_image(it->path(), 0, files, [&](const fs::path& file) {
      if (mine.size() < most) mine.push_back(file);
    });
  }
  std::vector<fs::path> some;
  for (std::size_t k = 0; k < most; ++k)
    for (const auto& of_class : classes)
      if (k < of_class.size() && some.size() < most) some.push_back(of_class[k]);
  return some;
}

Result<PhotoSet> survey_photos(const fs::path& folder) {
  std::error_code error, ignored;
  const fs::path root = training_root(folder);
  PhotoSet set;
  std::vector<fs::path> sample;  // the first image of each class, then every hundredth
  std::int64_t files = 0;
  for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_directory(ignored) || is_hidden(it->path())) continue;
    ++set.classes;
    std::int64_t of_class = 0;
    each_image(it->path(), 0, files, [&](const fs::path& file) {
      if (of_class++ % 100 == 0 && sample.size() < 1000) sample.push_back(file);
    });
    set.images += of_class;
  }
  if (error) return fail(Errc::bad_input, NW_TR("{0}: the folder cannot be read: {1}"), root.string(), error.message());
  if (set.classes == 0)
    return fail(Errc::bad_input,
                NW_TR("{0}: has no class folders; put the images of each class into a folder named after it"),
                root.string());
  if (set.images == 0)
    return fail(Errc::bad_input, NW_TR("{0}: there is no image in its {1} folders"), root.string(), set.classes);
  measure_sizes(sample, set);
  return set;
}

}  // namespace nw
