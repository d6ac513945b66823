// SPDX-License-Identifier: Apache-2.0
#include "tests/rules/rooms.hpp"

#include <algorithm>
#include <fstream>
#include <regex>

namespace nw::rules {
namespace {

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The first capture group of every match of `pattern` in `text`.
std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

enum class Mark { open, closed };

/// Depth-first search; `path` contains the names from the start to `at`. True: `path` ends in a cycle.
bool search(const Includes& graph, const std::string& at, std::map<std::string, Mark>& marks,
            std::vector<std::string>& path) {
  path.push_back(at);
  marks[at] = Mark::open;
  const auto found = graph.find(at);
  for (const std::string& next : found == graph.end() ? std::set<std::string>() : found->second) {
    const auto mark = marks.find(next);
    if (mark != marks.end() && mark->second == Mark::closed) continue;
    if (mark == marks.end()) {
      if (search(graph, next, marks, path)) return true;
      continue;
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), next));
    path.push_back(next);
    return true;
  }
  marks[at] = Mark::closed;
  path.pop_back();
  return false;
}

}  // namespace

std::vector<std::string> cpp_files(const fs::path& top, const std::string& room) {
  static const std::set<std::string> kinds = {".cpp", ".hpp", ".cu", ".cuh"};
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(top / room))
    if (entry.is_regular_file() && kinds.contains(entry.path().extension().string()))
      found.push_back(fs::relative(entry.path(), top).string());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> includes_of(const fs::path& file) {
  static const std::regex pattern(R"re((?:^|\n)\s*#\s*include\s+"([^"]+)")re");
  return matches(text_of(file), pattern);
}

std::string room_of(const std::string& file) { return fs::path(file).parent_path().string(); }

Includes file_includes(const fs::path& top, const std::vector<std::string>& areas) {
  Includes all;
  for (const std::string& area : areas)
    for (const std::string& file : cpp_files(top, area)) {
      std::set<std::string>& own = all[file];
      for (const std::string& target : includes_of(top / file))
        if (fs::exists(top / target)) own.insert(target);
    }
  return all;
}

Includes room_includes(const Includes& files) {
  Includes rooms;
  for (const auto& [file, targets] : files) {
    std::set<std::string>& own = rooms[room_of(file)];
    for (const std::string& target : targets)
      if (room_of(target) != room_of(file)) own.insert(room_of(target));
  }
  return rooms;
}

Includes documented_rooms(const fs::path& page) {
  const std::string text = text_of(page), begin = "<!-- rooms -->", end = "<!-- /rooms -->";
  const std::size_t first = text.find(begin), last = text.find(end);
  if (first == std::string::npos || last == std::string::npos) return {};
  static const std::regex row(R"(\n(\| `[^\n]*\|)(?=\n))"), name("`([^`]+)`");
  Includes rooms;
  for (const std::string& line : matches(text.substr(first, last - first), row)) {
    const std::size_t second = line.find('|', 1), third = line.find('|', second + 1);
    const std::vector<std::string> room = matches(line.substr(0, second), name);
    const std::vector<std::string> targets = matches(line.substr(third), name);
    if (!room.empty()) rooms[room.front()] = {targets.begin(), targets.end()};
  }
  return rooms;
}

std::vector<std::string> find_cycle(const Includes& graph) {
  std::map<std::string, Mark> marks;
  for (const auto& [name, targets] : graph) {
    std::vector<std::string> path;
    if (!marks.contains(name) && search(graph, name, marks, path)) return path;
  }
  return {};
}

}  // namespace nw::rules
