// SPDX-License-Identifier: Apache-2.0
// Layers that are written as several operators, or whose operator does not say all of their attributes. Their last
// operator names the layer in its metadata. That is believed only if writing the named layer gives exactly the
// operators of the file; what they compute is therefore always what the layer computes. Private to engine/exchange.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/exchange/operators/operator.hpp"

namespace nw::exchange {

/// Key of the metadata of a layer's last operator.
inline constexpr const char* layer_key = "netwright.layer";
/// Type and attributes, as JSON.
std::string description_of(const FlatLayer&);

/// Operators first … last of a file, which its metadata call one layer. Nothing is proved yet.
struct WholeLayer {
  const OperatorMapping* mapping = nullptr;
  const LayerType* type = nullptr;
  AttrMap attrs;
  std::size_t first = 0, last = 0;
};
/// By their first operator.
std::map<std::size_t, WholeLayer> whole_layers(const onnx::Model&);

/// Places of the operators that read a value, by its name.
using Readers = std::map<std::string, std::vector<std::size_t>>;
/// The values from outside that the operators read; empty: they read none, something else reads what is between them,
/// or what they make has a name already. `is_value`: true for values computed before, false for constants, nullopt for
/// other names.
std::set<std::string> values_read(const WholeLayer&, const onnx::Model&, const Readers&,
                                  const std::set<std::string>& graph_outputs,
                                  const std::function<std::optional<bool>(const std::string&)>& is_value);

using FindTensor = std::function<const onnx::Tensor*(const std::string& name)>;
struct MatchedLayer {
  std::vector<std::string> inputs;              // values of the file, in the order of the layer's inputs
  std::map<std::string, onnx::Tensor> weights;  // by their names in the layer
};
/// The layer, if on these values, all of that shape, it is written as these operators. `constant`: the file's tensor of
/// that name; nullptr: it has none.
std::optional<MatchedLayer> matched(const WholeLayer&, const onnx::Model&, const std::set<std::string>& values,
                                    const Shape& shape, const FindTensor& constant);

}  // namespace nw::exchange
