// SPDX-License-Identifier: Apache-2.0
// Example projects with small data: written into a folder of the user, where they are trained and changed like any
// other project. The program holds them as recipes, so they are there however it was installed.
#pragma once
#include <span>
#include <string_view>

#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw {

struct Example {
  std::string_view name;  // of its folder and its file: "digits"
  Text title, summary;    // one line; what it shows and what to try
  /// The project; its data, if it has files, lie in `folder`.
  GraphDoc (*make)(const fs::path& folder);
  /// Writes the files of its data into `folder`; null: it has none.
  Status (*write_data)(const fs::path& folder) = nullptr;
};
std::span<const Example> all_examples();
const Example* find_example(std::string_view name);  // null: there is none

/// data_folder()/examples
fs::path examples_folder();
/// Writes the example into `folder` / its name, unless it is there already: what a user has changed stays. Returns the
/// project's file. Takes less than a second; a folder that was written half is completed.
Result<fs::path> open_example(const Example&, const fs::path& folder);

}  // namespace nw
