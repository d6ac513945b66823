// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "engine/core/json.hpp"
#include "engine/data/sources/source_options.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/data/sources/targets.hpp"

namespace nw {
namespace {

constexpr std::size_t most_categories = 100000, longest_name = 4096, coco_limit_bytes = std::size_t{512} << 20;
constexpr std::int64_t largest_id = std::int64_t{1} << 62;
/// Most of a list is outlines and boxes, which are not read.
constexpr std::string_view skipped_keys[] = {
    "segmentation", "segments_info", "bbox",     "keypoints",  "num_keypoints", "area",          "iscrowd",  "info",
    "licenses",     "license",       "coco_url", "flickr_url", "date_captured", "supercategory", "skeleton", "caption"};
constexpr JsonLimits list_limits{
    .bytes = coco_limit_bytes, .memory_bytes = std::size_t{768} << 20, .skipped_keys = skipped_keys};

struct Category {
  std::int64_t id = 0;
  std::string name;
};
struct CocoImage {
  std::string file;
  std::set<std::int64_t> classes;
};
using Pictures = std::map<std::int64_t, CocoImage>;  // by id

std::string at(const char* list, std::size_t i) { return std::string(list) + "[" + std::to_string(i) + "]"; }

Result<std::vector<Category>> categories_of(const Json& list, const std::string& where) {
  std::vector<Category> all;
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonReader r(list[i], where + ", " + at("categories", i));
    Category c{r.integer("id", 0, largest_id), r.string("name")};
    NW_TRY(r.status());
    all.push_back(std::move(c));
  }
  std::sort(all.begin(), all.end(), [](const Category& a, const Category& b) { return a.id < b.id; });
  const auto twice =
      std::adjacent_find(all.begin(), all.end(), [](const Category& a, const Category& b) { return a.id == b.id; });
  if (twice != all.end()) return fail(Errc::bad_input, NW_TR("{0}: category {1} occurs twice"), where, twice->id);
  if (all.empty() || all.size() > most_categories)
    return fail(Errc::bad_input, NW_TR("{0}: has {1} categories"), where, all.size());
  return all;
}

Result<Pictures> pictures_of(const Json& list, const std::string& where) {
  Pictures all;
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonReader r(list[i], where + ", " + at("images", i));
    const std::int64_t id = r.integer("id", 0, largest_id);
    const std::string file = r.string("file_name");
    NW_TRY(r.status());
    if (file.empty() || file.size() > longest_name || file.find('\0') != std::string::npos)
      return fail(Errc::bad_input, NW_TR("{0}: image {1} has no file name"), where, id);
    if (!all.emplace(id, CocoImage{file, {}}).second)
      return fail(Errc::bad_input, NW_TR("{0}: image {1} occurs twice"), where, id);
  }
  return all;
}

Status annotate(const Json& list, const std::vector<Category>& categories, Pictures& pictures,
                const std::string& where) {
  std::map<std::int64_t, std::int64_t> classes;
  for (const Category& c : categories) classes.emplace(c.id, static_cast<std::int64_t>(classes.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    JsonReader r(list[i], where + ", " + at("annotations", i));
    const std::int64_t image = r.integer("image_id", 0, largest_id), category = r.integer("category_id", 0, largest_id);
    NW_TRY(r.status());
    const auto picture = pictures.find(image);
    const auto label = classes.find(category);
    if (picture == pictures.end())
      return fail(Errc::bad_input, NW_TR("{0}: annotation {1} is about image {2}, which is not listed"), where, i,
                  image);
    if (label == classes.end())
      return fail(Errc::bad_input, NW_TR("{0}: annotation {1} is about category {2}, which is not listed"), where, i,
                  category);
    picture->second.classes.insert(label->second);
  }
  return {};
}

/// The image folder: next to the annotation file, or COCO's own layout (annotations/instances_train2017.json,
/// train2017/).
fs::path image_folder(const fs::path& file, const std::string& first) {
  const fs::path here = file.parent_path(), above = here / "..";
  const std::string stem = file.stem().string(), part = stem.substr(stem.rfind('_') + 1);
  std::error_code ignored;
  for (const fs::path& folder :
       {here, here / "images", here / part, above, above / part, above / "images", above / "images" / part})
    if (fs::exists(folder / first, ignored)) return folder;
  return here;
}

Error several(const Pictures& pictures, const std::vector<Category>& categories, const std::string& where) {
  std::size_t count = 0;
  const CocoImage* first = nullptr;
  for (const auto& [id, p] : pictures) {
    if (p.classes.size() < 2) continue;
    if (++count == 1) first = &p;
  }
  const auto name = [&](std::int64_t label) { return categories[static_cast<std::size_t>(label)].name; };
  return fail(Errc::bad_input,
              NW_TR("{0}: {1} images have several categories, the first is {2} ({3}, {4}); choose labels as the "
                    "target, or keep one category for each image"),
              where, count, first->file, name(*first->classes.begin()), name(*std::next(first->classes.begin())));
}

/// All images, with or without categories.
ImageListing labelled(const Pictures& pictures, const std::vector<Category>& categories, const fs::path& folder) {
  ImageListing all;
  all.target_kind = TargetKind::labels;
  for (const Category& c : categories) all.target_names.push_back(c.name);
  for (const auto& [id, p] : pictures) {
    ImageListing::Image image{.file = (folder / p.file).lexically_normal(),
                              .targets = std::vector<float>(categories.size(), 0.0F)};
    for (const std::int64_t label : p.classes) image.targets[static_cast<std::size_t>(label)] = 1;
    all.train.push_back(std::move(image));
  }
  return all;
}

/// All images that have a category, which is their class.
ImageListing classified(const Pictures& pictures, const std::vector<Category>& categories, const fs::path& folder,
                        const std::string& where) {
  ImageListing all;
  for (const Category& c : categories) all.classes.push_back(c.name);
  std::size_t unmarked = 0;
  for (const auto& [id, p] : pictures) {
    if (p.classes.empty())
      ++unmarked;
    else
      all.train.push_back({(folder / p.file).lexically_normal(), *p.classes.begin()});
  }
  if (unmarked > 0)
    all.warnings.push_back(text(NW_TR("{0}: {1} images have no category and are left out"), where, unmarked));
  return all;
}

}  // namespace

Result<ImageListing> parse_coco(std::string_view text_of_file, const fs::path& file, TargetKind kind) {
  const std::string where = file.string();
  NW_ASSIGN(const Json json, parse_json(text_of_file, where, list_limits));
  JsonReader r(json, where);
  const Json *images = r.child("images", Json::value_t::array),
             *annotations = r.child("annotations", Json::value_t::array),
             *list = r.child("categories", Json::value_t::array);
  NW_TRY(r.status());
  if (!images || !annotations || !list)
    return fail(Errc::bad_input,
                NW_TR("{0}: is no list of COCO; \"images\", \"annotations\" and \"categories\" are needed"), where);
  NW_ASSIGN(const std::vector<Category> categories, categories_of(*list, where));
  NW_ASSIGN(Pictures pictures, pictures_of(*images, where));
  NW_TRY(annotate(*annotations, categories, pictures, where));
  const bool labels = kind == TargetKind::labels;
  if (!labels &&
      std::any_of(pictures.begin(), pictures.end(), [](const auto& p) { return p.second.classes.size() > 1; }))
    return several(pictures, categories, where);
  if (labels && categories.size() > most_targets)
    return fail(Errc::bad_input, NW_TR("{0}: has {1} categories"), where, categories.size());
  const fs::path folder = pictures.empty() ? fs::path() : image_folder(file, pictures.begin()->second.file);
  ImageListing all = labels ? labelled(pictures, categories, folder) : classified(pictures, categories, folder, where);
  if (annotations->empty() || all.train.empty())
    return fail(Errc::bad_input, NW_TR("{0}: no image has a category"), where);
  if (labels) group_by_targets(all);
  all.description = file.filename().string();
  all.place = where;
  return all;
}

namespace {

Result<ImageListing> read_coco(const fs::path& place, const fs::path& test_place, TargetKind kind) {
  NW_ASSIGN(const std::string text, read_file(place, coco_limit_bytes));
  NW_ASSIGN(ImageListing all, parse_coco(text, place, kind));
  if (test_place.empty()) return all;
  NW_ASSIGN(const std::string test_text, read_file(test_place, coco_limit_bytes));
  NW_ASSIGN(ImageListing test, parse_coco(test_text, test_place, kind));
  const bool labels = kind == TargetKind::labels;
  if (labels ? test.target_names != all.target_names : test.classes != all.classes)
    return fail(Errc::bad_input, NW_TR("{0} and {1} have different categories"), place.string(), test_place.string());
  all.test = std::move(test.train);
  all.warnings.insert(all.warnings.end(), test.warnings.begin(), test.warnings.end());
  if (labels) group_by_targets(all);  // over the training and the test set
  return all;
}

Result<SourceReading> read(const DataChoice& c, const fs::path& data_dir) {
  return listing_reading(c, data_dir, read_coco);
}

bool recognize(const fs::path& place) { return is_file_named(place, {".json"}); }

constexpr SourceOption options[] = {{.id = "coco_file",
                                     .label = NW_TR("List"),
                                     .help = NW_TR("COCO's JSON: images, annotations, categories."),
                                     .kind = SourceOption::Kind::file,
                                     .empty = NW_TR("choose a file"),
                                     .text = &DataChoice::path},
                                    source_options::test_file,
                                    source_options::width,
                                    source_options::height,
                                    source_options::resize,
                                    source_options::channels};

}  // namespace

extern const DataSource coco_source{.kind = SourceKind::coco,
                                    .title = NW_TR("COCO list"),
                                    .command_line = "coco",
                                    .order = 50,
                                    .options = options,
                                    .classes_only = false,
                                    .lists_files = true,
                                    .recognize = recognize,
                                    .read = read};

}  // namespace nw
