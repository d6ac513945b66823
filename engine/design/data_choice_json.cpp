// SPDX-License-Identifier: Apache-2.0
// JSON of the data choice.
#include <algorithm>
#include <limits>

#include "engine/design/data_source.hpp"
#include "engine/design/json_rows.hpp"
#include "engine/design/project_file.hpp"

namespace nw {
namespace {

using namespace json_rows;

using D = DataChoice;
constexpr std::array<Whole<D>, 5> data_whole = {{{"channels", &D::channels, 0, 64},
                                                 {"height", &D::height, 0, 4096},
                                                 {"width", &D::width, 0, 4096},
                                                 {"synthetic_train", &D::synthetic_train, 1, 10'000'000},
                                                 {"synthetic_test", &D::synthetic_test, 1, 10'000'000}}};
constexpr std::array<Real<D>, 2> data_real = {
    {{"validation_fraction", &D::validation_fraction, 0, 0.95}, {"test_fraction", &D::test_fraction, 0, 0.95}}};
constexpr std::array<Flag<D>, 2> data_flags = {{{"stratified", &D::stratified}, {"normalize", &D::normalize}}};
constexpr std::array<Word<D>, 6> data_words = {{{"path", &D::path},
                                                {"labels_path", &D::labels_path},
                                                {"test_path", &D::test_path},
                                                {"test_labels_path", &D::test_labels_path},
                                                {"target_column", &D::target_column},
                                                {"target", &D::target}}};

SourceKind source_kind(JsonReader& r, SourceKind otherwise) {
  const std::string name = r.string_or("kind", std::string(otherwise.name()));
  if (const DataSource* known = find_source(name)) return known->kind;
  r.problem(text(NW_TR("has {0} \"{1}\", which this version does not support"), "kind", name.substr(0, 80)));
  return otherwise;
}

bool known(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// The list under `key`: a finite number for each channel, above `least`.
Status read_channels(JsonReader& r, const char* key, double least, std::vector<float>& values) {
  constexpr std::size_t most = 16;
  if (!r.has(key)) return {};
  const Json* list = r.child(key, Json::value_t::array);
  if (!list) return r.status();
  for (const Json& v : *list) {
    const double value = v.is_number() ? v.get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(value > least && value < 1e6) || values.size() == most)
      return fail(Errc::bad_input, NW_TR("{0}.{1} must be a list of at most {2} numbers above {3}"), r.where(), key,
                  most, least);
    values.push_back(static_cast<float>(value));
  }
  return {};
}

Status read_normalization(JsonReader& r, DataChoice& d) {
  NW_TRY(read_channels(r, "mean", -1e6, d.mean));
  NW_TRY(read_channels(r, "deviation", 1e-6, d.deviation));
  if (d.mean.size() != d.deviation.size())
    return fail(Errc::bad_input, NW_TR("{0}.mean and deviation must list the same channels"), r.where());
  return {};
}

Status read_excluded(JsonReader& r, std::vector<std::string>& excluded) {
  if (!r.has("excluded")) return {};  // older projects
  const Json* list = r.child("excluded", Json::value_t::array);
  if (!list) return r.status();
  if (list->size() > most_excluded)
    return fail(Errc::bad_input, NW_TR("{0}.excluded has more than {1} names"), r.where(), most_excluded);
  for (const Json& name : *list) {
    if (!name.is_string() || name.get_ref<const std::string&>().size() > longest_sample_name)
      return fail(Errc::bad_input, NW_TR("{0}.excluded must be a list of names of samples"), r.where());
    excluded.push_back(name.get<std::string>());
  }
  return {};
}

/// The key is absent in files of versions that knew one way to resize.
constexpr const char* resize_of_old_files = "area";

}  // namespace

std::string_view name_of(TargetKind kind) {
  switch (kind) {
    case TargetKind::classes:
      return "classes";
    case TargetKind::labels:
      return "labels";
    case TargetKind::values:
      return "values";
  }
  return "";
}

Json to_json(const DataChoice& d) {
  Json j = Json::object();
  j["kind"] = d.kind.name();
  j["split_seed"] = d.split_seed;
  write(j, d, data_whole);
  write(j, d, data_real);
  write(j, d, data_flags);
  write(j, d, data_words);
  if (d.resize != resize_of_old_files) j["resize"] = d.resize;
  if (!d.excluded.empty()) j["excluded"] = d.excluded;
  if (d.synthetic_set != DataChoice().synthetic_set) j["synthetic_set"] = d.synthetic_set;
  if (!d.group_by.empty()) j["group_by"] = d.group_by;  // the key is absent without a group, as in older files
  if (!d.split_file.empty()) j["split_file"] = d.split_file;
  if (!d.mean.empty()) j["mean"] = d.mean;
  if (!d.deviation.empty()) j["deviation"] = d.deviation;
  return j;
}

Result<DataChoice> data_from_json(const Json& json, std::string_view where) {
  JsonReader r(json, std::string(where));
  DataChoice d;
  d.kind = source_kind(r, d.kind);
  d.split_seed = seed(r, "split_seed", d.split_seed);
  read(r, d, data_whole);
  read(r, d, data_real);
  read(r, d, data_flags);
  read(r, d, data_words);
  d.synthetic_set = r.string_or("synthetic_set", d.synthetic_set);
  d.resize = r.string_or("resize", resize_of_old_files);
  if (!known(d.resize, {"bilinear", "area", "nearest"}))
    r.problem(text(NW_TR("has resize \"{0}\"; known are bilinear, area and nearest"), d.resize.substr(0, 80)));
  if (!known(d.target, {"class", "odd", "coarse", "labels", "values"}))
    r.problem(
        text(NW_TR("has target \"{0}\"; known are class, odd, coarse, labels and values"), d.target.substr(0, 80)));
  if (!known(d.synthetic_set, {"digits", "shapes", "two_moons"}))
    r.problem(text(NW_TR("has synthetic_set \"{0}\"; known are digits, shapes and two_moons"),
                   d.synthetic_set.substr(0, 80)));
  d.group_by = r.string_or("group_by", "");
  d.split_file = r.string_or("split_file", "");
  if (!d.group_by.empty() && d.group_by != "folder" && d.group_by != "name")
    r.problem(text(NW_TR("has group_by \"{0}\"; known are folder and name"), d.group_by.substr(0, 80)));
  NW_TRY(read_normalization(r, d));
  std::vector<std::string> excluded;
  NW_TRY(read_excluded(r, excluded));
  exclude(d, excluded);
  NW_TRY(r.status());
  return d;
}

}  // namespace nw
