// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <thread>

#include "engine/data/sources.hpp"
#include "engine/parallel/team.hpp"

namespace nw {
namespace {

constexpr std::uint64_t image_file_limit_bytes = std::uint64_t{512} << 20;
constexpr int deepest_folder = 8;
constexpr std::size_t most_named = 20;  // warnings that name a file; the rest is counted

bool is_image(const fs::path& file) {
  static const std::set<std::string> endings = {".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"};
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return endings.contains(ending);
}

std::vector<fs::path> sorted_entries(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().filename().string().starts_with('.')) continue;
    if (folders ? it->is_directory(ignored) : it->is_regular_file(ignored) && is_image(it->path())) found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct Item {
  fs::path file;
  std::int64_t label;
};

/// Images below a class folder, sub-folders too (as torchvision walks them), but not through links: they may lead back.
void collect(const fs::path& folder, std::int64_t label, int depth, std::vector<Item>& out) {
  for (const fs::path& file : sorted_entries(folder, false)) out.push_back({file, label});
  std::error_code ignored;
  if (depth < deepest_folder)
    for (const fs::path& sub : sorted_entries(folder, true))
      if (!fs::is_symlink(sub, ignored)) collect(sub, label, depth + 1, out);
}

/// Decodes the files of one set on all cores. The size of the first readable image is the size of all, unless one is chosen.
class FolderReader {
 public:
  FolderReader(const ImageDecoder& decoder, std::int64_t channels, std::int64_t height, std::int64_t width, OpenedData& data)
      : decoder_(decoder), channels_(channels), height_(height), width_(width), size_chosen_(height > 0 && width > 0), warnings_(data.warnings), unreadable_(data.unreadable) {}

  Result<std::shared_ptr<MemoryDataset>> read(const fs::path& root, const std::vector<std::string>& classes) {
    std::vector<Item> items;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const std::size_t before = items.size();
      collect(root / classes[c], static_cast<std::int64_t>(c), 0, items);
      if (items.size() == before) warnings_.push_back(text(NW_TR("Class {0} has no images in {1}; put some there or remove the folder"), classes[c], root.string()));
    }
    settle_size(items);
    if (items.empty() || channels_ == 0 || height_ == 0 || width_ == 0) return nothing_read(root);
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(items.size()), static_cast<std::uint64_t>(channels_ * height_ * width_), &bytes) || bytes > memory_limit_bytes)
      return fail(Errc::out_of_memory, NW_TR("{0}: the decoded images need more than {1} GB; choose a smaller image size"), root.string(), memory_limit_bytes >> 30);
    return decode_all(items, root, static_cast<std::size_t>(bytes), classes);
  }

 private:
  Result<ImageDecoder::Image> decode(const fs::path& file) const try {
    NW_ASSIGN(const std::string bytes, read_file(file, image_file_limit_bytes));
    return decoder_.decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, file.string(), channels_, height_, width_);
  } catch (const std::bad_alloc&) {
    return fail(Errc::out_of_memory, NW_TR("{0}: no memory to decode it"), file.string());
  }

  void settle_size(const std::vector<Item>& items) {
    for (const Item& item : items) {
      if (channels_ > 0 && height_ > 0 && width_ > 0) return;
      auto image = decode(item.file);
      if (!image) continue;
      channels_ = image->channels;
      height_ = image->height;
      width_ = image->width;
    }
  }

  /// Each worker takes the next file; a slot's bytes and outcome belong to one file, so the result does not depend on who took it.
  Result<std::shared_ptr<MemoryDataset>> decode_all(const std::vector<Item>& items, const fs::path& root, std::size_t bytes, const std::vector<std::string>& classes) {
    auto set = std::make_shared<MemoryDataset>(channels_, height_, width_);
    set->pixels_.resize(bytes);
    const auto each = static_cast<std::size_t>(set->bytes());
    std::vector<std::optional<Error>> wrong(items.size());
    std::atomic<std::size_t> next{0}, other_size{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < items.size(); i = next++) {
        auto image = decode(items[i].file);
        if (!image) { wrong[i] = image.error(); continue; }
        if (image->found_height != height_ || image->found_width != width_) ++other_size;
        std::copy(image->hwc.begin(), image->hwc.end(), set->pixels_.begin() + static_cast<std::ptrdiff_t>(i * each));
      }
    };
    {
      std::vector<std::jthread> others;
      for (int w = 1; w < default_threads(0); ++w) others.emplace_back(work);
      work();
    }
    if (!size_chosen_ && other_size > 0)
      warnings_.push_back(text(NW_TR("{0}: {1} images have another size than the first; they are resized to {2}×{3}"), root.string(), other_size.load(), height_, width_));
    keep_good(items, wrong, root, *set);
    if (set->size() == 0) return nothing_read(root);
    name_unreadable_classes(items, *set, root, classes);
    return set;
  }

  /// Damaged images are left out and named.
  void keep_good(const std::vector<Item>& items, const std::vector<std::optional<Error>>& wrong, const fs::path& root, MemoryDataset& set) {
    const auto each = static_cast<std::ptrdiff_t>(set.bytes());
    std::size_t damaged = 0;
    auto to = set.pixels_.begin();
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (wrong[i]) {
        if (++damaged <= most_named) warnings_.push_back(text(NW_TR("Left out: {0}"), wrong[i]->str()));
        continue;
      }
      const auto from = set.pixels_.begin() + static_cast<std::ptrdiff_t>(i) * each;
      if (from != to) std::copy(from, from + each, to);
      to += each;
      set.labels_.push_back(items[i].label);
      set.origins_.push_back(items[i].file.lexically_relative(root).string());
    }
    set.pixels_.resize(static_cast<std::size_t>(to - set.pixels_.begin()));
    unreadable_ += static_cast<std::int64_t>(damaged);
    if (damaged > most_named) warnings_.push_back(text(NW_TR("{0} more images could not be read and are left out"), damaged - most_named));
  }

  void name_unreadable_classes(const std::vector<Item>& items, const MemoryDataset& set, const fs::path& root, const std::vector<std::string>& classes) {
    std::set<std::int64_t> empty;
    for (const Item& item : items) empty.insert(item.label);
    for (const std::int64_t label : set.labels_) empty.erase(label);
    for (const std::int64_t label : empty)
      warnings_.push_back(text(NW_TR("Class {0} has no readable image in {1}"), classes[static_cast<std::size_t>(label)], root.string()));
  }

  static Error nothing_read(const fs::path& root) {
    return fail(Errc::bad_input, NW_TR("{0}: no image could be read; PNG, JPEG, BMP, WebP and TIFF are understood"), root.string());
  }

  const ImageDecoder& decoder_;
  std::int64_t channels_, height_, width_;
  const bool size_chosen_;
  std::vector<Text>& warnings_;
  std::int64_t& unreadable_;
};

fs::path sub_folder(const fs::path& folder, const std::vector<const char*>& names) {
  std::error_code ignored;
  for (const char* name : names)
    if (fs::is_directory(folder / name, ignored)) return folder / name;
  return {};
}

std::vector<std::string> class_folders(const fs::path& root) {
  std::vector<std::string> names;
  for (const fs::path& sub : sorted_entries(root, true)) names.push_back(sub.filename().string());
  return names;
}

void warn_of_unknown_classes(const fs::path& test_root, const std::vector<std::string>& classes, std::vector<Text>& warnings) {
  for (const std::string& name : class_folders(test_root))
    if (!std::binary_search(classes.begin(), classes.end(), name))
      warnings.push_back(text(NW_TR("{0} is no class of the training images; its images are left out"), (test_root / name).string()));
}

}  // namespace

Result<OpenedData> open_image_folder(const fs::path& folder, const fs::path& test_folder, std::int64_t channels, std::int64_t height, std::int64_t width) {
  std::error_code ignored;
  for (const fs::path& f : {folder, test_folder})
    if (!f.empty() && !fs::is_directory(f, ignored)) return fail(Errc::bad_input, NW_TR("{0}: is not a folder"), f.string());
  const fs::path train = sub_folder(folder, {"train"}), train_root = train.empty() ? folder : train;
  const fs::path test_root = !test_folder.empty() ? test_folder : train.empty() ? fs::path() : sub_folder(folder, {"test", "val", "valid"});
  OpenedData data;
  data.classes = class_folders(train_root);
  if (data.classes.empty())
    return fail(Errc::bad_input, NW_TR("{0}: has no class folders; put the images of each class into a folder named after it"), train_root.string());
  NW_ASSIGN(const ImageDecoder* decoder, image_decoder());
  FolderReader reader(*decoder, channels, height, width, data);
  NW_ASSIGN(data.train, reader.read(train_root, data.classes));
  if (!test_root.empty()) {
    warn_of_unknown_classes(test_root, data.classes, data.warnings);
    NW_ASSIGN(data.test, reader.read(test_root, data.classes));
  }
  data.description = folder.filename().string();
  data.place = folder.string();
  return data;
}

}  // namespace nw
