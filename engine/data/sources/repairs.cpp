// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/repairs.hpp"

#include <algorithm>

#include "engine/data/sources/photo_survey.hpp"
#include "engine/data/sources/recognise.hpp"
#include "engine/design/data_source.hpp"
#include "kernels/nested_text.hpp"

namespace nw {
namespace {

constexpr std::size_t most_repairs = 3;

/// The files are of another kind than the chosen one.
void offer_kind(const DataChoice& c, std::vector<DataRepair>& repairs) {
  const auto kind = c.path.empty() ? std::nullopt : recognise(c.path, c.kind);
  if (!kind || *kind == c.kind) return;
  const DataSource& source = *find_source(kind->name());
  DataChoice data = c;
  data.kind = *kind;
  if (source.complete) source.complete(data);
  repairs.push_back({text(NW_TR("Read as \"{0}\""), nested(text(source.title))), std::move(data)});
}

/// A folder next to the chosen one has the class folders.
void offer_folder(const DataChoice& c, std::vector<DataRepair>& repairs) {
  if (c.path.empty() || !(c.kind == SourceKind::image_folder || find_source(c.kind.name())->built_in)) return;
  const auto folder = folder_of_classes(c.path);
  if (!folder || *folder == fs::path(c.path)) return;
  DataChoice data = c;
  data.kind = SourceKind::image_folder;
  data.path = folder->string();
  repairs.push_back({text(NW_TR("Use {0}"), folder->string()), std::move(data)});
}

/// Without an option that may be the cause.
void offer_without_options(const DataChoice& c, std::vector<DataRepair>& repairs) {
  const auto offer = [&](Text label, std::string DataChoice::*member, const char* value) {
    if (c.*member == value) return;
    DataChoice data = c;
    data.*member = value;
    repairs.push_back({std::move(label), std::move(data)});
  };
  std::error_code ignored;
  if (!fs::exists(c.test_path, ignored))
    offer(text(NW_TR("Hold test images out of the training images")), &DataChoice::test_path, "");
  offer(text(NW_TR("Split at random instead of by the table")), &DataChoice::split_file, "");
  if (c.kind == SourceKind::csv) offer(text(NW_TR("Use the first column")), &DataChoice::target_column, "");
  if (c.kind == SourceKind::cifar) offer(text(NW_TR("Learn the class")), &DataChoice::target, "class");
}

void offer_usual_folders(const DataChoice& c, std::vector<DataRepair>& repairs) {
  const DataSource& source = *find_source(c.kind.name());
  if (!source.built_in || c.path.empty()) return;
  DataChoice data = c;
  data.path.clear();
  repairs.push_back({text(NW_TR("Search {0} in the usual folders"), source.describe ? source.describe(data).str() : ""),
                     std::move(data)});
}

DataRepair synthetic_digits() {
  DataChoice data;
  data.kind = SourceKind::synthetic;
  return {text(NW_TR("Use synthetic digits")), std::move(data)};
}

}  // namespace

std::vector<DataRepair> data_repairs(const DataChoice& c) {
  std::vector<DataRepair> repairs;
  if (find_source(c.kind.name())) {
    offer_kind(c, repairs);
    offer_folder(c, repairs);
    offer_without_options(c, repairs);
    offer_usual_folders(c, repairs);
  }
  if (repairs.size() >= most_repairs) repairs.resize(most_repairs - 1);
  repairs.push_back(synthetic_digits());
  return repairs;
}

std::vector<DataRepair> size_choices(const DataChoice& c, const std::vector<PixelSize>& sizes) {
  std::vector<DataRepair> choices;
  const DataSource* source = find_source(c.kind.name());
  if (!source || !find_option(*source, "width")) return choices;
  for (auto size = sizes.begin(); size != sizes.end(); ++size) {
    if (size->height < 1 || size->width < 1 || std::find(sizes.begin(), size, *size) != size) continue;
    DataChoice data = c;
    data.height = size->height;
    data.width = size->width;
    choices.push_back(
        {text(NW_TR("Resize images to {0}"), fmt::format("{}×{}", size->height, size->width)), std::move(data)});
  }
  return choices;
}

}  // namespace nw
