// SPDX-License-Identifier: Apache-2.0
// The rooms of the tree, the includes between them, and the table in docs/architecture.md that says which are allowed.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nw::rules {

namespace fs = std::filesystem;

/// From a room or file to those that it includes; names are paths below the repository's top.
using Includes = std::map<std::string, std::set<std::string>>;

/// C++ files below `room` of `top`, as paths below `top`, in order.
std::vector<std::string> cpp_files(const fs::path& top, const std::string& room);
/// The paths in quotes that a file includes, in order of appearance.
std::vector<std::string> includes_of(const fs::path& file);
/// "ui/canvas/view" of "ui/canvas/view/graph_view.hpp".
std::string room_of(const std::string& file);

/// Every file of `areas` with the project's files that it includes.
Includes file_includes(const fs::path& top, const std::vector<std::string>& areas);
/// Every room with the other rooms that its files include.
Includes room_includes(const Includes& files);
/// The rows of the table between <!-- rooms --> and <!-- /rooms -->: "| `room` | what it is | `a`, `b` |".
Includes documented_rooms(const fs::path& page);
/// A cycle, as the names along it with the first one again at the end; empty where there is none.
std::vector<std::string> find_cycle(const Includes&);

}  // namespace nw::rules
