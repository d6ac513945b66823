// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/data/sources/image_list.hpp"
#include "engine/data/sources/recognise.hpp"

namespace nw {
namespace {

constexpr int most_looked_at =
    64;  // limit of folder entries read, so that a folder of a million files takes no long time

std::string lower(std::string s) {
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return s;
}

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

bool lies_at(SourceKind kind, const fs::path& place) {
  std::error_code ignored;
  const bool folder = fs::is_directory(place, ignored);
  const std::string name = lower(place.filename().string());
  const auto ends = [&](std::initializer_list<const char*> all) {
    return std::any_of(all.begin(), all.end(), [&](const char* e) { return name.ends_with(e); });
  };
  const auto holds = [&](const KnownSet& set) { return folder && !find_set(place, set.names, set.probes).empty(); };
  switch (kind) {
    case SourceKind::mnist:
      return holds(mnist_set());
    case SourceKind::cifar:
      return holds(cifar_10_set()) || holds(cifar_100_set());
    case SourceKind::voc:
      return folder ? fs::is_directory(place / "ImageSets" / "Main", ignored)
                    : ends({".txt"}) && place.parent_path().filename() == "Main";
    case SourceKind::coco:
      return !folder && ends({".json"});
    case SourceKind::csv:
      return !folder && ends({".csv", ".tsv", ".csv.gz", ".tsv.gz"});
    case SourceKind::idx:
      return !folder && name.find("idx3") != std::string::npos;
    case SourceKind::image_folder:
      return folder ? has_class_folders(place) || has_class_folders(place / "train")
                    : ends({".zip", ".tar", ".tgz", ".tar.gz"});
    case SourceKind::synthetic:
      break;
  }
  return false;
}

}  // namespace

const KnownSet& mnist_set() {
  static const KnownSet set{"MNIST",
                            {"mnist", "MNIST/raw"},
                            {"train-images-idx3-ubyte.gz", "train-images-idx3-ubyte", "train-images.idx3-ubyte",
                             "train-images.idx3-ubyte.gz"}};
  return set;
}
const KnownSet& cifar_10_set() {
  static const KnownSet set{"CIFAR-10", {"cifar-10-batches-bin", "cifar10"}, {"data_batch_1.bin"}};
  return set;
}
const KnownSet& cifar_100_set() {
  static const KnownSet set{"CIFAR-100", {"cifar-100-binary", "cifar100"}, {"train.bin"}};
  return set;
}

std::optional<SourceKind> recognise(const fs::path& place, SourceKind preferred) {
  std::error_code ignored;
  if (!fs::exists(place, ignored)) return std::nullopt;
  if (lies_at(preferred, place)) return preferred;
  for (const SourceKind kind : {SourceKind::mnist, SourceKind::cifar, SourceKind::voc, SourceKind::coco,
                                SourceKind::csv, SourceKind::idx, SourceKind::image_folder})
    if (lies_at(kind, place)) return kind;
  return std::nullopt;
}

}  // namespace nw
