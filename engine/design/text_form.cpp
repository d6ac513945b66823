// SPDX-License-Identifier: Apache-2.0
#include "engine/design/text_form.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/design/expression.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/names.hpp"
#include "engine/design/rewire.hpp"
#include "engine/design/text_values.hpp"

namespace nw {
namespace {

constexpr std::size_t bytes_limit = 4 << 20, lines_limit = 100'000;
constexpr double row = 108;

using written::field_of;
using written::in_order;
using written::value_from;
using written::value_text;
using written::whole;

/// A node as described by a line of text.
struct Line {
  Node node;                       // name, type, attrs, bypassed, frozen
  std::vector<std::string> feeds;  // "name", "name:1", "_"
  bool says_feeds = false;
  int number = 0;
};

class Reader {
 public:
  Reader(const GraphDoc& doc, std::vector<TextFault>& faults) : doc_(doc), faults_(faults) {}

  std::vector<Line> read(std::string_view text) {
    std::vector<Line> lines;
    std::set<std::string> names;
    for (number_ = 0; !text.empty(); ++number_) {
      const auto end = text.find('\n');
      rest_ = text.substr(0, end);
      text = end == text.npos ? std::string_view() : text.substr(end + 1);
      if (!rest_.empty() && rest_.back() == '\r') rest_.remove_suffix(1);
      skip();
      if (rest_.empty() || rest_.front() == '#') continue;
      Line line;
      line.number = number_;
      if (!read_line(line)) continue;
      if (!names.insert(line.node.name).second) {
        wrong(text_of(NW_TR("The name {0} is taken"), line.node.name));
        continue;
      }
      lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  template <class... A>
  static Text text_of(std::string source, const A&... args) {
    return nw::text(std::move(source), args...);
  }
  bool wrong(Text what) {
    faults_.push_back({number_, std::move(what)});
    return false;
  }
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  std::string_view word(std::string_view stops) {
    const auto end = std::min(rest_.find_first_of(stops), rest_.size());
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }

  bool read_line(Line& line) {
    line.node.name = std::string(word(" \t:#"));
    skip();
    if (rest_.empty() || rest_.front() != ':')
      return wrong(text_of(NW_TR("A line begins with a name and a colon: conv1: Conv2d")));
    if (!is_name(line.node.name))
      return wrong(text_of(NW_TR("\"{0}\" is no name: use letters, digits, _ and ., beginning with a letter"),
                           line.node.name.substr(0, name_limit)));
    rest_.remove_prefix(1);
    skip();
    if (!read_type(line.node, std::string(word(" \t#<")))) return false;
    for (skip(); !rest_.empty() && rest_.front() != '#'; skip()) {
      if (rest_.starts_with("<-")) return read_feeds(line);
      if (!read_setting(line.node)) return false;
    }
    return true;
  }

  bool read_type(Node& node, const std::string& type) {
    node.type = type;
    if (find_layer(type)) return true;
    if (!doc_.blocks().contains(type))
      return wrong(text_of(NW_TR("There is no layer \"{0}\"; did you mean {1}?"), type.substr(0, name_limit),
                           nearest_layer(type.substr(0, 60))));
    node.type = "Block";
    node.attrs["block"] = type;
    return true;
  }

  bool read_setting(Node& node) {
    const std::string name(word(" \t=#<\""));
    if (rest_.empty() || rest_.front() != '=') {
      if (name == "bypassed") return node.bypassed = true;
      if (name == "frozen") return node.frozen = true;
      return wrong(text_of(NW_TR("\"{0}\" is neither a setting (name=value) nor a flag (bypassed, frozen)"),
                           name.substr(0, name_limit)));
    }
    rest_.remove_prefix(1);
    if (name.empty() || (node.type == "Block" && name == "block") || node.attrs.contains(name))
      return wrong(text_of(NW_TR("{0} is set twice, or is no setting"), name.substr(0, name_limit)));
    if (!rest_.empty() && rest_.front() == '"') return read_quoted(node, name);
    const Field* field = field_of(node, name);
    const std::string_view value = word(" \t#<");
    if (value.empty()) return wrong(text_of(NW_TR("{0} has no value"), name.substr(0, name_limit)));
    const Attr made = value_from(field, value);
    if (const auto* real = std::get_if<double>(&made); real && !(*real - *real == 0))
      return wrong(text_of(NW_TR("{0}: the value of {1} is not a number"), node.name, name));
    if (name == "frozen_epochs" || name == "lr_scale" || name == "pipeline_stage")
      return read_training(node, name, made);
    const bool number = field && field->kind != Field::Kind::boolean && field->kind != Field::Kind::choice &&
                        field->kind != Field::Kind::text;
    if (number && std::holds_alternative<std::string>(made) && !is_formula(value))
      return wrong(text_of(NW_TR("{0}: {1} needs a number, not \"{2}\""), node.name, name,
                           std::string(value.substr(0, name_limit))));
    node.attrs[name] = made;
    return true;
  }

  /// How a layer or block is trained; the limits are checked with the rest of the node.
  bool read_training(Node& node, const std::string& name, const Attr& value) {
    const auto* count = std::get_if<std::int64_t>(&value);
    const auto* factor = std::get_if<double>(&value);
    if (name == "frozen_epochs" && count) return node.frozen_epochs = *count, true;
    if (name == "pipeline_stage" && count) return node.pipeline_stage = *count, true;
    if (name == "lr_scale" && (count || factor))
      return node.lr_scale = count ? static_cast<double>(*count) : *factor, true;
    return wrong(text_of(NW_TR("{0}: {1} needs a number"), node.name, name));
  }

  /// Formulas name the block's parameters with a dollar sign.
  static bool is_formula(std::string_view value) {
    return value.find('$') != value.npos || compiling::evaluate(value, {});
  }

  bool read_quoted(Node& node, const std::string& name) {
    std::string value;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        node.attrs[name] = value;
        return true;
      }
      if (rest_[i] == '\\' && i + 1 < rest_.size())
        value += rest_[++i] == 'n' ? '\n' : rest_[i];
      else
        value += rest_[i];
    }
    return wrong(text_of(NW_TR("The quotation mark is not closed")));
  }

  bool read_feeds(Line& line) {
    rest_.remove_prefix(2);
    line.says_feeds = true;
    for (skip(); !rest_.empty() && rest_.front() != '#'; skip()) {
      const std::string_view from = word(" \t,#");
      if (from.empty() || line.feeds.size() >= static_cast<std::size_t>(port_limit))
        return wrong(text_of(NW_TR("After <- come the names of layers, with commas between")));
      line.feeds.emplace_back(from);
      skip();
      if (!rest_.empty() && rest_.front() == ',')
        rest_.remove_prefix(1);
      else if (!rest_.empty() && rest_.front() != '#')
        return wrong(text_of(NW_TR("After <- come the names of layers, with commas between")));
    }
    return true;
  }

  const GraphDoc& doc_;
  std::vector<TextFault>& faults_;
  std::string_view rest_;
  int number_ = 0;
};

/// The current network, edited line by line until it equals the text.
class Applier {
 public:
  Applier(const GraphDoc& doc, const std::string& scope, std::vector<TextFault>& faults)
      : doc_(doc), scope_(scope), faults_(faults) {
    const Graph& g = doc.graph(scope);
    for (const NodeId id : in_order(g)) {
      rank_[id] = order_.size();
      order_.push_back(id);
    }
    for (const auto& [id, node] : g.nodes) ids_[node.name] = id;
  }

  Edit apply(const std::vector<Line>& lines) {
    match(lines);
    std::set<Connection> wanted;
    for (std::size_t i = 0; i < lines.size(); ++i) wires(lines, i, wanted);
    if (!faults_.empty()) return {};
    return change(lines, wanted);
  }

 private:
  const Graph& graph() const { return doc_.graph(scope_); }

  /// Assigns a node to each line: by name; a new name keeps the node of the line that disappeared from the same
  /// position if the type is the same.
  void match(const std::vector<Line>& lines) {
    std::set<std::string> parsed;
    for (const Line& line : lines) parsed.insert(line.node.name);
    NodeId next = doc_.next_id();
    std::size_t at = 0;
    for (const Line& line : lines) {
      if (const auto known = ids_.find(line.node.name); known != ids_.end()) {
        matched_.push_back(known->second);
        at = rank_.at(known->second) + 1;
        continue;
      }
      const NodeId here = at < order_.size() ? order_[at] : 0;
      const bool renamed =
          here && !parsed.contains(graph().nodes.at(here).name) && graph().nodes.at(here).type == line.node.type;
      matched_.push_back(renamed ? here : next++);
      if (renamed)
        ++at;
      else
        made_.insert(matched_.back());
    }
    for (std::size_t i = 0; i < lines.size(); ++i) by_name_[lines[i].node.name] = i;
  }

  void wires(const std::vector<Line>& lines, std::size_t i, std::set<Connection>& wanted) {
    const Line& line = lines[i];
    const int most = input_count(doc_, line.node);
    if (!line.says_feeds) {
      if (i > 0 && most != 0 && output_count(doc_, lines[i - 1].node) != 0)
        wanted.insert({matched_[i - 1], 0, matched_[i], 0});
      return;
    }
    for (std::size_t port = 0; port < line.feeds.size(); ++port) {
      std::string name = line.feeds[port];
      if (name == "_") continue;
      int output = 0;
      if (const auto colon = name.find(':'); colon != name.npos) {
        const auto number = whole(std::string_view(name).substr(colon + 1));
        if (!number || *number < 0 || *number >= port_limit)
          return wrong(line, text(NW_TR("{0} has no such output"), name.substr(0, name_limit)));
        output = static_cast<int>(*number);
        name.resize(colon);
      }
      const auto from = by_name_.find(name);
      if (from == by_name_.end())
        return wrong(line, text(NW_TR("There is no layer called {0}"), name.substr(0, name_limit)));
      const Node& source = lines[from->second].node;
      if (output >= output_count(doc_, source)) return wrong(line, text(NW_TR("{0} has no such output"), name));
      if (most >= 0 && static_cast<int>(port) >= most)
        return wrong(line, text(NW_TR("{0} has no such input"), line.node.name));
      if (from->second == i) return wrong(line, text(NW_TR("{0} cannot be connected to itself"), name));
      wanted.insert({matched_[from->second], output, matched_[i], static_cast<int>(port)});
    }
  }

  void wrong(const Line& line, Text what) { faults_.push_back({line.number, std::move(what)}); }

  Edit change(const std::vector<Line>& lines, const std::set<Connection>& wanted) {
    Edit edit;
    const std::set<NodeId> kept(matched_.begin(), matched_.end());
    for (const Connection& c : graph().connections)
      if (!wanted.contains(c)) edit.push_back(PutConnection{scope_, c, false});
    for (const auto& [id, node] : graph().nodes)
      if (!kept.contains(id)) edit.push_back(PutNode{scope_, id, std::nullopt});
    for (std::size_t i = 0; i < lines.size(); ++i) put(lines, i, edit);
    for (const Connection& c : wanted)
      if (!std::binary_search(graph().connections.begin(), graph().connections.end(), c))
        edit.push_back(PutConnection{scope_, c, true});
    GraphDoc after = doc_;
    if (const auto done = after.apply(edit); !done) {
      faults_.push_back({0, done.error().what});
      return {};
    }
    return edit;
  }

  void put(const std::vector<Line>& lines, std::size_t i, Edit& edit) {
    const Node& parsed = lines[i].node;
    Node node = parsed;
    if (made_.contains(matched_[i])) {
      const Point above = i > 0 ? place_of(matched_[i - 1]) : Point{};
      node.position = {above.x, i > 0 ? above.y + row : 0};
    } else {
      const Node& old = graph().nodes.at(matched_[i]);
      node = old;
      node.name = parsed.name;
      node.bypassed = parsed.bypassed;
      node.frozen = parsed.frozen;
      node.frozen_epochs = parsed.frozen_epochs;
      node.lr_scale = parsed.lr_scale;
      node.pipeline_stage = parsed.pipeline_stage;
      if (!has_same_content(old, parsed)) {
        node.type = parsed.type;
        node.attrs = parsed.attrs;
      }
    }
    places_[matched_[i]] = node.position;
    if (made_.contains(matched_[i]) || !(node == graph().nodes.at(matched_[i])))
      edit.push_back(PutNode{scope_, matched_[i], std::move(node)});
  }

  Point place_of(NodeId id) const {
    const auto known = places_.find(id);
    return known == places_.end() ? Point{} : known->second;
  }

  /// Compares as text: a pair may be stored as one number and a default may be explicit.
  static bool has_same_content(const Node& old, const Node& parsed) {
    if (old.type != parsed.type) return false;
    std::set<std::string> fields;
    for (const auto& [name, value] : old.attrs) fields.insert(name);
    for (const auto& [name, value] : parsed.attrs) fields.insert(name);
    return std::all_of(fields.begin(), fields.end(), [&](const std::string& name) {
      const Field* field = field_of(parsed, name);
      const auto a = old.attrs.find(name), b = parsed.attrs.find(name);
      if (a == old.attrs.end() || b == parsed.attrs.end()) return false;
      return a->second == b->second || value_text(field, a->second) == value_text(field, b->second);
    });
  }

  const GraphDoc& doc_;
  const std::string& scope_;
  std::vector<TextFault>& faults_;
  std::vector<NodeId> order_, matched_;
  std::set<NodeId> made_;
  std::map<std::string, NodeId> ids_;
  std::map<std::string, std::size_t> by_name_;  // line index
  std::map<NodeId, std::size_t> rank_;
  std::map<NodeId, Point> places_;
};

}  // namespace

TextReading read_network_text(const GraphDoc& doc, const std::string& scope, std::string_view source) {
  TextReading reading;
  if (source.size() > bytes_limit ||
      static_cast<std::size_t>(std::count(source.begin(), source.end(), '\n')) > lines_limit) {
    reading.faults.push_back({0, text(NW_TR("The text is too long"))});
    return reading;
  }
  const std::vector<Line> lines = Reader(doc, reading.faults).read(source);
  if (reading.faults.empty()) reading.edit = Applier(doc, scope, reading.faults).apply(lines);
  return reading;
}

}  // namespace nw
