// SPDX-License-Identifier: Apache-2.0
// JSON of the data choice and the training settings. One table of members serves writing, reading and the range check.
#include <algorithm>
#include <array>

#include "engine/core/enum_names.hpp"
#include "engine/core/path_text.hpp"
#include "engine/design/data_source.hpp"
#include "engine/design/precision.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/transform.hpp"
#include "kernels/optimizer.hpp"

namespace nw {
namespace {

template <class S>
struct Whole {
  const char* name;
  std::int64_t S::*member;
  std::int64_t lo, hi;
};
template <class S>
struct Real {
  const char* name;
  double S::*member;
  double lo, hi;
};
template <class S>
struct Flag {
  const char* name;
  bool S::*member;
};
template <class S>
struct Word {
  const char* name;
  std::string S::*member;
};

using T = TrainSettings;
constexpr std::array<Whole<T>, 8> train_whole = {{{"epochs", &T::epochs, 1, 1'000'000},
                                                  {"batch", &T::batch, 1, 1 << 20},
                                                  {"step_epochs", &T::step_epochs, 1, 1'000'000},
                                                  {"crop_padding", &T::crop_padding, 0, 1024},
                                                  {"checkpoint_epochs", &T::checkpoint_epochs, 1, 1'000'000},
                                                  {"keep_checkpoints", &T::keep_checkpoints, 1, 1'000'000},
                                                  {"early_stopping_epochs", &T::early_stopping_epochs, 0, 1'000'000},
                                                  {"threads", &T::threads, 0, 4096}}};
constexpr double huge = 1e30;
constexpr std::array<Real<T>, 8> train_real = {{{"learning_rate", &T::learning_rate, 0, huge},
                                                {"l1", &T::l1, 0, huge},
                                                {"l2", &T::l2, 0, huge},
                                                {"clip_norm", &T::clip_norm, 0, huge},
                                                {"clip_value", &T::clip_value, 0, huge},
                                                {"step_gamma", &T::step_gamma, 0, 1e6},
                                                {"min_learning_rate", &T::min_learning_rate, 0, huge},
                                                {"warmup_epochs", &T::warmup_epochs, 0, 1e6}}};
constexpr std::array<Flag<T>, 4> train_flags = {{{"decay_bias_and_norm", &T::decay_bias_and_norm},
                                                 {"sync_batch_norm", &T::sync_batch_norm},
                                                 {"random_crop", &T::random_crop},
                                                 {"horizontal_flip", &T::horizontal_flip}}};

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

template <class S, std::size_t N>
void write(Json& j, const S& s, const std::array<Whole<S>, N>& table) {
  for (const auto& row : table) j[row.name] = s.*row.member;
}
template <class S, std::size_t N>
void write(Json& j, const S& s, const std::array<Real<S>, N>& table) {
  for (const auto& row : table) j[row.name] = s.*row.member;
}
template <class S, std::size_t N>
void write(Json& j, const S& s, const std::array<Flag<S>, N>& table) {
  for (const auto& row : table) j[row.name] = s.*row.member;
}
template <class S, std::size_t N>
void write(Json& j, const S& s, const std::array<Word<S>, N>& table) {
  for (const auto& row : table) j[row.name] = path_to_text(s.*row.member);
}

template <class S, std::size_t N>
void read(JsonReader& r, S& s, const std::array<Whole<S>, N>& table) {
  for (const auto& row : table) s.*row.member = r.integer_or(row.name, s.*row.member, row.lo, row.hi);
}
template <class S, std::size_t N>
void read(JsonReader& r, S& s, const std::array<Real<S>, N>& table) {
  for (const auto& row : table) {
    s.*row.member = r.real_or(row.name, s.*row.member);
    if (!(s.*row.member >= row.lo && s.*row.member <= row.hi))
      r.problem(text(NW_TR("has {0} outside of {1} to {2}"), row.name, row.lo, row.hi));
  }
}
template <class S, std::size_t N>
void read(JsonReader& r, S& s, const std::array<Flag<S>, N>& table) {
  for (const auto& row : table) s.*row.member = r.boolean_or(row.name, s.*row.member);
}
template <class S, std::size_t N>
void read(JsonReader& r, S& s, const std::array<Word<S>, N>& table) {
  for (const auto& row : table) s.*row.member = text_to_path(r.string_or(row.name, path_to_text(s.*row.member)));
}

template <class E>
E word(JsonReader& r, const char* key, E otherwise) {
  const std::string name = r.string_or(key, std::string(name_of(otherwise)));
  if (const auto known = named<E>(name)) return *known;
  r.problem(text(NW_TR("has {0} \"{1}\", which this version does not support"), key, name.substr(0, 80)));
  return otherwise;
}

/// The fields of all optimizers, the chosen one's first: a name that several optimizers share has the chosen one's
/// range and default.
std::vector<const OptimizerField*> all_fields(const OptimizerChoice& choice) {
  std::vector<const OptimizerField*> all;
  const auto add = [&](const Optimizer& o) {
    for (const OptimizerField& f : o.fields)
      if (std::none_of(all.begin(), all.end(), [&](const OptimizerField* known) { return known->name == f.name; }))
        all.push_back(&f);
  };
  if (const Optimizer* chosen = find_optimizer(choice.name())) add(*chosen);
  for (const Optimizer& o : all_optimizers()) add(o);
  return all;
}

Json number_json(const OptimizerField& f, double value) {
  switch (f.kind) {
    case OptimizerField::Kind::real:
      return value;
    case OptimizerField::Kind::boolean:
      return value != 0;
  }
  return {};
}
double read_number(JsonReader& r, const OptimizerField& f) {
  switch (f.kind) {
    case OptimizerField::Kind::real:
      break;
    case OptimizerField::Kind::boolean:
      return r.boolean_or(f.name, f.otherwise != 0) ? 1 : 0;
  }
  const double value = r.real_or(f.name, f.otherwise);
  if (!(value >= f.lo && value <= f.hi)) r.problem(text(NW_TR("has {0} outside of {1} to {2}"), f.name, f.lo, f.hi));
  return value;
}

/// Writes the fields of the chosen optimizer, and set values of other optimizers' fields.
void write(Json& j, const OptimizerChoice& choice) {
  j["optimizer"] = choice.name();
  const Optimizer* chosen = find_optimizer(choice.name());
  for (const OptimizerField* f : all_fields(choice)) {
    const auto set = choice.set_values().find(f->name);
    if (chosen && find_field(*chosen, f->name))
      j[std::string(f->name)] = number_json(*f, choice.value(f->name));
    else if (set != choice.set_values().end())
      j[std::string(f->name)] = number_json(*f, set->second);
  }
}

OptimizerChoice optimizer(JsonReader& r) {
  OptimizerChoice choice;
  const std::string name = r.string_or("optimizer", choice.name());
  if (!find_optimizer(name))
    r.problem(text(NW_TR("has {0} \"{1}\", which this version does not support"), "optimizer", name.substr(0, 80)));
  choice.choose(name);
  for (const OptimizerField* f : all_fields(choice))
    if (r.has(f->name)) choice.set(f->name, read_number(r, *f));
  return choice;
}

SourceKind source_kind(JsonReader& r, SourceKind otherwise) {
  const std::string name = r.string_or("kind", std::string(otherwise.name()));
  if (const DataSource* known = find_source(name)) return known->kind;
  r.problem(text(NW_TR("has {0} \"{1}\", which this version does not support"), "kind", name.substr(0, 80)));
  return otherwise;
}

DType precision(JsonReader& r, DType otherwise) {
  const std::string name = r.string_or("precision", precision_name(otherwise));
  if (const auto known = precision_named(name)) return *known;
  r.problem(text(NW_TR("has {0} \"{1}\", which this version does not support"), "precision", name.substr(0, 80)));
  return otherwise;
}

/// A seed uses all 64 bits, so it is not read as a signed integer.
std::uint64_t seed(JsonReader& r, const char* key, std::uint64_t otherwise) {
  if (!r.has(key)) return otherwise;
  const Json& v = r.json()[key];
  if (v.is_number_unsigned()) return v.get<std::uint64_t>();
  r.problem(text(NW_TR("has a {0} that is no whole number from 0"), key));
  return otherwise;
}

Status read_devices(JsonReader& r, std::vector<std::string>& devices) {
  const Json* list = r.child("devices", Json::value_t::array);
  if (!list) return r.status();
  devices.clear();
  for (const Json& name : *list) {
    if (!name.is_string() || name.get<std::string>().size() > 64 || devices.size() >= 64)
      return fail(Errc::bad_input, NW_TR("{0}.devices must be a list of at most 64 names"), r.where());
    devices.push_back(name.get<std::string>());
  }
  if (devices.empty()) return fail(Errc::bad_input, NW_TR("{0}.devices is empty"), r.where());
  return {};
}

Json to_json(const Transform& t) {
  Json j = Json{{"type", t.type}};
  const TransformType* type = find_transform(t.type);
  for (std::size_t i = 0; type && i < t.values.size() && i < type->fields.size(); ++i) {
    if (type->fields[i].whole)
      j[type->fields[i].name] = static_cast<std::int64_t>(t.values[i]);
    else
      j[type->fields[i].name] = t.values[i];
  }
  return j;
}

Transform read_transform(JsonReader& r) {
  const std::string name = r.string("type");
  const TransformType* type = find_transform(name);
  if (!type) {
    r.problem(text(NW_TR("has {0} \"{1}\", which this version does not support"), "type", name.substr(0, 80)));
    return {};
  }
  Transform t = default_transform(*type);
  for (std::size_t i = 0; i < t.values.size(); ++i) {
    const TransformField& f = type->fields[i];
    t.values[i] =
        f.whole ? static_cast<double>(r.integer_or(f.name, static_cast<std::int64_t>(f.otherwise),
                                                   static_cast<std::int64_t>(f.lo), static_cast<std::int64_t>(f.hi)))
                : r.real_or(f.name, f.otherwise);
    if (!(t.values[i] >= f.lo && t.values[i] <= f.hi))
      r.problem(text(NW_TR("has {0} outside of {1} to {2}"), f.name, f.lo, f.hi));
  }
  return t;
}

Status read_transforms(JsonReader& r, std::vector<Transform>& transforms) {
  const Json* list = r.child("transforms", Json::value_t::array);
  if (!list) return r.status();
  if (list->size() > most_transforms)
    return fail(Errc::bad_input, NW_TR("{0}.transforms lists more than {1}"), r.where(), most_transforms);
  transforms.clear();
  for (const Json& item : *list) {
    JsonReader one(item, r.where() + ".transforms[" + std::to_string(transforms.size()) + "]");
    transforms.push_back(read_transform(one));
    NW_TRY(one.status());
  }
  return {};
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

}  // namespace

std::string_view name_of(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::constant:
      return "constant";
    case ScheduleKind::step:
      return "step";
    case ScheduleKind::cosine:
      return "cosine";
  }
  return "";
}

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

namespace {
/// The key is absent in files of versions that knew one way to resize.
constexpr const char* resize_of_old_files = "area";
}  // namespace

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

Json to_json(const TrainSettings& s) {
  Json j = Json::object();
  write(j, s.optimizer);
  j["schedule"] = name_of(s.schedule);
  j["precision"] = precision_name(s.precision);
  j["seed"] = s.seed;
  j["devices"] = s.devices;
  write(j, s, train_whole);
  write(j, s, train_real);
  write(j, s, train_flags);
  // the key is absent if empty, as in older files
  for (const Transform& t : s.transforms) j["transforms"].push_back(to_json(t));
  return j;
}

Json known_settings(const TrainSettings& s) {
  Json j = to_json(s);
  for (const OptimizerField* f : all_fields(s.optimizer)) j.emplace(std::string(f->name), nullptr);
  return j;
}

Result<TrainSettings> settings_from_json(const Json& json, std::string_view where) {
  JsonReader r(json, std::string(where));
  TrainSettings s;
  s.optimizer = optimizer(r);
  s.schedule = word(r, "schedule", s.schedule);
  s.precision = precision(r, s.precision);
  s.seed = seed(r, "seed", s.seed);
  read(r, s, train_whole);
  read(r, s, train_real);
  read(r, s, train_flags);
  NW_TRY(read_devices(r, s.devices));
  NW_TRY(read_transforms(r, s.transforms));
  NW_TRY(r.status());
  return s;
}

}  // namespace nw
