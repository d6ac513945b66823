// SPDX-License-Identifier: Apache-2.0
// Networks as one line of text, so that a test is short:
//   net("images: Input 1x28x28; conv1: Conv2d out_channels=8 kernel_size=5x5; sum: Add <- conv1, images; "
//       "loss: CrossEntropy")
// Values with spaces stand in quotation marks. A layer's input is the layer before it unless "<-" names other layers
// ("<-" alone: no input).
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "engine/design/graph_doc.hpp"
#include "engine/design/layer_type.hpp"

namespace nw::test {

inline std::string trimmed(const std::string& s) {
  const auto begin = s.find_first_not_of(" \n\t"), end = s.find_last_not_of(" \n\t");
  return begin == s.npos ? "" : s.substr(begin, end - begin + 1);
}

inline std::vector<std::string> split(const std::string& s, char at) {
  std::vector<std::string> parts;
  std::istringstream in(s);
  for (std::string part; std::getline(in, part, at);) parts.push_back(trimmed(part));
  return parts;
}

inline std::vector<std::int64_t> numbers(const std::string& s) {
  std::vector<std::int64_t> all;
  for (const std::string& part : split(s, 'x')) all.push_back(std::stoll(part));
  return all;
}

/// The value with the type of the layer's field; for "$name" and unknown attributes the type follows from the text.
inline Attr attr_value(const LayerType* type, const std::string& name, const std::string& value) {
  using Kind = Field::Kind;
  const Field* field = nullptr;
  if (type)
    for (const Field& f : type->fields)
      if (f.name == name) field = &f;
  if (value.find('$') != value.npos) return value;
  const bool digits = !value.empty() && value.find_first_not_of("-0123456789") == value.npos;
  if (field && field->kind == Kind::pair && value.find_first_not_of("-x0123456789") == value.npos) {
    const auto both = numbers(value);
    return both.size() == 1 ? std::vector<std::int64_t>{both[0], both[0]} : both;
  }
  if (value == "true" || value == "false") return value == "true";
  if (field && field->kind == Kind::real) return std::stod(value);
  if (digits) return std::int64_t{std::stoll(value)};
  return value;
}

inline NodeId id_of(const GraphDoc& doc, const std::string& name, const std::string& scope = "") {
  for (const auto& [id, node] : doc.graph(scope).nodes)
    if (node.name == name) return id;
  return 0;
}

inline void edit(GraphDoc& doc, const Edit& edit) {
  const auto undo = doc.apply(edit);
  ASSERT_TRUE(undo) << undo.error().str();
}

/// Adds the layers of `text` to a graph of `doc`.
inline void add_net(GraphDoc& doc, const std::string& text, const std::string& scope = "") {
  NodeId before = 0;
  double y = 0;
  for (const std::string& statement : split(text, ';')) {
    if (statement.empty()) continue;
    const auto colon = statement.find(':'), arrow = statement.find("<-");
    std::istringstream words(statement.substr(colon + 1, arrow == statement.npos ? arrow : arrow - colon - 1));
    Node node{.name = trimmed(statement.substr(0, colon)), .position = {0, y += 108}};
    words >> node.type;
    const LayerType* type = find_layer(node.type);
    for (std::string word; words >> word;) {
      const auto equals = word.find('=');
      if (equals != word.npos && word[equals + 1] == '"') {  // up to the next quotation mark
        std::string rest;
        if (!word.ends_with('"')) std::getline(words, rest, '"');
        const std::string all = word.substr(equals + 2) + rest;
        node.attrs[word.substr(0, equals)] = all.substr(0, all.find('"'));
      } else if (equals != word.npos)
        node.attrs[word.substr(0, equals)] = attr_value(type, word.substr(0, equals), word.substr(equals + 1));
      else if (const auto size = numbers(word); size.size() == 3)
        node.attrs = {{"channels", size[0]}, {"height", size[1]}, {"width", size[2]}};
    }
    NodeId id = 0;
    edit(doc, add_node(doc, scope, node, &id));
    int port = 0;
    const bool takes = node.type != "Input" && node.type != "BlockInput";
    if (arrow != statement.npos) {
      for (const std::string& from : split(statement.substr(arrow + 2), ','))
        if (!from.empty()) edit(doc, {PutConnection{scope, {id_of(doc, from, scope), 0, id, port++}, true}});
    } else if (before != 0 && takes) {
      edit(doc, {PutConnection{scope, {before, 0, id, 0}, true}});
    }
    before = id;
  }
}

inline GraphDoc net(const std::string& text) {
  GraphDoc doc;
  add_net(doc, text);
  return doc;
}

}  // namespace nw::test
