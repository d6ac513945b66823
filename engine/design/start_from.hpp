// SPDX-License-Identifier: Apache-2.0
// The weights that training begins with: a safetensors file beside the project, which itself holds none. The member
// "start_from" of the project file.
#pragma once
#include <string>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw {

struct StartFrom {
  std::string weights;             // path, relative to the project's folder; empty: weights are initialized
  std::string sha256;              // of that file; empty: not checked
  std::vector<std::string> fresh;  // layers that begin anew although the file holds weights of their names and shapes
  std::string parent;              // name of the run that trained the weights; empty: unknown
  bool operator==(const StartFrom&) const = default;
};
/// Errc::bad_input: the project names something that is no file.
Result<StartFrom> start_from(const GraphDoc&);
/// No undo step; importers and the window's own command use it. Without weights the member is removed.
Status set_start_from(GraphDoc&, const StartFrom&);
/// The document of a project of `folder` for another place: the file of weights is named by its whole path.
Result<GraphDoc> away_from(GraphDoc, const fs::path& folder);

}  // namespace nw
