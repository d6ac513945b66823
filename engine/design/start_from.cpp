// SPDX-License-Identifier: Apache-2.0
#include "engine/design/start_from.hpp"

#include "engine/core/path_text.hpp"
#include "engine/design/project_file.hpp"

namespace nw {
namespace {

constexpr std::size_t longest_name = 4096, most_fresh = 100'000;

Status read_fresh(JsonReader& r, std::vector<std::string>& fresh) {
  if (!r.has("fresh")) return {};
  const Json* list = r.child("fresh", Json::value_t::array);
  if (!list) return r.status();
  for (const Json& name : *list) {
    if (!name.is_string() || name.get_ref<const std::string&>().size() > longest_name || fresh.size() == most_fresh)
      return fail(Errc::bad_input, NW_TR("{0}.fresh must be a list of names of layers"), r.where());
    fresh.push_back(name.get<std::string>());
  }
  return {};
}

}  // namespace

// The document keeps it among the members of the file that it has no field for, as it keeps those of newer versions:
// copies, undo and saving preserve it.
Result<StartFrom> start_from(const GraphDoc& doc) {
  const Json json = ProjectFile::json(doc);
  const auto it = json.find("start_from");
  if (it == json.end()) return StartFrom{};
  if (!it->is_object()) return fail(Errc::bad_input, NW_TR("start_from of the project is not an object"));
  JsonReader r(*it, "start_from");
  StartFrom from{.weights = text_to_path(r.string("weights")),
                 .sha256 = r.string_or("sha256", ""),
                 .parent = r.string_or("parent", "")};
  NW_TRY(read_fresh(r, from.fresh));
  if (from.weights.size() > 4096 || from.parent.size() > longest_name ||
      (!from.sha256.empty() && from.sha256.size() != 64))
    r.problem(text(NW_TR("it names no file of weights")));
  NW_TRY(r.status());
  return from;
}

Status set_start_from(GraphDoc& doc, const StartFrom& from) {
  Json json = ProjectFile::json(doc);
  json.erase("start_from");
  if (from.weights.empty()) {
    NW_ASSIGN(doc, ProjectFile::from_json(json, "project"));
    return {};
  }
  Json& j = json["start_from"] = {{"weights", path_to_text(from.weights)}, {"sha256", from.sha256}};
  if (!from.fresh.empty()) j["fresh"] = from.fresh;
  if (!from.parent.empty()) j["parent"] = from.parent;
  NW_ASSIGN(doc, ProjectFile::from_json(json, "project"));
  return {};
}

Result<GraphDoc> away_from(GraphDoc doc, const fs::path& folder) {
  NW_ASSIGN(StartFrom from, start_from(doc));
  if (from.weights.empty() || fs::path(from.weights).is_absolute()) return doc;
  from.weights = fs::absolute(folder / from.weights).lexically_normal().string();
  NW_TRY(set_start_from(doc, from));
  return doc;
}

}  // namespace nw
