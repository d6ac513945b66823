// SPDX-License-Identifier: Apache-2.0
// JSON of the training settings.
#include <algorithm>

#include "engine/core/json_part.hpp"
#include "engine/design/json_rows.hpp"
#include "engine/design/precision.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/transform.hpp"
#include "kernels/optimizer.hpp"

namespace nw {
namespace {

using namespace json_rows;

using T = TrainSettings;
constexpr std::array<Whole<T>, 14> train_whole = {{{"epochs", &T::epochs, 1, 1'000'000},
                                                   {"batch", &T::batch, 1, 1 << 20},
                                                   {"accumulate", &T::accumulate, 1, 4096},
                                                   {"restart_epochs", &T::restart_epochs, 1, 1'000'000},
                                                   {"restart_factor", &T::restart_factor, 1, 1000},
                                                   {"plateau_epochs", &T::plateau_epochs, 0, 1'000'000},
                                                   {"step_epochs", &T::step_epochs, 1, 1'000'000},
                                                   {"crop_padding", &T::crop_padding, 0, 1024},
                                                   {"checkpoint_epochs", &T::checkpoint_epochs, 1, 1'000'000},
                                                   {"keep_checkpoints", &T::keep_checkpoints, 1, 1'000'000},
                                                   {"early_stopping_epochs", &T::early_stopping_epochs, 0, 1'000'000},
                                                   {"swa_start", &T::swa_start, 0, 1'000'000},
                                                   {"swa_anneal_epochs", &T::swa_anneal_epochs, 0, 1'000'000},
                                                   {"threads", &T::threads, 0, 4096}}};
// keys that are absent where the value is the default, as in older files
constexpr std::array<Whole<T>, 1> newer_whole = {{{"micro_batches", &T::micro_batches, 1, 4096}}};
constexpr double huge = 1e30;
constexpr std::array<Real<T>, 18> train_real = {{{"learning_rate", &T::learning_rate, 0, huge},
                                                 {"l1", &T::l1, 0, huge},
                                                 {"l2", &T::l2, 0, huge},
                                                 {"clip_norm", &T::clip_norm, 0, huge},
                                                 {"clip_value", &T::clip_value, 0, huge},
                                                 {"step_gamma", &T::step_gamma, 0, 1e6},
                                                 {"min_learning_rate", &T::min_learning_rate, 0, huge},
                                                 {"warmup_epochs", &T::warmup_epochs, 0, 1e6},
                                                 {"polynomial_power", &T::polynomial_power, 0, 1000},
                                                 {"pct_start", &T::pct_start, 0, 1},
                                                 {"div_factor", &T::div_factor, 1, 1e9},
                                                 {"final_div_factor", &T::final_div_factor, 1, 1e12},
                                                 {"plateau_gamma", &T::plateau_gamma, 1e-6, 1},
                                                 {"plateau_threshold", &T::plateau_threshold, 0, 1},
                                                 {"min_change", &T::min_change, 0, huge},
                                                 {"ema_decay", &T::ema_decay, 0, 0.999999999},
                                                 {"swa_learning_rate", &T::swa_learning_rate, 0, huge},
                                                 {"augment_strength", &T::augment_strength, 0, 1}}};
constexpr std::array<Flag<T>, 5> train_flags = {{{"decay_bias_and_norm", &T::decay_bias_and_norm},
                                                 {"sync_batch_norm", &T::sync_batch_norm},
                                                 {"swa_linear", &T::swa_linear},
                                                 {"random_crop", &T::random_crop},
                                                 {"horizontal_flip", &T::horizontal_flip}}};

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

Precision precision(JsonReader& r, Precision otherwise) {
  const std::string name = r.string_or("precision", precision_name(otherwise));
  if (const PrecisionName* known = precision_named(name)) return known->type;
  r.problem(text(NW_TR("has {0} \"{1}\", which this version does not support"), "precision", name.substr(0, 80)));
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

}  // namespace

std::string_view name_of(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::constant:
      return "constant";
    case ScheduleKind::step:
      return "step";
    case ScheduleKind::cosine:
      return "cosine";
    case ScheduleKind::one_cycle:
      return "one_cycle";
    case ScheduleKind::polynomial:
      return "polynomial";
    case ScheduleKind::cosine_restarts:
      return "cosine_restarts";
    case ScheduleKind::plateau:
      return "plateau";
  }
  return "";
}

std::string_view name_of(MonitoredFigure monitor) {
  switch (monitor) {
    case MonitoredFigure::validation_accuracy:
      return "validation_accuracy";
    case MonitoredFigure::validation_loss:
      return "validation_loss";
    case MonitoredFigure::train_accuracy:
      return "train_accuracy";
    case MonitoredFigure::train_loss:
      return "train_loss";
  }
  return "";
}

std::string_view name_of(Parallelism p) {
  switch (p) {
    case Parallelism::data:
      return "data";
    case Parallelism::model:
      return "model";
    case Parallelism::sharded:
      return "sharded";
  }
  return "";
}

std::string_view name_of(PipelineSchedule schedule) {
  switch (schedule) {
    case PipelineSchedule::one_forward_one_backward:
      return "1f1b";
    case PipelineSchedule::gpipe:
      return "gpipe";
  }
  return "";
}

Json to_json(const TrainSettings& s) {
  Json j = Json::object();
  write(j, s.optimizer);
  j["schedule"] = name_of(s.schedule);
  j["monitor"] = name_of(s.monitor);
  j["precision"] = precision_name(s.precision);
  j["seed"] = s.seed;
  j["devices"] = s.devices;
  write(j, s, train_whole);
  write(j, s, train_real);
  write(j, s, train_flags);
  const TrainSettings otherwise;
  if (s.micro_batches != otherwise.micro_batches) write(j, s, newer_whole);
  if (s.stages != otherwise.stages) j["stages"] = s.stages;
  if (s.parallel != otherwise.parallel) j["parallel"] = name_of(s.parallel);
  if (s.pipeline != otherwise.pipeline) j["pipeline"] = name_of(s.pipeline);
  // the key is absent if empty, as in older files
  for (const Transform& t : s.transforms) list_in(j, "transforms").push_back(to_json(t));
  return j;
}

Json known_settings(const TrainSettings& s) {
  Json j = to_json(s);
  for (const OptimizerField* f : all_fields(s.optimizer)) j.emplace(std::string(f->name), nullptr);
  for (const char* key : {"micro_batches", "stages", "parallel", "pipeline"}) j.emplace(key, nullptr);
  return j;
}

Result<TrainSettings> settings_from_json(const Json& json, std::string_view where) {
  JsonReader r(json, std::string(where));
  TrainSettings s;
  s.optimizer = optimizer(r);
  s.schedule = word(r, "schedule", s.schedule);
  s.monitor = word(r, "monitor", s.monitor);
  s.parallel = word(r, "parallel", s.parallel);
  s.pipeline = word(r, "pipeline", s.pipeline);
  s.stages = static_cast<std::int32_t>(r.integer_or("stages", s.stages, 0, most_stages));
  s.precision = precision(r, s.precision);
  s.seed = seed(r, "seed", s.seed);
  read(r, s, train_whole);
  read(r, s, newer_whole);
  read(r, s, train_real);
  read(r, s, train_flags);
  NW_TRY(read_devices(r, s.devices));
  NW_TRY(read_transforms(r, s.transforms));
  NW_TRY(r.status());
  return s;
}

}  // namespace nw
