// SPDX-License-Identifier: Apache-2.0
#include "app/cli/records.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/transform.hpp"
#include "engine/exchange/record_facts.hpp"
#include "kernels/optimizer.hpp"

namespace nw::cli {
namespace {

const char* kind_name(Field::Kind kind) {
  switch (kind) {
    case Field::Kind::integer:
      return "integer";
    case Field::Kind::real:
      return "real";
    case Field::Kind::boolean:
      return "boolean";
    case Field::Kind::choice:
      return "choice";
    case Field::Kind::pair:
      return "pair";
    case Field::Kind::text:
      return "text";
    case Field::Kind::sizes:
      return "sizes";
  }
  return "";
}

Json to_json(const Attr& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

Json to_json(const Field& f) {
  return {{"name", f.name},
          {"kind", kind_name(f.kind)},
          {"label", f.label.source},
          {"help", f.help.source},
          {"default", to_json(f.otherwise)},
          {"lo", f.lo},
          {"hi", f.hi},
          {"unit", f.unit},
          {"choices", f.choices}};
}

Json to_json(const OptimizerField& f) {
  const bool flag = f.kind == OptimizerField::Kind::boolean;
  return {{"name", f.name},
          {"kind", flag ? "boolean" : "real"},
          {"label", f.label},
          {"help", f.help},
          {"default", flag ? Json(f.otherwise != 0) : Json(f.otherwise)},
          {"lo", f.lo},
          {"hi", f.hi},
          {"unit", f.unit},
          {"choices", Json::array()}};
}

Json to_json(const TransformField& f) {
  return {{"name", f.name},
          {"kind", f.whole ? "integer" : "real"},
          {"label", f.label},
          {"help", ""},
          {"default", f.otherwise},
          {"lo", f.lo},
          {"hi", f.hi},
          {"unit", ""},
          {"choices", Json::array()}};
}

template <class Fields>
Json list_of(const Fields& fields) {
  Json list = Json::array();
  for (const auto& f : fields) list.push_back(to_json(f));
  return list;
}

void put(Json& record, const exchange::TorchName& torch) {
  record["torch"] = torch.name;
  record["torch_own_class"] = torch.own_class;
  record["torch_expression"] = torch.expression;
}

Json to_json(const exchange::LayerExample& e) {
  Json weights = Json::array();
  std::int64_t parameters = 0;
  for (const Weight& w : e.layer.weights) {
    weights.push_back({{"name", w.name}, {"shape", to_string(w.shape)}, {"buffer", w.buffer}});
    if (!w.buffer) parameters += w.shape.elements();
  }
  Json inputs = Json::array();
  for (const Shape& s : e.layer.input_shapes) inputs.push_back(to_string(s, true));
  return {{"inputs", inputs},
          {"output", to_string(e.layer.shape, true)},
          {"weights", weights},
          {"parameters", parameters},
          {"multiply_adds", e.multiply_adds}};
}

Json to_json(const LayerType& t) {
  Json record{{"kind", t.loss ? "loss" : "layer"},
              {"name", t.name},
              {"group", t.group},
              {"summary", t.summary.source},
              {"onnx", t.onnx},
              {"inputs", t.inputs},
              {"trained", t.refusal == nullptr},
              {"fields", list_of(t.fields)}};
  if (const auto example = exchange::example_of(t)) {
    record["example"] = to_json(*example);
    put(record, exchange::torch_name(*example));
  }
  return record;
}

Json to_json(const Optimizer& o) {
  Json states = Json::array();
  for (const OptimizerState& s : o.state) states.push_back({{"name", s.name}, {"only", s.only}});
  Json record{{"kind", "optimizer"},  {"name", o.title},  {"key", o.name},
              {"summary", o.summary}, {"states", states}, {"fields", list_of(o.fields)}};
  put(record, exchange::torch_name(o));
  return record;
}

Json to_json(const TransformType& t) {
  return {{"kind", "transform"},
          {"name", t.name},
          {"summary", t.summary},
          {"mixes", t.apply == nullptr},
          {"torch", std::string("torchvision.transforms.v2.") + t.name},
          {"fields", list_of(t.fields)}};
}

}  // namespace

std::vector<Json> all_records() {
  std::vector<Json> records;
  for (const bool losses : {false, true})
    for (const LayerType* t : all_layers())
      if (t->loss == losses) records.push_back(to_json(*t));
  for (const Optimizer& o : all_optimizers()) records.push_back(to_json(o));
  for (const TransformType& t : all_transforms()) records.push_back(to_json(t));
  return records;
}

}  // namespace nw::cli
