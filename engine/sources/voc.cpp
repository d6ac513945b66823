// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <map>

#include "engine/data/sources/image_list.hpp"
#include "engine/data/sources/source_options.hpp"
#include "engine/data/sources/targets.hpp"

namespace nw {
namespace {

constexpr std::uint64_t list_limit_bytes = std::uint64_t{256} << 20;
constexpr std::size_t most_lines = 4'000'000, longest_name = 255;

std::string_view next_word(std::string_view& line) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  std::size_t begin = 0, end = 0;
  while (begin < line.size() && blank(line[begin])) ++begin;
  for (end = begin; end < line.size() && !blank(line[end]); ++end) {}
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

/// "cat" and "train" of "cat_train.txt"; empty if the name has another form.
struct VocListName {
  std::string of, part;
};
VocListName name_of_list(const fs::path& file) {
  const std::string stem = file.stem().string();
  const std::size_t at = stem.rfind('_');
  if (file.extension() != ".txt" || at == std::string::npos || at == 0) return {};
  return {stem.substr(0, at), stem.substr(at + 1)};
}

Result<std::vector<VocLine>> read_list(const fs::path& file) {
  NW_ASSIGN(const std::string text, read_file(file, list_limit_bytes));
  return parse_voc_list(text, file.string());
}

fs::path picture(const fs::path& lists, const std::string& name) {
  return lists.parent_path().parent_path() / "JPEGImages" / (name + ".jpg");
}

/// The list of one class as a binary data set: the class, or not.
Result<std::vector<ImageListing::Image>> one_against_rest(const fs::path& file) {
  NW_ASSIGN(const auto lines, read_list(file));
  std::vector<ImageListing::Image> images;
  for (const VocLine& line : lines)
    if (line.mark != 0) images.push_back({picture(file.parent_path(), line.name), line.mark > 0 ? 1 : 0});
  return images;
}

std::map<std::string, fs::path> lists_of(const fs::path& lists, const std::string& part) {
  std::map<std::string, fs::path> found;  // by class
  std::error_code error;
  for (fs::directory_iterator it(lists, error), end; !error && it != end; it.increment(error))
    if (const VocListName name = name_of_list(it->path()); !name.of.empty() && name.part == part)
      found[name.of] = it->path();
  return found;
}

/// The lists of all classes of a split as one: the class of an image is the one whose list marks it with 1.
Result<std::vector<ImageListing::Image>> all_classes(const fs::path& lists, const std::string& part,
                                                     const std::vector<std::string>& classes,
                                                     std::vector<Text>& warnings) {
  std::map<std::string, std::int64_t> label_of;
  std::string first;
  std::size_t several = 0, unmarked = 0;
  std::map<std::string, bool> seen;  // image → whether at least one list marks it
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const fs::path file = lists / (classes[c] + "_" + part + ".txt");
    NW_ASSIGN(const auto lines, read_list(file));
    for (const VocLine& line : lines) {
      bool& marked = seen[line.name];
      if (line.mark <= 0) continue;
      if (marked && ++several == 1) first = line.name;
      marked = true;
      label_of.emplace(line.name, static_cast<std::int64_t>(c));
    }
  }
  if (several > 0)
    return fail(Errc::bad_input,
                NW_TR("{0}: {1} images have more than one class, the first is {2}; choose labels as the target, or the "
                      "list of one class, such as {3}, to train for that class only"),
                lists.string(), several, first, (lists / (classes[0] + "_" + part + ".txt")).string());
  std::vector<ImageListing::Image> images;
  for (const auto& [name, marked] : seen) {
    if (!marked)
      ++unmarked;
    else
      images.push_back({picture(lists, name), label_of.at(name)});
  }
  if (unmarked > 0)
    warnings.push_back(
        text(NW_TR("{0}: {1} images of the part {2} have no class and are left out"), lists.string(), unmarked, part));
  return images;
}

/// The lists of all classes of a split as multi-label data: an image has each label whose list does not mark it with
/// -1.
Result<std::vector<ImageListing::Image>> all_labels(const fs::path& lists, const std::string& part,
                                                    const std::vector<std::string>& names) {
  std::map<std::string, std::vector<float>> targets;
  for (std::size_t c = 0; c < names.size(); ++c) {
    NW_ASSIGN(const auto lines, read_list(lists / (names[c] + "_" + part + ".txt")));
    for (const VocLine& line : lines) {
      std::vector<float>& row = targets[line.name];
      row.resize(names.size(), 0.0F);
      if (line.mark >= 0) row[c] = 1;
    }
  }
  std::vector<ImageListing::Image> images;
  for (auto& [name, row] : targets) images.push_back({.file = picture(lists, name), .targets = std::move(row)});
  return images;
}

Result<ImageListing> open_labels(const fs::path& folder) {
  const fs::path lists = folder / "ImageSets" / "Main";
  ImageListing all;
  all.target_kind = TargetKind::labels;
  for (const auto& [name, file] : lists_of(lists, "train")) all.target_names.push_back(name);
  if (all.target_names.empty() || all.target_names.size() > most_targets)
    return fail(Errc::bad_input, NW_TR("{0}: has no lists of classes (ImageSets/Main/cat_train.txt and such)"),
                folder.string());
  NW_ASSIGN(all.train, all_labels(lists, "train", all.target_names));
  for (const char* part : {"test", "val"}) {
    const auto held = lists_of(lists, part);
    if (!all.test.empty() || !std::all_of(all.target_names.begin(), all.target_names.end(),
                                          [&](const std::string& c) { return held.contains(c); }))
      continue;
    NW_ASSIGN(all.test, all_labels(lists, part, all.target_names));
  }
  group_by_targets(all);
  return all;
}

Result<ImageListing> open_folder(const fs::path& folder) {
  const fs::path lists = folder / "ImageSets" / "Main";
  ImageListing all;
  for (const auto& [name, file] : lists_of(lists, "train")) all.classes.push_back(name);
  if (all.classes.empty())
    return fail(Errc::bad_input, NW_TR("{0}: has no lists of classes (ImageSets/Main/cat_train.txt and such)"),
                folder.string());
  NW_ASSIGN(all.train, all_classes(lists, "train", all.classes, all.warnings));
  for (const char* part : {"test", "val"}) {
    const auto held = lists_of(lists, part);
    if (!all.test.empty() ||
        !std::all_of(all.classes.begin(), all.classes.end(), [&](const std::string& c) { return held.contains(c); }))
      continue;
    NW_ASSIGN(all.test, all_classes(lists, part, all.classes, all.warnings));
  }
  return all;
}

}  // namespace

Result<std::vector<VocLine>> parse_voc_list(std::string_view text, const std::string& name) {
  std::vector<VocLine> all;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view image = next_word(line), mark = next_word(line), rest = next_word(line);
    if (image.empty()) continue;
    int value = 2;
    const auto [stop, error] = std::from_chars(mark.data(), mark.data() + mark.size(), value);
    if (error != std::errc() || stop != mark.data() + mark.size() || value < -1 || value > 1 || !rest.empty())
      return fail(Errc::bad_input,
                  NW_TR("{0}, line {1}: is no line of VOC's lists; an image's name and 1, 0 or -1 are needed"), name,
                  number);
    if (image.size() > longest_name || image.find('/') != std::string_view::npos ||
        image.find('\0') != std::string_view::npos || image.starts_with('.'))
      return fail(Errc::bad_input, NW_TR("{0}, line {1}: the image's name is a path or too long"), name, number);
    if (all.size() >= most_lines)
      return fail(Errc::bad_input, NW_TR("{0}, line {1}: more than {2} images; split the list"), name, number,
                  most_lines);
    all.push_back({std::string(image), value});
  }
  if (all.empty()) return fail(Errc::bad_input, NW_TR("{0}: lists no image"), name);
  return all;
}

namespace {

Result<ImageListing> open_voc(const fs::path& place, const fs::path& test_place, TargetKind kind) {
  std::error_code ignored;
  ImageListing all;
  if (fs::is_directory(place, ignored)) {
    NW_ASSIGN(all, kind == TargetKind::labels ? open_labels(place) : open_folder(place));
  } else {
    const VocListName name = name_of_list(place);
    all.classes = {"not " + (name.of.empty() ? place.stem().string() : name.of),
                   name.of.empty() ? place.stem().string() : name.of};
    NW_ASSIGN(all.train, one_against_rest(place));
  }
  if (!test_place.empty()) {
    if (fs::is_directory(place, ignored))
      return fail(Errc::bad_input, NW_TR("{0}: a VOC folder contains its own test lists; leave the test file empty"),
                  place.string());
    NW_ASSIGN(all.test, one_against_rest(test_place));
  }
  all.description = place.filename().string();
  all.place = place.string();
  return all;
}

Result<SourceReading> read(const DataChoice& c, const fs::path& data_dir) {
  return listing_reading(c, data_dir, open_voc);
}

bool recognize(const fs::path& place) {
  std::error_code ignored;
  return fs::is_directory(place, ignored) ? fs::is_directory(place / "ImageSets" / "Main", ignored)
                                          : is_file_named(place, {".txt"}) && place.parent_path().filename() == "Main";
}

constexpr SourceOption options[] = {
    {.id = "voc_folder",
     .label = NW_TR("Folder"),
     .help = NW_TR(
         "The folder with ImageSets and JPEGImages, or one class' list, such as cat_train.txt: that class or not."),
     .kind = SourceOption::Kind::folder,
     .empty = NW_TR("choose a folder"),
     .text = &DataChoice::path},
    source_options::test_file,
    source_options::width,
    source_options::height,
    source_options::resize,
    source_options::channels};

}  // namespace

extern const DataSource voc_source{.kind = SourceKind::voc,
                                   .title = NW_TR("VOC lists"),
                                   .command_line = "voc",
                                   .order = 40,
                                   .options = options,
                                   .classes_only = false,
                                   .lists_files = true,
                                   .recognize = recognize,
                                   .read = read};

}  // namespace nw
