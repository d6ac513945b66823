// SPDX-License-Identifier: Apache-2.0
#include "engine/design/json_form.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "engine/design/names.hpp"

namespace nw {
namespace {

constexpr std::array known_node_keys = {
    "id",       "type",           "name",     "x", "y", "attrs", "bypassed", "frozen", "frozen_epochs",
    "lr_scale", "pipeline_stage", "collapsed"};

Json attr_json(const Attr& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

bool fits_int64(const Json& v) {
  return v.is_number_integer() &&
         (!v.is_number_unsigned() || v.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
}

Result<Attr> attr_from(const Json& v, const std::string& where) {
  if (v.is_boolean()) return Attr(v.get<bool>());
  if (fits_int64(v)) return Attr(v.get<std::int64_t>());
  if (v.is_number_float()) return Attr(v.get<double>());
  if (v.is_string()) return Attr(v.get<std::string>());
  if (v.is_array() && v.size() <= 16 && std::all_of(v.begin(), v.end(), fits_int64))
    return Attr(v.get<std::vector<std::int64_t>>());
  return fail(Errc::bad_input, NW_TR("{0} must be a number, a text, true, false or a list of whole numbers"), where);
}

Json node_json(NodeId id, const Node& n) {
  Json j = n.unknown.is_object() ? n.unknown : Json::object();
  j["id"] = id;
  j["type"] = n.type;
  j["name"] = n.name;
  j["x"] = n.position.x;
  j["y"] = n.position.y;
  if (!n.attrs.empty()) {
    Json attrs = Json::object();
    for (const auto& [name, value] : n.attrs) attrs[name] = attr_json(value);
    j["attrs"] = std::move(attrs);
  }
  if (n.bypassed) j["bypassed"] = true;
  if (n.frozen) j["frozen"] = true;
  if (n.frozen_epochs != 0) j["frozen_epochs"] = n.frozen_epochs;
  if (n.lr_scale != 1) j["lr_scale"] = n.lr_scale;
  if (n.pipeline_stage >= 0) j["pipeline_stage"] = n.pipeline_stage;
  if (n.collapsed) j["collapsed"] = true;
  return j;
}

Result<AttrMap> attrs_from(const Json& json, const std::string& where) {
  if (json.size() > attr_limit) return fail(Errc::bad_input, NW_TR("{0} has more than {1} entries"), where, attr_limit);
  AttrMap attrs;
  for (const auto& [name, value] : json.items()) {
    NW_ASSIGN(Attr attr, attr_from(value, where + "." + name));
    attrs.emplace(name, std::move(attr));
  }
  return attrs;
}

Result<std::pair<NodeId, Node>> node_from(const Json& json, const std::string& where) {
  JsonReader r(json, where);
  Node n;
  const NodeId id = r.integer("id", 1, std::int64_t{1} << 52);
  n.type = r.string("type");
  n.name = r.string("name");
  n.position = {r.real_or("x", 0), r.real_or("y", 0)};
  n.bypassed = r.boolean_or("bypassed", false);
  n.frozen = r.boolean_or("frozen", false);
  n.frozen_epochs = r.integer_or("frozen_epochs", 0, 0, most_frozen_epochs);
  n.lr_scale = r.real_or("lr_scale", 1);
  n.pipeline_stage = r.integer_or("pipeline_stage", -1, -1, most_stages - 1);
  n.collapsed = r.boolean_or("collapsed", false);
  if (const Json* attrs = r.child("attrs", Json::value_t::object)) {
    NW_ASSIGN(n.attrs, attrs_from(*attrs, where + ".attrs"));
  }
  NW_TRY(r.status());
  for (const auto& [key, value] : json.items())
    if (std::find(known_node_keys.begin(), known_node_keys.end(), key) == known_node_keys.end()) n.unknown[key] = value;
  return std::pair{id, std::move(n)};
}

Result<Connection> connection_from(const Json& v, const std::string& where) {
  if (!v.is_array() || v.size() != 4 || !std::all_of(v.begin(), v.end(), fits_int64))
    return fail(Errc::bad_input, NW_TR("{0} must be a list of four whole numbers: from, output, to, input"), where);
  const auto port = [&](std::size_t i) {
    return static_cast<int>(std::clamp<std::int64_t>(v[i].get<std::int64_t>(), -1, port_limit));
  };
  return Connection{v[0].get<std::int64_t>(), port(1), v[2].get<std::int64_t>(), port(3)};
}

Json rect_json(ItemId id, const Rect& r) {
  return {{"id", id}, {"x", r.x}, {"y", r.y}, {"width", r.width}, {"height", r.height}};
}

Rect rect_from(JsonReader& r) { return {r.real("x"), r.real("y"), r.real("width"), r.real("height")}; }

/// The array under `key` (empty if absent); an array longer than `limit` is rejected.
Result<const Json*> list(JsonReader& r, std::string_view key, std::size_t limit) {
  static const Json none = Json::array();
  const Json* found = r.child(key, Json::value_t::array);
  NW_TRY(r.status());
  if (found && found->size() > limit)
    return fail(Errc::bad_input, NW_TR("{0}.{1} has more than {2} entries"), r.where(), key, limit);
  return found ? found : &none;
}

std::string item_name(const std::string& where, const char* what, std::size_t i) {
  return fmt::format("{}.{}[{}]", where, what, i);
}

template <class Item, class Make>
Status read_items(JsonReader& r, const char* key, std::map<ItemId, Item>& items, Make make) {
  NW_ASSIGN(const Json* all, list(r, key, item_limit));
  for (std::size_t i = 0; i < all->size(); ++i) {
    JsonReader one((*all)[i], item_name(r.where(), key, i));
    const ItemId id = one.integer("id", 1, std::int64_t{1} << 52);
    Item item = make(one);
    NW_TRY(one.status());
    if (!items.emplace(id, std::move(item)).second)
      return fail(Errc::bad_input, NW_TR("{0}: the number {1} is taken"), one.where(), id);
  }
  return {};
}

Status read_nodes(JsonReader& r, Graph& g, std::size_t& nodes_left) {
  NW_ASSIGN(const Json* nodes, list(r, "nodes", nodes_left));
  nodes_left -= nodes->size();
  for (std::size_t i = 0; i < nodes->size(); ++i) {
    const std::string where = item_name(r.where(), "nodes", i);
    NW_ASSIGN(auto one, node_from((*nodes)[i], where));
    if (!g.nodes.emplace(one.first, std::move(one.second)).second)
      return fail(Errc::bad_input, NW_TR("{0}: the number {1} is taken"), where, one.first);
  }
  return {};
}

Status read_connections(JsonReader& r, Graph& g) {
  NW_ASSIGN(const Json* connections, list(r, "connections", connection_limit));
  for (std::size_t i = 0; i < connections->size(); ++i) {
    NW_ASSIGN(const Connection c, connection_from((*connections)[i], item_name(r.where(), "connections", i)));
    g.connections.push_back(c);
  }
  std::sort(g.connections.begin(), g.connections.end());
  return {};
}

Result<std::vector<BlockParameter>> parameters_from(JsonReader& r) {
  NW_ASSIGN(const Json* all, list(r, "parameters", parameter_limit));
  std::vector<BlockParameter> parameters;
  std::set<std::string> names;
  for (std::size_t i = 0; i < all->size(); ++i) {
    JsonReader one((*all)[i], item_name(r.where(), "parameters", i));
    parameters.push_back({one.string("name"), one.integer("value", INT64_MIN, INT64_MAX)});
    if (one.status() && (!is_identifier(parameters.back().name) || !names.insert(parameters.back().name).second))
      one.problem(text(NW_TR("needs a unique name")));
    NW_TRY(one.status());
  }
  return parameters;
}

}  // namespace

Json to_json(const Graph& g) {
  Json j = {
      {"nodes", Json::array()}, {"connections", Json::array()}, {"frames", Json::array()}, {"notes", Json::array()}};
  for (const auto& [id, node] : g.nodes) j["nodes"].push_back(node_json(id, node));
  for (const Connection& c : g.connections) j["connections"].push_back({c.from, c.from_port, c.to, c.to_port});
  for (const auto& [id, frame] : g.frames) {
    j["frames"].push_back(rect_json(id, frame.rect));
    j["frames"].back()["title"] = frame.title;
  }
  for (const auto& [id, note] : g.notes) {
    j["notes"].push_back(rect_json(id, note.rect));
    j["notes"].back()["text"] = note.text;
  }
  return j;
}

Json to_json(const Block& block) {
  Json parameters = Json::array();
  for (const BlockParameter& p : block.parameters) parameters.push_back({{"name", p.name}, {"value", p.value}});
  return {{"parameters", std::move(parameters)}, {"network", to_json(block.graph)}};
}

Result<Graph> graph_from_json(const Json& json, const std::string& where, std::size_t& nodes_left) {
  JsonReader r(json, where);
  NW_TRY(r.status());
  Graph g;
  NW_TRY(read_nodes(r, g, nodes_left));
  NW_TRY(read_connections(r, g));
  NW_TRY(read_items(r, "frames", g.frames, [](JsonReader& one) { return Frame{one.string("title"), rect_from(one)}; }));
  NW_TRY(read_items(r, "notes", g.notes, [](JsonReader& one) { return Note{one.string("text"), rect_from(one)}; }));
  if (const Text fault = fault_of(g); !fault.empty())
    return fail(Errc::bad_input, NW_TR("{0}: {1}"), where, fault.str());
  return g;
}

Result<std::map<std::string, Block>> blocks_from_json(const Json& json, const std::string& where,
                                                      std::size_t& nodes_left) {
  if (json.size() > block_limit)
    return fail(Errc::bad_input, NW_TR("{0} has more than {1} entries"), where, block_limit);
  std::map<std::string, Block> blocks;
  for (const auto& [name, value] : json.items()) {
    if (!is_name(name))
      return fail(Errc::bad_input, NW_TR("{0}: \"{1}\" is no name for a block"), where, name.substr(0, name_limit));
    JsonReader r(value, where + "." + name);
    NW_TRY(r.status());
    Block block;
    NW_ASSIGN(block.parameters, parameters_from(r));
    const Json* network = r.child("network", Json::value_t::object);
    NW_TRY(r.status());
    if (network) { NW_ASSIGN(block.graph, graph_from_json(*network, r.where() + ".network", nodes_left)); }
    blocks.emplace(name, std::move(block));
  }
  if (const std::string name = cyclic_block(blocks); !name.empty())
    return fail(Errc::bad_input, NW_TR("{0}: the block {1} contains itself"), where, name);
  return blocks;
}

namespace {
void find_beyond(const Json& read, const Json& known, const Json::json_pointer& at, Json& extra) {
  for (const auto& [key, value] : read.items()) {
    const auto it = known.find(key);
    if (it == known.end())
      extra[(at / key).to_string()] = value;
    else if (value.is_object() && it->is_object())
      find_beyond(value, *it, at / key, extra);
  }
}
}  // namespace

Json beyond(const Json& read, const Json& known) {
  Json extra = Json::object();
  find_beyond(read, known, Json::json_pointer(), extra);
  return extra;
}

void put_back(Json& into, const Json& extra) {
  for (const auto& [path, value] : extra.items()) {
    const Json::json_pointer at(path);
    if (into.contains(at.parent_pointer()) && !into.contains(at)) into[at] = value;
  }
}

}  // namespace nw
