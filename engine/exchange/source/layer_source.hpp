// SPDX-License-Identifier: Apache-2.0
// How layers are written as source code: one record a layer type and language, in the tables of torch_layers.cpp and
// keras_layers.cpp. The writers know no layer by name beyond Input and the losses.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compile/flat_network.hpp"

namespace nw::exchange {

/// An argument of a call. Where the instances of a block differ in one, it becomes a parameter of the block's class.
struct SourceArgument {
  std::string name;       // "in_channels"
  std::string text;       // a Python literal
  std::string otherwise;  // left out where it is this, in all instances; "": never
  bool positional = false;
};

/// A layer as a call that makes it and an expression that applies it.
struct LayerSource {
  std::string maker;  // "nn.Conv2d"; "": the layer has no object
  std::vector<SourceArgument> arguments;
  /// {self}: the object; {0}, {1} …: the inputs; {all}: all inputs, separated by `separator`.
  std::string apply = "{self}({0})";
  std::string separator = ", ";
  bool parameter = false;            // PyTorch: the object is an nn.Parameter of the module around it
  std::vector<std::string> helpers;  // names of definitions that the file needs

  LayerSource& arg(std::string name, std::string text) {
    arguments.push_back({std::move(name), std::move(text), "", true});
    return *this;
  }
  LayerSource& option(std::string name, std::string text, std::string otherwise = "") {
    arguments.push_back({std::move(name), std::move(text), std::move(otherwise), false});
    return *this;
  }
  LayerSource& needs(std::string helper) {
    helpers.push_back(std::move(helper));
    return *this;
  }
  LayerSource& applied(std::string pattern) {
    apply = std::move(pattern);
    return *this;
  }
};
LayerSource made_by(std::string maker);
LayerSource expression(std::string pattern, std::string separator = ", ");
/// A class of the file itself: "ChannelLinear" needs the helper of that name.
LayerSource own_class(const std::string& name);

enum class SourceLanguage { pytorch, keras };
std::string_view title_of(SourceLanguage);  // "PyTorch"

struct LayerRecord {
  std::string_view layer;  // LayerType::name
  LayerSource (*write)(const FlatLayer&) = nullptr;
};
std::span<const LayerRecord> layer_records(SourceLanguage);
const LayerRecord* layer_record(SourceLanguage, std::string_view layer);  // nullptr: it cannot be written

/// A definition that a generated file contains if one of its layers needs it, in the order of the table.
struct SourceHelper {
  std::string_view name;
  std::string_view text;   // its lines
  std::string_view needs;  // another helper, which comes before it; "": none
};
std::span<const SourceHelper> source_helpers(SourceLanguage);

}  // namespace nw::exchange
