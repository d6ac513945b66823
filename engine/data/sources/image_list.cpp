// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/image_list.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>

#include "engine/data/sources/decoder.hpp"
#include "engine/parallel/first_exception.hpp"
#include "engine/parallel/team.hpp"
#include "kernels/nested_text.hpp"

namespace nw {
namespace {

constexpr std::int64_t most_named = 1000;  // omitted images with a warning each; the others are counted

class FileBytes final : public EncodedImages {
 public:
  explicit FileBytes(const std::vector<ImageEntry>& items) : items_(items) {}
  Status find_first(const std::function<bool(std::size_t, const Result<std::string>&)>& readable) const override {
    for (std::size_t i = 0; i < items_.size() && !readable(i, read(i)); ++i) {}
    return {};
  }
  /// Each worker takes the next file.
  Status each(const std::function<void(std::size_t, Result<std::string>)>& take) const override {
    std::atomic<std::size_t> next{0};
    FirstException thrown;
    const auto work = [&] {
      thrown.keep([&] {
        for (std::size_t i = next++; i < items_.size(); i = next++) take(i, read(i));
      });
    };
    {
      const auto others = start_some_threads(default_threads(0) - 1, work);
      work();
    }
    thrown.rethrow();
    return {};
  }

 private:
  Result<std::string> read(std::size_t i) const try {
    return read_file(items_[i].name, image_file_limit_bytes);
  } catch (const std::bad_alloc&) {
    return fail(Errc::out_of_memory, NW_TR("{0}: no memory to decode it"), items_[i].name);
  }
  const std::vector<ImageEntry>& items_;
};

/// Decodes one set's images into memory.
class ListReader {
 public:
  ListReader(const ImageDecoder& decoder, const std::vector<ImageEntry>& items, const std::string& where,
             ImageSize& size, OpenedData& data)
      : decoder_(decoder),
        items_(items),
        where_(where),
        size_(size),
        size_chosen_(size.height > 0 && size.width > 0),
        data_(data),
        wrong_(items.size()),
        found_size_(items.size()) {}

  Result<std::shared_ptr<MemoryDataset>> read(const EncodedImages& source, const std::vector<std::string>& classes) {
    NW_TRY(resolve_size(source));
    if (items_.empty() || !settled()) return nothing_could_be_read();
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(items_.size()),
                               static_cast<std::uint64_t>(size_.channels * size_.height * size_.width), &bytes) ||
        bytes > memory_limit_bytes)
      return fail(Errc::out_of_memory,
                  NW_TR("{0}: the decoded images need more than {1} GB; choose a smaller image size"), where_,
                  memory_limit_bytes >> 30);
    auto set = std::make_shared<MemoryDataset>(size_.channels, size_.height, size_.width);
    set->pixels_.resize(static_cast<std::size_t>(bytes));
    NW_TRY(decode_all(source, *set));
    report_skipped_files();
    keep_good(*set);
    warn(*set, classes);
    if (set->size() == 0) return nothing_could_be_read();
    return set;
  }

 private:
  bool settled() const { return size_.channels > 0 && size_.height > 0 && size_.width > 0; }

  /// None if the image cannot be decoded; the error is stored with the image's number.
  std::optional<DecodedImage> decode(std::size_t i, const Result<std::string>& bytes) try {
    if (!bytes) return wrong_[i] = bytes.error(), std::nullopt;
    auto image = decoder_.decode({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()}, items_[i].name,
                                 size_.channels, size_.height, size_.width, size_.resize);
    if (!image) return wrong_[i] = image.error(), std::nullopt;
    return *std::move(image);
  } catch (const std::bad_alloc&) {
    wrong_[i] = fail(Errc::out_of_memory, NW_TR("{0}: no memory to decode it"), items_[i].name);
    return std::nullopt;
  }

  Status resolve_size(const EncodedImages& source) {
    if (settled() || items_.empty()) return {};
    ImageSize first{.resize = size_.resize};
    NW_TRY(source.find_first([&](std::size_t i, const Result<std::string>& bytes) {
      const auto image = decode(i, bytes);
      if (image) first = {image->channels, image->height, image->width, size_.resize};
      return image.has_value();
    }));
    size_ = first;
    return {};
  }

  /// A slot's bytes and outcome belong to one image, so the result does not depend on the thread that decoded it.
  Status decode_all(const EncodedImages& source, MemoryDataset& set) {
    std::vector<char> came(items_.size(), 0);
    NW_TRY(source.each([&](std::size_t i, const Result<std::string>& bytes) {
      came[i] = 1;
      const auto image = decode(i, bytes);
      if (!image) return;
      if (image->found_height != size_.height || image->found_width != size_.width) {
        ++other_size_;
        if (!size_chosen_) found_size_[i] = fmt::format("{}×{}", image->found_height, image->found_width);
      }
      if (image->clipped) ++clipped_;
      std::copy(image->hwc.begin(), image->hwc.end(),
                set.pixels_.begin() + static_cast<std::ptrdiff_t>(i * static_cast<std::size_t>(set.bytes())));
    }));
    for (std::size_t i = 0; i < came.size(); ++i)
      if (!came[i])
        wrong_[i] = fail(Errc::bad_input, NW_TR("{0}: changed while it was being read; try again"), items_[i].name);
    return {};
  }

  /// The training set is read first.
  void report_skipped_files() {
    const bool test_set = data_.train != nullptr;
    for (std::size_t i = 0; i < items_.size() && data_.skipped_files.size() < max_skipped_files; ++i) {
      if (wrong_[i])
        data_.skipped_files.push_back(
            {SkippedFile::Kind::unreadable, test_set, items_[i].origin, nested(wrong_[i]->what)});
      else if (!found_size_[i].empty())
        data_.skipped_files.push_back({SkippedFile::Kind::other_size, test_set, items_[i].origin, found_size_[i]});
    }
  }

  /// Omits damaged images and names them.
  void keep_good(MemoryDataset& set) {
    const auto each = static_cast<std::ptrdiff_t>(set.bytes());
    auto to = set.pixels_.begin();
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (wrong_[i]) {
        leave_out(data_, wrong_[i]->what);
        continue;
      }
      const auto from = set.pixels_.begin() + static_cast<std::ptrdiff_t>(i) * each;
      if (from != to) std::copy(from, from + each, to);
      to += each;
      if (items_[i].validation && set.validation_from_ < 0) set.validation_from_ = set.size();
      set.labels_.push_back(items_[i].label);
      set.targets_.insert(set.targets_.end(), items_[i].targets.begin(), items_[i].targets.end());
      set.target_width_ = static_cast<std::int64_t>(items_[i].targets.size());
      set.origins_.push_back(items_[i].origin);
    }
    set.pixels_.resize(static_cast<std::size_t>(to - set.pixels_.begin()));
  }

  void warn(const MemoryDataset& set, const std::vector<std::string>& classes) {
    if (!size_chosen_ && other_size_ > 0)
      data_.warnings.push_back(
          text(NW_TR("{0}: {1} images have another size than the first; they are resized to {2}×{3}"), where_,
               other_size_.load(), size_.height, size_.width));
    if (clipped_ > 0)
      data_.warnings.push_back(text(NW_TR("{0}: {1} grey images of 16 bits hold values above 255; these become white, "
                                          "as PIL and torchvision make them; save them in 8 bits"),
                                    where_, clipped_.load()));
    std::set<std::int64_t> empty;
    for (const ImageEntry& item : items_) empty.insert(item.label);
    for (const std::int64_t label : set.labels_) empty.erase(label);
    for (const std::int64_t label : empty)
      if (set.size() > 0)
        data_.warnings.push_back(
            text(NW_TR("Class {0} has no readable image in {1}"), classes[static_cast<std::size_t>(label)], where_));
  }

  Error nothing_could_be_read() const {
    const auto first = std::find_if(wrong_.begin(), wrong_.end(), [](const auto& w) { return w.has_value(); });
    if (first == wrong_.end())
      return fail(Errc::bad_input,
                  NW_TR("{0}: no image could be read; PNG, JPEG, GIF, BMP, WebP, TIFF, PGM and PPM are understood"),
                  where_);
    return fail(Errc::bad_input, NW_TR("{0}: no image could be read, {1} were tried; the first: {2}"), where_,
                items_.size(), nested((*first)->what));
  }

  const ImageDecoder& decoder_;
  const std::vector<ImageEntry>& items_;
  const std::string& where_;
  ImageSize& size_;
  const bool size_chosen_;
  OpenedData& data_;
  std::vector<std::optional<Error>> wrong_;
  std::vector<std::string> found_size_;  // size of the image, if it differs from the set's
  std::atomic<std::size_t> other_size_{0}, clipped_{0};
};

void collect(const FolderTree& tree, std::int64_t label, const std::string& below,
             const std::function<std::string(const std::string&)>& name_of, std::vector<ImageEntry>& out) {
  for (const auto& [name, entry] : tree.images)
    out.push_back({name_of(below + name), below + name, label, {}, false, entry});
  for (const auto& [name, folder] : tree.folders) collect(folder, label, below + name + "/", name_of, out);
}

}  // namespace

bool has_image_ending(const std::string& name) {
  static const std::set<std::string> endings = {".jpg", ".jpeg", ".png",  ".ppm",  ".bmp",
                                                ".pgm", ".tif",  ".tiff", ".webp", ".gif"};
  std::string ending = fs::path(name).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return endings.contains(ending);
}

ImageSize image_size(const DataChoice& c) {
  return {c.channels, c.height, c.width, resampling_named(c.resize).value_or(Resampling::antialiased)};
}

void leave_out(OpenedData& data, const Text& why) {
  if (++data.unreadable <= most_named) data.warnings.push_back(text(NW_TR("Left out: {0}"), nested(why)));
}

void count_the_rest(OpenedData& data) {
  if (data.unreadable > most_named)
    data.warnings.push_back(
        text(NW_TR("{0} more images could not be read and are left out"), data.unreadable - most_named));
}

std::vector<std::string> class_names(const FolderTree& root) {
  std::vector<std::string> names;
  for (const auto& [name, folder] : root.folders) names.push_back(name);
  return names;
}

std::vector<ImageEntry> with_validation(std::vector<ImageEntry> train, std::vector<ImageEntry> validation) {
  for (ImageEntry& image : validation) {
    image.origin.insert(0, "val/");
    image.validation = true;
    train.push_back(std::move(image));
  }
  return train;
}

std::vector<ImageEntry> list_images(const FolderTree& root, const std::vector<std::string>& classes,
                                    const std::string& where,
                                    const std::function<std::string(const std::string&)>& name_of,
                                    std::vector<Text>& warnings) {
  std::vector<ImageEntry> items;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::size_t before = items.size();
    if (const auto folder = root.folders.find(classes[c]); folder != root.folders.end())
      collect(folder->second, static_cast<std::int64_t>(c), classes[c] + "/", name_of, items);
    if (items.size() == before)
      warnings.push_back(
          text(NW_TR("Class {0} has no images in {1}; put some there or remove the folder"), classes[c], where));
  }
  return items;
}

Result<std::shared_ptr<MemoryDataset>> read_images(const std::vector<ImageEntry>& items, const EncodedImages& source,
                                                   const std::string& where, const std::vector<std::string>& classes,
                                                   ImageSize& size, OpenedData& data) {
  NW_ASSIGN(const ImageDecoder* decoder, image_decoder());
  return ListReader(*decoder, items, where, size, data).read(source, classes);
}

Result<std::shared_ptr<MemoryDataset>> read_image_files(const std::vector<ImageEntry>& items, const std::string& where,
                                                        const std::vector<std::string>& classes, ImageSize& size,
                                                        OpenedData& data) {
  return read_images(items, FileBytes(items), where, classes, size, data);
}

}  // namespace nw
