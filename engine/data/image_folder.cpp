// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/data/sources.hpp"

namespace nw {
namespace {

const std::vector<std::string> endings = {".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"};

bool is_image(const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

std::vector<fs::path> sorted_entries(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.')) continue;
    if (folders ? it->is_directory(ignored) : it->is_regular_file(ignored) && is_image(it->path())) found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Images below a class folder, sub-folders too (as torchvision walks them), at most eight deep.
void collect(const fs::path& folder, int depth, std::vector<fs::path>& out) {
  for (const fs::path& file : sorted_entries(folder, false)) out.push_back(file);
  if (depth < 8)
    for (const fs::path& sub : sorted_entries(folder, true)) collect(sub, depth + 1, out);
}

struct Reader {
  const ImageDecoder& decoder;
  std::int64_t channels, height, width;
  std::vector<Text>& warnings;
  std::int64_t damaged = 0;

  Result<ImageDecoder::Image> decode(const fs::path& file) const {
    NW_ASSIGN(const std::string bytes, read_file(file, std::uint64_t{512} << 20));
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return decoder.decode({data, bytes.size()}, file.string(), channels, height, width);
  }

  /// A damaged image is left out and named; twenty names are enough, the rest is counted.
  void left_out(const Error& why) {
    if (++damaged <= 20) warnings.push_back(text(NW_TR("Left out: {0}"), why.str()));
  }

  Result<std::shared_ptr<MemoryDataset>> read(const fs::path& root, const std::vector<std::string>& classes) {
    std::shared_ptr<MemoryDataset> set;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      std::vector<fs::path> files;
      collect(root / classes[c], 0, files);
      std::int64_t good = 0;
      for (const fs::path& file : files) {
        auto image = decode(file);
        if (!image) { left_out(image.error()); continue; }
        if (!set) {
          channels = image->channels; height = image->height; width = image->width;
          set = std::make_shared<MemoryDataset>(channels, height, width);
        }
        if (set->pixels_.size() + image->hwc.size() > memory_limit_bytes)
          return fail(Errc::out_of_memory, NW_TR("{0}: the decoded images need more than {1} GB; choose a smaller image size"), root.string(), memory_limit_bytes >> 30);
        set->pixels_.insert(set->pixels_.end(), image->hwc.begin(), image->hwc.end());
        set->labels_.push_back(static_cast<std::int64_t>(c));
        set->origins_.push_back(fs::relative(file, root).string());
        ++good;
      }
      if (good == 0) warnings.push_back(text(NW_TR("Class {0} has no images in {1}"), classes[c], root.string()));
    }
    if (damaged > 20) warnings.push_back(text(NW_TR("{0} more images could not be read and are left out"), damaged - 20));
    if (!set) return fail(Errc::bad_input, NW_TR("{0}: no image could be read; PNG, JPEG, BMP, WebP and TIFF are understood"), root.string());
    return set;
  }
};

fs::path sub_folder(const fs::path& folder, const std::vector<const char*>& names) {
  std::error_code ignored;
  for (const char* name : names)
    if (fs::is_directory(folder / name, ignored)) return folder / name;
  return {};
}

}  // namespace

Result<OpenedData> open_image_folder(const fs::path& folder, const fs::path& test_folder, std::int64_t channels, std::int64_t height, std::int64_t width) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return fail(Errc::bad_input, NW_TR("{0}: is not a folder"), folder.string());
  NW_ASSIGN(const ImageDecoder* decoder, image_decoder());
  const fs::path train_root = sub_folder(folder, {"train"}).empty() ? folder : sub_folder(folder, {"train"});
  const fs::path test_root = !test_folder.empty() ? test_folder : train_root == folder ? fs::path() : sub_folder(folder, {"test", "val", "valid"});
  OpenedData data;
  for (const fs::path& sub : sorted_entries(train_root, true)) data.classes.push_back(sub.filename().string());
  if (data.classes.empty())
    return fail(Errc::bad_input, NW_TR("{0}: has no class folders; put the images of each class into a folder named after it"), train_root.string());
  Reader reader{*decoder, channels, height, width, data.warnings};
  NW_ASSIGN(data.train, reader.read(train_root, data.classes));
  if (!test_root.empty()) {
    NW_ASSIGN(data.test, reader.read(test_root, data.classes));
  }
  data.description = folder.filename().string();
  data.place = folder.string();
  return data;
}

}  // namespace nw
