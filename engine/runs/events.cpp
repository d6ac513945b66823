// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/events.hpp"

#include "engine/core/enum_names.hpp"
#include "engine/core/text_json.hpp"
#include "engine/runs/event_numbers.hpp"

namespace nw {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 53;
constexpr std::size_t line_limit = std::size_t{1} << 20;

/// The key under which a value is stored: `old` in lines of version 0.1, which are readable for ever.
std::string_view either(const JsonReader& r, std::string_view key, std::string_view old) {
  return r.json().contains(key) || !r.json().contains(old) ? key : old;
}
std::int64_t count_of(JsonReader& r, std::string_view key) { return r.integer(key, 0, most); }

Json json_of(const Bin& b) { return {{"min", number(b.min)}, {"mean", number(b.mean)}, {"max", number(b.max)}}; }
Bin bin_of(JsonReader& r, std::string_view key) {
  const Json* j = r.child(key, Json::value_t::object);
  if (!j) {
    r.problem(text(NW_TR("{0} is missing"), key));
    return {};
  }
  JsonReader b(*j, r.where());
  const Bin bin{number_of(b, "min"), number_of(b, "mean"), number_of(b, "max")};
  if (!b.status()) r.problem(b.status().error().what);
  return bin;
}
Text text_of(JsonReader& r, std::string_view key) {
  const Json* j = r.child(key, Json::value_t::object);
  if (!j) return {};
  JsonReader t(*j, r.where());
  Text out{t.string("source"), {}};
  if (const Json* args = t.child("args", Json::value_t::array))
    for (const Json& a : *args)
      if (a.is_string() && out.args.size() < 10) out.args.push_back(a.get<std::string>());
  if (!t.status()) r.problem(t.status().error().what);
  return out;
}

// One pair of functions for each kind of event: its fields as JSON, and back.
Json fields(const Started& e) {
  return {{"type", "started"},
          {"time", e.time},
          {"name", e.name},
          {"device", e.device},
          {"epochs", e.epochs},
          {"steps_per_epoch", e.steps_per_epoch},
          {"batch", e.batch},
          {"parameters", e.parameters},
          {"memory_bytes", e.memory_bytes},
          {"train", e.train},
          {"validation", e.validation},
          {"test", e.test},
          {"pid", e.pid},
          {"metric", name_of(e.metric)}};
}
Json fields(const Steps& e) {
  Json j{{"type", "steps"},
         {"last", e.last},
         {"count", e.count},
         {"epoch", number(e.epoch)},
         {"loss", json_of(e.loss)},
         {"accuracy", json_of(e.accuracy)},
         {"learning_rate", number(e.learning_rate)},
         {"images_per_s", number(e.images_per_s)},
         {"grad_norm", number(e.grad_norm)}};
  if (e.penalty != 0) j["penalty"] = number(e.penalty);
  return j;
}
Json fields(const EpochEnd& e) {
  return {{"type", "epoch"},
          {"epoch", e.epoch},
          {"step", e.step},
          {"train_loss", number(e.train_loss)},
          {"train_accuracy", number(e.train_accuracy)},
          {"has_validation", e.has_validation},
          {"validation_loss", number(e.validation_loss)},
          {"validation_accuracy", number(e.validation_accuracy)},
          {"seconds", number(e.seconds)},
          {"images_per_s", number(e.images_per_s)},
          {"best", e.best}};
}
Json fields(const DeviceSample& e) {
  Json gpus = Json::array();
  for (const GpuSample& g : e.gpus)
    gpus.push_back({{"name", g.name},
                    {"utilization", number(g.utilization)},
                    {"memory_used_bytes", number(g.memory_used_bytes)},
                    {"memory_total_bytes", number(g.memory_total_bytes)},
                    {"power_w", number(g.power_w)},
                    {"temperature_c", number(g.temperature_c)},
                    {"process_utilization", number(g.process_utilization)},
                    {"process_memory_bytes", number(g.process_memory_bytes)},
                    {"processor_mhz", number(g.processor_mhz)},
                    {"memory_mhz", number(g.memory_mhz)},
                    {"pcie_in_bytes_per_s", number(g.pcie_in_bytes_per_s)},
                    {"pcie_out_bytes_per_s", number(g.pcie_out_bytes_per_s)},
                    {"nvlink_in_bytes_per_s", number(g.nvlink_in_bytes_per_s)},
                    {"nvlink_out_bytes_per_s", number(g.nvlink_out_bytes_per_s)}});
  return {{"type", "device"},
          {"cpu", number(e.cpu)},
          {"process_cpu", number(e.process_cpu)},
          {"memory_used_bytes", number(e.memory_used_bytes)},
          {"memory_total_bytes", number(e.memory_total_bytes)},
          {"process_memory_bytes", number(e.process_memory_bytes)},
          {"gpus", gpus}};
}
Json fields(const Health& e) {
  Json j = {{"type", "health"},
            {"level", name_of(e.level)},
            {"message", to_json(e.message)},
            {"text", e.message.str()},
            {"step", e.step}};
  if (e.not_finite) j["not_finite"] = to_json(*e.not_finite);
  return j;
}
Json fields(const Knob& e) {
  Json j = {{"type", "knob"}, {"name", e.name}, {"value", number(e.value)}, {"step", e.step}};
  if (e.scheduled) j["scheduled"] = true;
  return j;
}
Json fields(const Saved& e) {
  return {{"type", "checkpoint"}, {"checkpoint", e.checkpoint}, {"step", e.step}, {"bytes", e.bytes}, {"best", e.best}};
}
Json fields(const Resumed& e) {
  return {{"type", "resumed"}, {"from_step", e.from_step}, {"pid", e.pid}, {"time", e.time}};
}
Json fields(const Paused& e) { return {{"type", "paused"}, {"step", e.step}}; }
Json fields(const Continued& e) { return {{"type", "continued"}, {"step", e.step}}; }
Json fields(const LayerStatistics& e) {
  Json j = to_json(e);
  j["type"] = "statistics";
  return j;
}
Json fields(const PipelinePlan& e) {
  Json j = to_json(e);
  j["type"] = "pipeline";
  return j;
}
Json fields(const PipelineTimes& e) {
  Json j = to_json(e);
  j["type"] = "pipeline_times";
  return j;
}
Json fields(const RankTimes& e) {
  Json j = to_json(e);
  j["type"] = "ranks";
  return j;
}
Json fields(const Ended& e) {
  return {{"type", "ended"},
          {"reason", name_of(e.reason)},
          {"how", name_of(e.reason)},
          {"message", to_json(e.message)},
          {"text", e.message.str()},
          {"step", e.step},
          {"wall_s", number(e.wall_s)},
          {"test_loss", number(e.test_loss)},
          {"test_accuracy", number(e.test_accuracy)},
          {"images_per_s", number(e.images_per_s)},
          {"exit_code", e.exit_code},
          {"gpu_energy_j", number(e.gpu_energy_j)},
          {"cpu_energy_j", number(e.cpu_energy_j)},
          {"images", e.images}};
}
Json fields(const StepSplit& e) {
  return {{"type", "split"},
          {"last", e.last},
          {"count", e.count},
          {"seconds", number(e.seconds)},
          {"decode_s", number(e.decode_s)},
          {"augment_s", number(e.augment_s)},
          {"copy_s", number(e.copy_s)},
          {"compute_s", number(e.compute_s)},
          {"reduce_s", number(e.reduce_s)},
          {"wait_s", number(e.wait_s)},
          {"hidden_s", number(e.hidden_s)}};
}

Started started_of(JsonReader& r) {
  return {r.real("time"),
          r.string("name"),
          r.string("device"),
          count_of(r, "epochs"),
          count_of(r, "steps_per_epoch"),
          count_of(r, "batch"),
          count_of(r, "parameters"),
          count_of(r, "memory_bytes"),
          count_of(r, "train"),
          count_of(r, "validation"),
          count_of(r, "test"),
          count_of(r, "pid"),
          named<Metric>(r.string_or(either(r, "metric", "measure"), "")).value_or(Metric::accuracy)};
}
Steps steps_of(JsonReader& r) {
  return {count_of(r, "last"),
          count_of(r, "count"),
          number_of(r, "epoch"),
          bin_of(r, "loss"),
          bin_of(r, "accuracy"),
          number_of(r, "learning_rate"),
          number_of(r, "images_per_s"),
          number_of(r, "grad_norm"),
          r.json().contains("penalty") ? number_of(r, "penalty") : 0};
}
EpochEnd epoch_of(JsonReader& r) {
  return {count_of(r, "epoch"),
          count_of(r, "step"),
          number_of(r, "train_loss"),
          number_of(r, "train_accuracy"),
          r.boolean_or("has_validation", false),
          number_of(r, "validation_loss"),
          number_of(r, "validation_accuracy"),
          number_of(r, "seconds"),
          number_of(r, "images_per_s"),
          r.boolean_or("best", false)};
}
DeviceSample device_of(JsonReader& r) {
  DeviceSample d{number_of(r, "cpu"),
                 number_of(r, either(r, "process_cpu", "own_cpu")),
                 number_of(r, "memory_used_bytes"),
                 number_of(r, "memory_total_bytes"),
                 number_of(r, either(r, "process_memory_bytes", "own_memory_bytes")),
                 {}};
  if (const Json* gpus = r.child("gpus", Json::value_t::array))
    for (const Json& j : *gpus) {
      if (!j.is_object() || d.gpus.size() >= 64) continue;
      JsonReader g(j, r.where());
      d.gpus.push_back({g.string("name"), number_of(g, "utilization"), number_of(g, "memory_used_bytes"),
                        number_of(g, "memory_total_bytes"), number_of(g, "power_w"), number_of(g, "temperature_c"),
                        number_or(g, either(g, "process_utilization", "own_utilization")),
                        number_or(g, either(g, "process_memory_bytes", "own_memory_bytes")),
                        number_or(g, "processor_mhz"), number_or(g, "memory_mhz"), number_or(g, "pcie_in_bytes_per_s"),
                        number_or(g, "pcie_out_bytes_per_s"), number_or(g, "nvlink_in_bytes_per_s"),
                        number_or(g, "nvlink_out_bytes_per_s")});
      if (!g.status()) r.problem(g.status().error().what);
    }
  return d;
}
Health health_of(JsonReader& r) {
  Health h{named<HealthLevel>(r.string("level")).value_or(HealthLevel::note), text_of(r, either(r, "message", "what")),
           count_of(r, "step")};
  if (!r.json().contains("not_finite")) return h;
  if (const Json* place = r.child("not_finite", Json::value_t::object)) {
    JsonReader p(*place, r.where());
    h.not_finite = not_finite_from(p);
    if (!p.status()) r.problem(p.status().error().what);
  }
  return h;
}
Ended ended_of(JsonReader& r) {
  return {named<EndReason>(r.string(either(r, "reason", "how"))).value_or(EndReason::failed),
          text_of(r, either(r, "message", "why")),
          count_of(r, "step"),
          number_of(r, "wall_s"),
          number_of(r, "test_loss"),
          number_of(r, "test_accuracy"),
          number_of(r, "images_per_s"),
          static_cast<int>(r.integer("exit_code", 0, 255)),
          number_or(r, "gpu_energy_j"),
          number_or(r, "cpu_energy_j"),
          r.integer_or("images", 0, 0, most)};
}
StepSplit split_of(JsonReader& r) {
  return {count_of(r, "last"),       count_of(r, "count"),    number_of(r, "seconds"),   number_of(r, "decode_s"),
          number_of(r, "augment_s"), number_of(r, "copy_s"),  number_of(r, "compute_s"), number_of(r, "reduce_s"),
          number_of(r, "wait_s"),    number_of(r, "hidden_s")};
}

using What = decltype(Event::what);
struct Reader {
  std::string_view type;
  What (*read)(JsonReader&);
};
constexpr Reader readers[] = {
    {"started", [](JsonReader& r) -> What { return started_of(r); }},
    {"steps", [](JsonReader& r) -> What { return steps_of(r); }},
    {"epoch", [](JsonReader& r) -> What { return epoch_of(r); }},
    {"device", [](JsonReader& r) -> What { return device_of(r); }},
    {"health", [](JsonReader& r) -> What { return health_of(r); }},
    {"knob",
     [](JsonReader& r) -> What {
       return Knob{r.string("name"), number_of(r, "value"), count_of(r, "step"), r.boolean_or("scheduled", false)};
     }},
    {"checkpoint",
     [](JsonReader& r) -> What {
       return Saved{r.string("checkpoint"), count_of(r, "step"), count_of(r, "bytes"), r.boolean_or("best", false)};
     }},
    {"resumed",
     [](JsonReader& r) -> What {
       return Resumed{count_of(r, "from_step"), count_of(r, "pid"), r.real("time")};
     }},
    {"paused", [](JsonReader& r) -> What { return Paused{count_of(r, "step")}; }},
    {"continued", [](JsonReader& r) -> What { return Continued{count_of(r, "step")}; }},
    {"split", [](JsonReader& r) -> What { return split_of(r); }},
    {"ended", [](JsonReader& r) -> What { return ended_of(r); }},
    {"statistics", [](JsonReader& r) -> What { return layer_statistics_from(r); }},
    {"pipeline", [](JsonReader& r) -> What { return pipeline_plan_from(r); }},
    {"pipeline_times", [](JsonReader& r) -> What { return pipeline_times_from(r); }},
    {"ranks", [](JsonReader& r) -> What { return rank_times_from(r); }},
};

}  // namespace

std::string_view name_of(Metric m) {
  switch (m) {
    case Metric::accuracy:
      return "accuracy";
    case Metric::all_labels:
      return "all_labels";
    case Metric::r2:
      return "r2";
  }
  return "";
}

std::string_view name_of(EndReason r) {
  switch (r) {
    case EndReason::finished:
      return "finished";
    case EndReason::stopped:
      return "stopped";
    case EndReason::failed:
      return "failed";
  }
  return "";
}

std::string_view name_of(HealthLevel level) {
  switch (level) {
    case HealthLevel::note:
      return "note";
    case HealthLevel::warning:
      return "warning";
    case HealthLevel::error:
      return "error";
  }
  return "";
}

Metric metric_of(TargetKind kind) {
  switch (kind) {
    case TargetKind::classes:
      return Metric::accuracy;
    case TargetKind::labels:
      return Metric::all_labels;
    case TargetKind::values:
      break;
  }
  return Metric::r2;
}

std::string event_line(const Event& e) {
  Json j = std::visit([](const auto& what) { return fields(what); }, e.what);
  j["schema"] = 1;
  j["t"] = number(e.t);
  // A name that is not UTF-8 must not end a run: invalid bytes are replaced.
  return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Event> parse_event(std::string_view line) {
  NW_ASSIGN(const Json json,
            parse_json(line, "events.jsonl", {.depth = 8, .bytes = line_limit, .string_bytes = std::size_t{64} << 10}));
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("a line of events.jsonl is not an object"));
  JsonReader r(json, "events.jsonl");
  const std::string type = r.string("type");
  if (r.integer_or("schema", 1, 0, most) > 1)
    return fail(Errc::unsupported, NW_TR("an event of a newer version is left out"));
  Event e;
  e.t = number_of(r, "t");
  NW_TRY(r.status());
  for (const Reader& reader : readers)
    if (reader.type == type) {
      e.what = reader.read(r);
      NW_TRY(r.status());
      return e;
    }
  return fail(Errc::unsupported, NW_TR("an event of the unknown type \"{0}\" is left out"), type);
}

}  // namespace nw
