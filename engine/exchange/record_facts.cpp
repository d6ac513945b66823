// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/record_facts.hpp"

#include "engine/exchange/source/layer_source.hpp"
#include "engine/exchange/source/source_names.hpp"

namespace nw::exchange {
namespace {

std::optional<LayerExample> example_behind(const LayerType& type, const Shape& input) {
  LayerExample made;
  AttrMap values;
  for (const Field& f : type.fields) values[f.name] = f.otherwise;
  FlatLayer& layer = made.layer;
  layer.type = &type;
  layer.name = type.stem;
  layer.attrs = Attrs(std::move(values));
  layer.input_shapes.assign(static_cast<std::size_t>(type.inputs < 0 ? 2 : type.inputs), input);
  if (!type.infer) return {};
  const auto shape = type.infer(layer.attrs, layer.input_shapes);
  if (!std::holds_alternative<Shape>(shape)) return {};
  layer.shape = std::get<Shape>(shape);
  if (type.weights) layer.weights = type.weights(layer.attrs, layer.input_shapes);
  if (type.multiply_adds) made.multiply_adds = type.multiply_adds(layer.attrs, layer.input_shapes, layer.shape);
  return made;
}

/// "{all}" and "{0}" as a reader would write them.
std::string readable(std::string pattern, const std::string& separator) {
  const auto put = [&](std::string_view mark, const std::string& text) {
    if (const auto at = pattern.find(mark); at != std::string::npos) pattern.replace(at, mark.size(), text);
  };
  put("{all}", "a" + separator + "b");
  put("{0}", "x");
  return pattern;
}

}  // namespace

std::optional<LayerExample> example_of(const LayerType& type) {
  for (const Shape& input : {Shape{1, 16, 32, 32}, Shape{1, 64}, Shape{1, 64, 49, 1}})
    if (auto made = example_behind(type, input)) return made;
  return {};
}

TorchName torch_name(const LayerExample& example) {
  const FlatLayer& layer = example.layer;
  if (layer.type->loss) return {.name = torch_loss_name(layer.type->name)};
  const LayerRecord* record = layer_record(SourceLanguage::pytorch, layer.type->name);
  if (!record) return {};
  const LayerSource source = record->write(layer);
  if (source.maker.empty()) return {.name = readable(source.apply, source.separator), .expression = true};
  return {.name = source.maker, .own_class = !source.helpers.empty()};
}

TorchName torch_name(const Optimizer& optimizer) {
  std::string name = torch_optimizer_name(optimizer.name);
  const bool own = name.find('.') == std::string::npos;
  return {.name = std::move(name), .own_class = own};
}

}  // namespace nw::exchange
