// SPDX-License-Identifier: Apache-2.0
// Where data sets are searched.
#include <algorithm>
#include <cstdlib>

#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

std::vector<fs::path> roots(const fs::path& data_dir) {
  std::vector<fs::path> all;
  if (!data_dir.empty()) return {data_dir};
  if (const char* env = std::getenv("NETWRIGHT_DATA"); env && *env) all.emplace_back(env);
  all.push_back(data_folder());
  return all;
}

}  // namespace

fs::path located(const std::string& path) {
  std::error_code ignored;
  const fs::path asked(path);
  if (path.empty() || asked.is_absolute() || fs::exists(asked, ignored)) return asked;
  for (const fs::path& root : roots({}))
    if (fs::exists(root / asked, ignored)) return root / asked;
  return asked;
}

fs::path chosen_place(const DataChoice& c, const fs::path& data_dir) {
  return data_dir.empty() ? located(c.path) : data_dir;
}

fs::path find_set(const fs::path& data_dir, const KnownSet& set) {
  std::error_code ignored;
  for (const fs::path& root : roots(data_dir)) {
    std::vector<fs::path> folders{root};
    for (const std::string& n : set.names) folders.push_back(root / n);
    for (const fs::path& folder : folders)
      for (const std::string& probe : set.probes)
        if (fs::exists(folder / probe, ignored)) return folder;
  }
  return {};
}

bool holds_set(const fs::path& place, const KnownSet& set) {
  std::error_code ignored;
  return fs::is_directory(place, ignored) && !find_set(place, set).empty();
}

Result<fs::path> known_place(const DataChoice& c, const fs::path& data_dir, const KnownSet& set) {
  if (data_dir.empty() && !c.path.empty()) return located(c.path);
  const fs::path found = find_set(data_dir, set);
  if (!found.empty()) return found;
  if (!data_dir.empty()) return data_dir;
  return fail(Errc::bad_input,
              NW_TR("{0} was not found; put its files into {1}, or choose the folder that holds them (--data)"),
              set.title, (data_folder() / set.names.front()).string());
}

bool has_ending(std::string name, std::initializer_list<std::string_view> endings) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_file_named(const fs::path& place, std::initializer_list<std::string_view> endings) {
  std::error_code ignored;
  return has_ending(place.filename().string(), endings) && !fs::is_directory(place, ignored);
}

}  // namespace nw
