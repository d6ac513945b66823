// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/fit_layer.hpp"

namespace nw::exchange {

Text complete(const LayerType& type, AttrMap& attrs) {
  for (const Field& f : type.fields) {
    const auto it = attrs.emplace(f.name, f.otherwise).first;
    if (!in_range(f, it->second)) return text(NW_TR("{0} must be between {1} and {2}"), f.name, f.lo, f.hi);
  }
  return {};
}

Text fit(const std::vector<Weight>& wanted, std::map<std::string, onnx::Tensor>& weights) {
  for (const Weight& w : wanted) {
    if (w.shape.rank() == 0) continue;
    const auto it = weights.find(w.name);
    if (it == weights.end()) return text(NW_TR("its {0} is missing"), w.name);
    if (it->second.elements() != w.shape.elements())
      return text(NW_TR("its {0} holds {1} numbers, {2} are needed"), w.name, it->second.elements(),
                  w.shape.elements());
    if (it->second.type != onnx::Type::f32) {
      const auto values = onnx::floats_of(it->second);
      if (!values) return text(NW_TR("its {0} are no numbers"), w.name);
      it->second = onnx::tensor_of(it->second.name, it->second.dims, *values);
    }
    it->second = with_dims(std::move(it->second), w.shape);
  }
  return {};
}

Text fit_layer(BuiltLayer& layer, std::map<std::string, onnx::Tensor> weights, bool& wrong_weights) {
  const LayerType& type = *layer.type;
  if (type.inputs >= 0 && std::ssize(layer.inputs) != type.inputs)
    return text(NW_TR("it has {0} inputs"), layer.inputs.size());
  if (Text why = complete(type, layer.attrs); !why.empty()) return why;
  const Attrs full(layer.attrs);
  const auto inferred = type.infer(full, layer.input_shapes);
  if (const auto* wrong = std::get_if<ShapeError>(&inferred)) return wrong->what;
  layer.shape = std::get<Shape>(inferred);
  if (!type.weights) return {};
  layer.weights = std::move(weights);
  for (const auto& [name, tensor] : layer.weights)
    if (name == "weight" && tensor.name.ends_with(".weight"))
      layer.name = tensor.name.substr(0, tensor.name.size() - 7);
  Text why = fit(type.weights(full, layer.input_shapes), layer.weights);
  wrong_weights = !why.empty();
  return why;
}

}  // namespace nw::exchange
