// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/pipeline_record.hpp"

#include "engine/design/graph_doc.hpp"

namespace nw {
namespace {

constexpr std::int64_t most_recorded = std::int64_t{1} << 53;
constexpr std::size_t transfers_limit = 65536;

/// Calls take(reader of one item) for each object of the list.
template <class Take>
void each_item(JsonReader& r, const char* key, std::size_t limit, Take take) {
  const Json* list = r.child(key, Json::value_t::array);
  if (!list) return;
  if (list->size() > limit) return r.problem(text(NW_TR("{0}.{1} has more than {2} entries"), r.where(), key, limit));
  for (const Json& item : *list) {
    if (!item.is_object()) return r.problem(text(NW_TR("{0} is missing"), key));
    JsonReader one(item, r.where());
    take(one);
    if (!one.status()) return r.problem(one.status().error().what);
  }
}

PipelineStage stage_from(JsonReader& r) {
  return {r.string("device"),
          r.string("first"),
          r.string("last"),
          r.integer("layers", 0, most_recorded),
          r.integer("multiply_adds", 0, most_recorded),
          r.integer("parameters", 0, most_recorded),
          r.integer("memory_bytes", 0, most_recorded),
          r.integer("kept", 0, most_recorded)};
}

PipelineTransfer transfer_from(JsonReader& r) {
  return {r.string("value"), static_cast<int>(r.integer("from", 0, most_stages - 1)),
          static_cast<int>(r.integer("to", 0, most_stages - 1)), r.boolean_or("backward", false),
          r.integer("bytes", 0, most_recorded)};
}

}  // namespace

Json to_json(const PipelinePlan& p) {
  Json stages = Json::array(), transfers = Json::array();
  for (const PipelineStage& s : p.stages)
    stages.push_back({{"device", s.device},
                      {"first", s.first},
                      {"last", s.last},
                      {"layers", s.layers},
                      {"multiply_adds", s.multiply_adds},
                      {"parameters", s.parameters},
                      {"memory_bytes", s.memory_bytes},
                      {"kept", s.kept}});
  for (const PipelineTransfer& t : p.transfers)
    transfers.push_back(
        {{"value", t.value}, {"from", t.from}, {"to", t.to}, {"backward", t.backward}, {"bytes", t.bytes}});
  return {{"schedule", p.schedule},
          {"micro_batch", p.micro_batch},
          {"micro_batches", p.micro_batches},
          {"stages", stages},
          {"transfers", transfers},
          {"predicted_bubble", p.predicted_bubble},
          {"statistics_per_micro_batch", p.statistics_per_micro_batch}};
}

Json to_json(const PipelineTimes& t) {
  Json stages = Json::array();
  for (const StageSeconds& s : t.stages)
    stages.push_back({{"compute_s", s.compute_s}, {"transfer_s", s.transfer_s}, {"wait_s", s.wait_s}});
  return {{"epoch", t.epoch},   {"step", t.step},   {"seconds", t.seconds},
          {"bubble", t.bubble}, {"bytes", t.bytes}, {"stages", stages}};
}

PipelinePlan pipeline_plan_from(JsonReader& r) {
  PipelinePlan p{.schedule = r.string("schedule"),
                 .micro_batch = r.integer("micro_batch", 0, most_recorded),
                 .micro_batches = r.integer("micro_batches", 0, most_recorded),
                 .stages = {},
                 .transfers = {},
                 .predicted_bubble = r.real("predicted_bubble"),
                 .statistics_per_micro_batch = r.boolean_or("statistics_per_micro_batch", false)};
  each_item(r, "stages", most_stages, [&](JsonReader& one) { p.stages.push_back(stage_from(one)); });
  each_item(r, "transfers", transfers_limit, [&](JsonReader& one) { p.transfers.push_back(transfer_from(one)); });
  return p;
}

PipelineTimes pipeline_times_from(JsonReader& r) {
  PipelineTimes t{.epoch = r.integer("epoch", 0, most_recorded),
                  .step = r.integer("step", 0, most_recorded),
                  .seconds = r.real("seconds"),
                  .bubble = r.real("bubble"),
                  .bytes = r.integer("bytes", 0, most_recorded),
                  .stages = {}};
  each_item(r, "stages", most_stages, [&](JsonReader& one) {
    t.stages.push_back({one.real("compute_s"), one.real("transfer_s"), one.real("wait_s")});
  });
  return t;
}

}  // namespace nw
