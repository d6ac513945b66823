// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "engine/data/cache/open.hpp"
#include "engine/data/cache/pack.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

std::vector<fs::path> roots(const fs::path& data_dir) {
  std::vector<fs::path> all;
  if (!data_dir.empty()) return {data_dir};
  if (const char* env = std::getenv("NETWRIGHT_DATA"); env && *env) all.emplace_back(env);
  all.push_back(data_folder());
  return all;
}

/// Where a known set lies: the place that was named, else where it is found.
Result<fs::path> known_place(const DataChoice& c, const fs::path& data_dir, const KnownSet& set) {
  if (data_dir.empty() && !c.path.empty()) return located(c.path);
  const fs::path found = find_set(data_dir, set.names, set.probes);
  if (!found.empty()) return found;
  if (!data_dir.empty()) return data_dir;
  return fail(Errc::bad_input, NW_TR("{0} was not found; put its files into {1} or name their folder with --data"),
              set.title, (data_folder() / set.names.front()).string());
}

/// CIFAR-10, or CIFAR-100 where a folder was named that holds only that, or its coarse labels are asked for.
Result<fs::path> cifar_place(const DataChoice& c, const fs::path& data_dir) {
  const bool coarse = c.target == "coarse";
  if (!coarse && (data_dir.empty() || !find_set(data_dir, cifar_10_set().names, cifar_10_set().probes).empty()))
    return known_place(c, data_dir, cifar_10_set());
  if (!coarse && find_set(data_dir, cifar_100_set().names, cifar_100_set().probes).empty()) return data_dir;
  return known_place(c, data_dir, cifar_100_set());
}

/// Relabels for the question "is it odd?".
class OddEvenLabels final : public Dataset {
 public:
  explicit OddEvenLabels(std::shared_ptr<const Dataset> inner) : inner_(std::move(inner)) {}
  std::int64_t size() const override { return inner_->size(); }
  std::int64_t channels() const override { return inner_->channels(); }
  std::int64_t height() const override { return inner_->height(); }
  std::int64_t width() const override { return inner_->width(); }
  Status pixels(std::int64_t i, std::span<std::uint8_t> hwc) const override { return inner_->pixels(i, hwc); }
  const std::uint8_t* in_memory(std::int64_t i) const override { return inner_->in_memory(i); }
  std::int64_t label(std::int64_t i) const override { return inner_->label(i) % 2; }
  std::string origin(std::int64_t i) const override { return inner_->origin(i); }

 private:
  std::shared_ptr<const Dataset> inner_;
};

Result<OpenedData> open_idx_files(const DataChoice& c) {
  if (c.path.empty() || c.labels_path.empty())
    return fail(Errc::bad_input, NW_TR("IDX needs a file of images and a file of labels; choose both"));
  NW_ASSIGN(const auto train, read_idx(located(c.path), located(c.labels_path)));
  std::shared_ptr<MemoryDataset> test;
  if (!c.test_path.empty()) {
    if (c.test_labels_path.empty())
      return fail(Errc::bad_input, NW_TR("{0}: its file of labels is not chosen"), c.test_path);
    NW_ASSIGN(test, read_idx(located(c.test_path), located(c.test_labels_path)));
  }
  return open_idx(train, test, located(c.path));
}

/// What is read, and how: enough to know whether it was read before.
struct Reading {
  std::vector<fs::path> places;
  bool deep = false;
  std::function<Result<OpenedData>()> open;
};

/// The list is read now: its images belong to what may have changed.
Result<Reading> listing_reading(const DataChoice& c, const fs::path& place, const fs::path& test) {
  NW_ASSIGN(ImageListing list, read_listing(c, place, test));
  Reading reading{{place, test}, true, {}};
  for (const auto* images : {&list.train, &list.test})
    for (const auto& image : *images) reading.places.push_back(image.file);
  reading.open = [list = std::move(list), c] { return open_listing(list, c.channels, c.height, c.width); };
  return reading;
}

Result<Reading> reading_of(const DataChoice& c, const fs::path& data_dir) {
  const fs::path place = data_dir.empty() ? located(c.path) : data_dir, test = located(c.test_path);
  switch (c.kind) {
    case SourceKind::synthetic:
      return Reading{{}, false, [&c] { return make_synthetic_set(c); }};
    case SourceKind::mnist: {
      NW_ASSIGN(const fs::path folder, known_place(c, data_dir, mnist_set()));
      return Reading{{folder}, false, [folder] { return open_mnist(folder); }};
    }
    case SourceKind::cifar: {
      NW_ASSIGN(const fs::path folder, cifar_place(c, data_dir));
      return Reading{{folder}, false, [folder, coarse = c.target == "coarse"] { return open_cifar(folder, coarse); }};
    }
    case SourceKind::idx:
      return Reading{{located(c.path), located(c.labels_path), test, located(c.test_labels_path)}, false, [&c] {
                       return open_idx_files(c);
                     }};
    case SourceKind::image_folder:
      if (place.empty()) return fail(Errc::bad_input, NW_TR("No image folder is chosen"));
      return Reading{{place, test}, true, [&c, place, test] {
                       return open_image_folder(place, test, c.channels, c.height, c.width);
                     }};
    case SourceKind::csv:
      if (place.empty()) return fail(Errc::bad_input, NW_TR("No CSV file is chosen"));
      if (is_path_table(place)) return listing_reading(c, place, test);
      return Reading{{place, test}, false, [&c, place, test] { return open_csv(c, place, test); }};
    case SourceKind::coco:
    case SourceKind::voc:
      if (place.empty()) return fail(Errc::bad_input, NW_TR("No list of images is chosen"));
      return listing_reading(c, place, test);
  }
  return fail(Errc::bad_input, NW_TR("This kind of data source is not known"));
}

/// Everything that decides what is read; empty: nothing lies on a disk, or it cannot be looked at.
std::string key_of(const DataChoice& c, const Reading& r) {
  const std::string files = fingerprint(r.places, r.deep);
  if (files.empty()) return {};
  const std::string labels = c.target == "class" || c.target == "odd" ? "" : c.target;
  return fmt::format("{} {}x{}x{} {} {} images {} {}", static_cast<int>(c.kind), c.channels, c.height, c.width,
                     c.target_column, labels, image_module_version, files);
}

Result<OpenedData> open_source(const DataChoice& c, const fs::path& data_dir) {
  NW_ASSIGN(const Reading reading, reading_of(c, data_dir));
  return kept_between_runs(key_of(c, reading), reading.open);
}

}  // namespace

fs::path located(const std::string& path) {
  std::error_code ignored;
  const fs::path asked(path);
  if (path.empty() || asked.is_absolute() || fs::exists(asked, ignored)) return asked;
  for (const fs::path& root : roots({}))
    if (fs::exists(root / asked, ignored)) return root / asked;
  return asked;
}

fs::path find_set(const fs::path& data_dir, const std::vector<std::string>& names,
                  const std::vector<std::string>& probes) {
  std::error_code ignored;
  for (const fs::path& root : roots(data_dir)) {
    std::vector<fs::path> folders{root};
    for (const std::string& n : names) folders.push_back(root / n);
    for (const fs::path& folder : folders)
      for (const std::string& probe : probes)
        if (fs::exists(folder / probe, ignored)) return folder;
  }
  return {};
}

Result<OpenedData> open_data(const DataChoice& c, const fs::path& data_dir, bool allow_synthetic, bool* fell_back) {
  if (fell_back) *fell_back = false;
  auto opened = open_source(c, data_dir);
  const bool nowhere = data_dir.empty() && c.path.empty();
  const bool digits = c.kind == SourceKind::mnist;
  if (!opened && allow_synthetic && nowhere && digits && find_set({}, mnist_set().names, mnist_set().probes).empty()) {
    if (fell_back) *fell_back = true;
    opened = make_synthetic(c.synthetic_train, c.synthetic_test);
  }
  if (!opened) return opened;
  if (opened->target_kind != target_kind(c))
    return fail(Errc::bad_input,
                NW_TR("{0}: has a class for each image and nothing else to be learned; learn the class"),
                opened->description);
  if (c.target == "coarse" && c.kind != SourceKind::cifar)
    return fail(Errc::bad_input, NW_TR("{0}: only CIFAR-100 has coarse labels; choose its folder, or learn the class"),
                opened->description);
  if (c.target == "odd") {
    opened->train = std::make_shared<OddEvenLabels>(opened->train);
    if (opened->test) opened->test = std::make_shared<OddEvenLabels>(opened->test);
    opened->classes = {"even", "odd"};
  }
  return opened;
}

}  // namespace nw
