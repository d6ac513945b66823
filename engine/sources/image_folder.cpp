// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/core/what_is_there.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/image_list.hpp"
#include "engine/data/sources/source_options.hpp"

namespace nw {
namespace {

constexpr int deepest_folder = 8;

std::vector<fs::path> sorted_entries(const fs::path& folder, OpenedData& data) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (!it->path().filename().string().starts_with('.')) found.push_back(it->path());
  if (error) leave_out(data, text(NW_TR("{0}: the folder cannot be read: {1}"), folder.string(), error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

/// Reports an entry with the name of an image that is no regular file. It is never opened: reading a pipe would block
/// for ever.
void report_skipped_entry(const fs::path& entry, fs::file_type type, OpenedData& data) {
  const auto say = [&](const char* what) { leave_out(data, text(what, entry.string())); };
  if (type == fs::file_type::directory)
    say(NW_TR("{0}: is a folder that is named like an image"));
  else if (type == fs::file_type::not_found)
    say(NW_TR("{0}: is a link to a file that is not there"));
  else
    say(NW_TR("{0}: is not a regular file"));
}

/// Images below a class folder, including subfolders (as in torchvision). Links are not followed: they may form cycles.
FolderTree tree_below(const fs::path& folder, int depth, OpenedData& data) {
  FolderTree tree;
  for (const fs::path& entry : sorted_entries(folder, data)) {
    std::error_code ignored;
    const std::string name = entry.filename().string();
    const fs::file_type type = fs::status(entry, ignored).type();
    const bool is_folder = type == fs::file_type::directory;
    if (has_image_ending(name)) {
      if (type == fs::file_type::regular)
        tree.images[name] = 0;
      else
        report_skipped_entry(entry, type, data);
    }
    if (is_folder && depth < deepest_folder && !fs::is_symlink(entry, ignored))
      tree.folders[name] = tree_below(entry, depth + 1, data);
  }
  return tree;
}

/// The class folders of a set, which may be links, and their images.
FolderTree tree_of(const fs::path& root, OpenedData& data) {
  FolderTree tree;
  std::error_code ignored;
  for (const fs::path& entry : sorted_entries(root, data))
    if (fs::is_directory(entry, ignored)) tree.folders[entry.filename().string()] = tree_below(entry, 0, data);
  return tree;
}

fs::path sub_folder(const fs::path& folder, const std::vector<const char*>& names) {
  std::error_code ignored;
  for (const char* name : names)
    if (fs::is_directory(folder / name, ignored)) return folder / name;
  return {};
}

std::vector<ImageEntry> listed(const fs::path& root, const FolderTree& tree, OpenedData& data) {
  for (const std::string& name : class_names(tree))
    if (!std::binary_search(data.classes.begin(), data.classes.end(), name))
      data.warnings.push_back(
          text(NW_TR("{0} is no class of the training images; its images are left out"), (root / name).string()));
  const auto name_of = [&](const std::string& below) { return (root / below).string(); };
  return list_images(tree, data.classes, root.string(), name_of, data.warnings);
}

}  // namespace

Result<OpenedData> open_image_folder(const fs::path& folder, const fs::path& test_folder, std::int64_t channels,
                                     std::int64_t height, std::int64_t width) {
  return open_image_folder(folder, test_folder, ImageSize{channels, height, width});
}

Result<OpenedData> open_image_folder(const fs::path& folder, const fs::path& test_folder, ImageSize size) {
  std::error_code ignored;
  if (fs::is_regular_file(folder, ignored)) return open_image_archive(folder, test_folder, size);
  for (const fs::path& f : {folder, test_folder})
    if (!f.empty()) NW_TRY(check_folder(f));
  const fs::path train = sub_folder(folder, {"train"}), train_root = train.empty() ? folder : train;
  const fs::path own_test = train.empty() ? fs::path() : sub_folder(folder, {"test", "val", "valid"}),
                 test_root = test_folder.empty() ? own_test : test_folder;
  const fs::path held = train.empty() ? fs::path() : sub_folder(folder, {"val", "valid"}),
                 validation_root = held == test_root ? fs::path() : held;
  OpenedData data;
  const FolderTree tree = tree_of(train_root, data);
  data.classes = class_names(tree);
  if (data.classes.empty())
    return fail(Errc::bad_input,
                NW_TR("{0}: has no class folders; put the images of each class into a folder named after it"),
                train_root.string());
  std::vector<ImageEntry> images = listed(train_root, tree, data);
  if (!validation_root.empty())
    images = with_validation(std::move(images), listed(validation_root, tree_of(validation_root, data), data));
  NW_ASSIGN(const auto train_set, read_image_files(images, train_root.string(), data.classes, size, data));
  data.train = train_set;
  data.validation_from = train_set->validation_from_;
  if (!test_root.empty()) {
    NW_ASSIGN(data.test, read_image_files(listed(test_root, tree_of(test_root, data), data), test_root.string(),
                                          data.classes, size, data));
  }
  count_the_rest(data);
  data.description = folder.filename().string();
  data.place = folder.string();
  return data;
}

namespace {

constexpr int most_looked_at = 64;  // entries per folder, so that a folder of a million files causes no delay

bool any_entry(const fs::path& folder, const std::function<bool(const fs::directory_entry&)>& test) {
  std::error_code error;
  int looked = 0;
  for (fs::directory_iterator it(folder, error), end; !error && it != end && looked < most_looked_at;
       it.increment(error), ++looked)
    if (test(*it)) return true;
  return false;
}

bool has_images(const fs::path& folder) {
  return any_entry(folder, [](const fs::directory_entry& e) { return has_image_ending(e.path().filename().string()); });
}
bool has_class_folders(const fs::path& folder) {
  std::error_code ignored;
  return any_entry(folder,
                   [&](const fs::directory_entry& e) { return e.is_directory(ignored) && has_images(e.path()); });
}

bool names_archive(const std::string& path) { return has_ending(path, {".zip", ".tar", ".tgz", ".tar.gz"}); }

bool recognize(const fs::path& place) {
  std::error_code ignored;
  return fs::is_directory(place, ignored) ? has_class_folders(place) || has_class_folders(place / "train")
                                          : names_archive(place.string());
}

Result<SourceReading> read(const DataChoice& c, const fs::path& data_dir) {
  const fs::path place = chosen_place(c, data_dir), test = located(c.test_path);
  if (place.empty()) return fail(Errc::bad_input, NW_TR("No image folder is chosen"));
  return SourceReading{{place, test}, true, [=, size = image_size(c)] { return open_image_folder(place, test, size); }};
}

// From the name alone, without file access: the window calls this while it paints.
bool is_archive(const DataChoice& c) { return names_archive(c.path); }
bool is_folder(const DataChoice& c) { return !is_archive(c); }

constexpr SourceOption options[] = {
    {.id = "train_folder",
     .label = NW_TR("Folder"),
     .help =
         NW_TR("One folder of images for each class. The EXIF orientation of photos is ignored, as in torchvision."),
     .kind = SourceOption::Kind::folder,
     .empty = NW_TR("choose a folder"),
     .text = &DataChoice::path,
     .shows = is_folder},
    {.id = "archive",
     .label = NW_TR("Or archive"),
     .help = NW_TR("The same in a .zip, .tar or .tar.gz file; it is read in place, nothing is unpacked."),
     .kind = SourceOption::Kind::file,
     .empty = NW_TR("choose a file"),
     .text = &DataChoice::path,
     .shows = is_archive},
    {.id = "test_folder",
     .label = NW_TR("Test folder"),
     .help = NW_TR("Empty: a part of the training images is held out."),
     .kind = SourceOption::Kind::folder,
     .empty = NW_TR("held out of training"),
     .text = &DataChoice::test_path},
    source_options::width,
    source_options::height,
    source_options::resize,
    source_options::channels};

}  // namespace

extern const DataSource image_folder_source{.kind = SourceKind::image_folder,
                                            .title = NW_TR("Image folder or archive"),
                                            .command_line = "folder archive",
                                            .order = 80,
                                            .options = options,
                                            .lists_files = true,
                                            .recognize = recognize,
                                            .read = read};

}  // namespace nw
