// SPDX-License-Identifier: Apache-2.0
// A list of images with their classes, wherever their bytes come from: decoded on all cores into one block. Private to
// engine/data.
#pragma once
#include <functional>
#include <map>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {

struct ImageEntry {
  std::string name;    // for messages: the file's path, or "photos.zip: cat/1.png"
  std::string origin;  // below the set's root
  std::int64_t label = 0;
  std::vector<float> targets = {};  // as Dataset has them
  bool validation = false;          // of the source's own validation set; behind all others
  std::uint64_t entry = 0;          // in an archive: the entry's number
};

/// Where the bytes of a list's images come from.
class EncodedImages {
 public:
  virtual ~EncodedImages() = default;
  /// Finds the first image, in the list's order, for which `readable` is true; the last call that gave true was about
  /// it.
  virtual Status find_first(const std::function<bool(std::size_t, const Result<std::string>&)>& readable) const = 0;
  /// Called once per image, by several threads: its bytes, or the error.
  virtual Status each(const std::function<void(std::size_t, Result<std::string>)>& take) const = 0;
};

inline constexpr std::uint64_t image_file_limit_bytes = std::uint64_t{512} << 20;
/// Image files by their endings: those of torchvision's IMG_EXTENSIONS, and .gif.
bool has_image_ending(const std::string& name);

/// Counts a skipped image and reports it; the first thousand with a sentence each.
void leave_out(OpenedData&, const Text& why);
/// Reports how many more images were skipped.
void count_the_rest(OpenedData&);

/// Requested size and channels of images; 0: those of the first readable image.
struct ImageSize {
  std::int64_t channels = 0, height = 0, width = 0;
};

/// Decodes a list. `size` is settled by the first readable image where it is 0, for all sets that follow. Images that
/// cannot be read are left out and named in `data`; `where` names the list in messages. Errc::bad_input: not one image
/// could be read.
Result<std::shared_ptr<MemoryDataset>> read_images(const std::vector<ImageEntry>&, const EncodedImages&,
                                                   const std::string& where, const std::vector<std::string>& classes,
                                                   ImageSize& size, OpenedData& data);
/// The same for files: each image's `name` is its path.
Result<std::shared_ptr<MemoryDataset>> read_image_files(const std::vector<ImageEntry>&, const std::string& where,
                                                        const std::vector<std::string>& classes, ImageSize& size,
                                                        OpenedData& data);

/// Images and folders below a folder, by name; std::map's order of names is the order of classes and of images.
struct FolderTree {
  std::map<std::string, FolderTree> folders;
  std::map<std::string, std::uint64_t> images;  // an archive's entry number, else 0
};
/// The images of each class folder, files before sub-folders; a class without images is warned of. `name_of` makes the
/// name for messages from the path below the root.
std::vector<ImageEntry> list_images(const FolderTree& root, const std::vector<std::string>& classes,
                                    const std::string& where,
                                    const std::function<std::string(const std::string&)>& name_of,
                                    std::vector<Text>& warnings);
std::vector<std::string> class_names(const FolderTree& root);
/// The training images, behind them the source's own validation images, whose origins begin with "val/".
std::vector<ImageEntry> with_validation(std::vector<ImageEntry> train, std::vector<ImageEntry> validation);

/// open_image_folder for a .zip, .tar or .tar.gz file that holds such a folder; nothing is unpacked to a disk.
Result<OpenedData> open_image_archive(const fs::path& archive, const fs::path& test_archive, std::int64_t channels,
                                      std::int64_t height, std::int64_t width);

}  // namespace nw
