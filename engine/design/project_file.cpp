// SPDX-License-Identifier: Apache-2.0
#include "engine/design/project_file.hpp"

#include <algorithm>

#include "engine/core/newer_format.hpp"
#include "engine/design/json_form.hpp"
#include "engine/design/names.hpp"

namespace nw {
namespace {

NodeId last_id(const Graph& g) {
  NodeId last = 0;
  if (!g.nodes.empty()) last = std::max(last, g.nodes.rbegin()->first);
  if (!g.frames.empty()) last = std::max(last, g.frames.rbegin()->first);
  if (!g.notes.empty()) last = std::max(last, g.notes.rbegin()->first);
  return last;
}

Status check_format(JsonReader& r, std::string_view where) {
  if (!r.status() || !r.has("format"))
    return fail(Errc::bad_input, NW_TR("{0} is no Netwright project: it has no \"format\""), where);
  const std::int64_t format = r.integer("format", 1, 1'000'000);
  NW_TRY(r.status());
  if (format > project_format) return newer_format(r.json(), where, format, project_format);
  return {};
}

}  // namespace

Json ProjectFile::json(const GraphDoc& doc) {
  Json blocks = Json::object();
  for (const auto& [name, block] : doc.blocks_) blocks[name] = to_json(block);
  Json j = {{"format", project_format},
            {"network", to_json(doc.main_)},
            {"blocks", std::move(blocks)},
            {"data", to_json(doc.data_)},
            {"training", to_json(doc.settings_)}};
  put_back(j, doc.unknown_);
  return j;
}

std::string ProjectFile::text(const GraphDoc& doc) { return canonical(json(doc)); }

Result<GraphDoc> ProjectFile::from_json(const Json& json, std::string_view where) {
  const std::string name(where);
  JsonReader r(json, name);
  NW_TRY(check_format(r, where));
  const Json* network = r.child("network", Json::value_t::object);
  const Json* blocks = r.child("blocks", Json::value_t::object);
  const Json* data = r.child("data", Json::value_t::object);
  const Json* training = r.child("training", Json::value_t::object);
  NW_TRY(r.status());
  GraphDoc doc;
  std::size_t nodes_left = node_limit;
  if (network) { NW_ASSIGN(doc.main_, graph_from_json(*network, name + ": network", nodes_left)); }
  if (blocks) { NW_ASSIGN(doc.blocks_, blocks_from_json(*blocks, name + ": blocks", nodes_left)); }
  if (data) { NW_ASSIGN(doc.data_, data_from_json(*data, name + ": data")); }
  if (training) { NW_ASSIGN(doc.settings_, settings_from_json(*training, name + ": training")); }
  NodeId last = last_id(doc.main_);
  for (const auto& [block, definition] : doc.blocks_) last = std::max(last, last_id(definition.graph));
  doc.next_id_ = last + 1;
  Json known = ProjectFile::json(doc);
  known["training"] = known_settings(doc.settings_);
  doc.unknown_ = beyond(json, known);
  return doc;
}

Result<GraphDoc> ProjectFile::parse(std::string_view text, std::string_view where) {
  NW_ASSIGN(const Json json, parse_json(text, where));
  return from_json(json, where);
}

Result<GraphDoc> ProjectFile::load(const fs::path& path) {
  NW_ASSIGN(const std::string bytes, read_file(path, JsonLimits{}.bytes));
  return parse(bytes, path.filename().string());
}

Status ProjectFile::save(const GraphDoc& doc, const fs::path& path) { return save_file(path, text(doc)); }

}  // namespace nw
