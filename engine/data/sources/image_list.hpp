// SPDX-License-Identifier: Apache-2.0
// A list of images with their classes, from files or archives: decoded on all cores into one block. Private to
// engine/data.
#pragma once
#include <functional>
#include <map>

#include "engine/core/resize.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {

struct ImageEntry {
  std::string name;    // for messages: the file's path, or "photos.zip: cat/1.png"
  std::string origin;  // path below the set's root
  std::int64_t label = 0;
  std::vector<float> targets = {};  // see Dataset::targets()
  bool validation = false;          // belongs to the source's validation set; after all others
  std::uint64_t entry = 0;          // in an archive: the entry's number
};

/// Reads the encoded bytes of a list's images.
class EncodedImages {
 public:
  virtual ~EncodedImages() = default;
  /// Finds the first image, in the list's order, for which `readable` returns true. If `readable` is called
  /// several times with the result true, the last of these calls concerns that image.
  virtual Status find_first(const std::function<bool(std::size_t, const Result<std::string>&)>& readable) const = 0;
  /// Called once per image, by several threads: its bytes, or the error.
  virtual Status each(const std::function<void(std::size_t, Result<std::string>)>& take) const = 0;
};

inline constexpr std::uint64_t image_file_limit_bytes = std::uint64_t{512} << 20;
/// Whether a file name has the extension of an image: torchvision's IMG_EXTENSIONS, or .gif.
bool has_image_ending(const std::string& name);

/// Counts an omitted image; each of the first thousand is reported by a warning.
void leave_out(OpenedData&, const Text& why);
/// Reports the number of omitted images that have no warning.
void count_the_rest(OpenedData&);

/// Requested size and channels of images; 0: those of the first readable image.
struct ImageSize {
  std::int64_t channels = 0, height = 0, width = 0;
  Resampling resize = Resampling::antialiased;
};
/// As chosen, also the resizing.
ImageSize image_size(const DataChoice&);

/// Decodes a list. Members of `size` that are 0 are set from the first readable image, also for later sets. Unreadable
/// images are omitted and named in `data`; `where` names the list in messages. Errc::bad_input: no image could be read.
Result<std::shared_ptr<MemoryDataset>> read_images(const std::vector<ImageEntry>&, const EncodedImages&,
                                                   const std::string& where, const std::vector<std::string>& classes,
                                                   ImageSize& size, OpenedData& data);
/// As read_images(), for files: each image's `name` is its path.
Result<std::shared_ptr<MemoryDataset>> read_image_files(const std::vector<ImageEntry>&, const std::string& where,
                                                        const std::vector<std::string>& classes, ImageSize& size,
                                                        OpenedData& data);

/// Images and folders below a folder, by name; std::map's order of names is the order of classes and of images.
struct FolderTree {
  std::map<std::string, FolderTree> folders;
  std::map<std::string, std::uint64_t> images;  // an archive's entry number, else 0
};
/// The images of each class folder, files before subfolders; a class without images causes a warning. `name_of`
/// converts the path below the root to the name in messages.
std::vector<ImageEntry> list_images(const FolderTree& root, const std::vector<std::string>& classes,
                                    const std::string& where,
                                    const std::function<std::string(const std::string&)>& name_of,
                                    std::vector<Text>& warnings);
std::vector<std::string> class_names(const FolderTree& root);
/// The training images followed by the source's validation images, whose origins begin with "val/".
std::vector<ImageEntry> with_validation(std::vector<ImageEntry> train, std::vector<ImageEntry> validation);

/// open_image_folder() with a chosen resizing.
Result<OpenedData> open_image_folder(const fs::path& folder, const fs::path& test_folder, ImageSize);
/// The same for a .zip, .tar or .tar.gz file that contains such a folder; nothing is unpacked to disk.
Result<OpenedData> open_image_archive(const fs::path& archive, const fs::path& test_archive, ImageSize);

}  // namespace nw
