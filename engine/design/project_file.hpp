// SPDX-License-Identifier: Apache-2.0
// name.netwright: JSON, keys sorted, "format": 1, unknown keys kept, no code, no data, no weights.
#pragma once
#include <string>
#include <string_view>

#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw {

inline constexpr int project_format = 1;

struct ProjectFile {
  /// Canonical form: equal documents give equal bytes.
  static std::string text(const GraphDoc&);
  static Json json(const GraphDoc&);
  /// Rejected with a message: malformed files, duplicate keys, too deep nesting, too large files, cyclic blocks, a
  /// newer format (such a file is never overwritten).
  static Result<GraphDoc> parse(std::string_view text, std::string_view where);
  static Result<GraphDoc> from_json(const Json&, std::string_view where);
  static Result<GraphDoc> load(const fs::path&);
  static Status save(const GraphDoc&, const fs::path&);
};

Json to_json(const DataChoice&);
Json to_json(const TrainSettings&);
/// The keys and the fields of all optimizers, which files with another choice may contain.
Json known_settings(const TrainSettings&);
Result<DataChoice> data_from_json(const Json&, std::string_view where);
Result<TrainSettings> settings_from_json(const Json&, std::string_view where);
/// Fails if a file with these settings and this data could not be read again: the limits are those of the readers, so
/// that what the command line accepts can be resumed and evaluated. `where` names the settings' origin in the message.
Status check_limits(const TrainSettings&, const DataChoice&, std::string_view where);

/// A template.
struct Template {
  std::string_view name;  // "lenet5"
  Text title, summary;    // "LeNet-5"; one line
  std::string_view data;  // "MNIST"; empty: a folder of images that the user chooses
  GraphDoc (*make)();
};
std::span<const Template> all_templates();
const Template* find_template(std::string_view name);
/// What a user begins with: the template's network and settings, in the precision that is fastest on the device.
GraphDoc new_project(const Template&);

}  // namespace nw
