// SPDX-License-Identifier: Apache-2.0
// The rooms of the tree, the includes between them, and the table of allowed includes in docs/architecture.md.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nw::rules {

namespace fs = std::filesystem;

/// Maps a room or file to the rooms or files that it includes; names are paths below the repository's top.
using Includes = std::map<std::string, std::set<std::string>>;

/// C++ files below `room` of `top`, as sorted paths below `top`.
std::vector<std::string> cpp_files(const fs::path& top, const std::string& room);
/// The paths in quotes that a file includes, in order of appearance.
std::vector<std::string> includes_of(const fs::path& file);
/// The room of a file: "ui/canvas/view" for "ui/canvas/view/graph_view.hpp".
std::string room_of(const std::string& file);

/// Maps every file of `areas` to the project's files that it includes.
Includes file_includes(const fs::path& top, const std::vector<std::string>& areas);
/// Maps every room to the other rooms that its files include.
Includes room_includes(const Includes& files);
/// The rows of the table between <!-- rooms --> and <!-- /rooms -->: "| `room` | what it is | `a`, `b` |".
Includes documented_rooms(const fs::path& page);
/// A cycle as the names along it, with the first one repeated at the end; empty if there is none.
std::vector<std::string> find_cycle(const Includes&);

}  // namespace nw::rules
