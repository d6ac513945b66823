// SPDX-License-Identifier: Apache-2.0
#include "engine/design/start_from.hpp"

#include "engine/core/path_text.hpp"
#include "engine/design/project_file.hpp"

namespace nw {

// The document keeps it among the members of the file that it has no field for, as it keeps those of newer versions:
// copies, undo and saving preserve it.
Result<StartFrom> start_from(const GraphDoc& doc) {
  const Json json = ProjectFile::json(doc);
  const auto it = json.find("start_from");
  if (it == json.end()) return StartFrom{};
  if (!it->is_object()) return fail(Errc::bad_input, NW_TR("start_from of the project is not an object"));
  JsonReader r(*it, "start_from");
  StartFrom from{text_to_path(r.string("weights")), r.string_or("sha256", "")};
  if (from.weights.size() > 4096 || (!from.sha256.empty() && from.sha256.size() != 64))
    r.problem(text(NW_TR("it names no file of weights")));
  NW_TRY(r.status());
  return from;
}

Status set_start_from(GraphDoc& doc, const StartFrom& from) {
  Json json = ProjectFile::json(doc);
  json["start_from"] = {{"weights", path_to_text(from.weights)}, {"sha256", from.sha256}};
  NW_ASSIGN(doc, ProjectFile::from_json(json, "project"));
  return {};
}

}  // namespace nw
