// SPDX-License-Identifier: Apache-2.0
// What is known of the components in this installation.
#include <dlfcn.h>

#include <algorithm>
#include <map>

#include "engine/about/components.hpp"
#include "engine/backend/command_line.hpp"
#include "engine/backend/device_search.hpp"

namespace nw {

std::span<const std::pair<std::string_view, std::string_view>> built_with();  // made by CMake

void* LoadedFunctions::address(const char* name) const { return ::dlsym(handle_, name); }

std::string built_version(std::string_view name) {
  for (const auto& [component, version] : built_with())
    if (component == name) return std::string(version);
  return {};
}

namespace {

/// The loaded module, whose libraries answer for themselves; null: it is not here. Loaded once and kept, as its user
/// keeps it.
void* module_of(const Component& c) {
  if (c.module.empty()) return RTLD_DEFAULT;
  if (!c.module.ends_with(".so")) return nullptr;
  static std::map<std::string_view, void*> opened;
  const auto [at, is_new] = opened.try_emplace(c.module, nullptr);
  if (is_new) at->second = ::dlopen((program_folder() / c.module).c_str(), RTLD_NOW | RTLD_LOCAL);
  return at->second;
}

/// "13.0 (CUDA driver), 9.14.0 (cuDNN)": of the libraries that were found.
std::string cuda_libraries() {
  std::string all;
  for (const SearchedPart& part : device_search())
    if (part.found() && !part.version.empty())
      all += fmt::format("{}{} {}", all.empty() ? "" : ", ", part.title.str(), part.version);
  return all;
}

}  // namespace

std::string loaded_version(const Component& c) {
  if (c.name == "CUDA") return cuda_libraries();
  if (!c.loaded) return {};
  void* const handle = module_of(c);
  return handle || c.module.empty() ? c.loaded(LoadedFunctions(handle)) : std::string();
}

std::vector<ComponentState> component_states() {
  std::vector<ComponentState> all;
  for (const Component& c : all_components()) all.push_back({&c, built_version(c.name), loaded_version(c)});
  return all;
}

Json to_json(const ComponentState& s) {
  const Component& c = *s.component;
  return {{"name", c.name},    {"licence", c.licence}, {"use", c.use.str()},
          {"built", s.built},  {"loaded", s.loaded},   {"licence_file", licence_file(c).string()},
          {"module", c.module}};
}

std::optional<ComponentState> component_state_in(const Json& line) {
  if (!line.is_object()) return std::nullopt;
  JsonReader reader(line, "about");
  const std::string name = reader.string_or("name", "");
  for (const Component& c : all_components()) {
    if (c.name != name) continue;
    ComponentState state{&c, reader.string_or("built", ""), reader.string_or("loaded", "")};
    return reader.status() ? std::optional(state) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<ComponentState> reported_components() {
  std::vector<ComponentState> all;
  for (const Json& line : lines_of_command_line({"about", "--json"}))
    if (auto state = component_state_in(line)) all.push_back(*std::move(state));
  return all;
}

namespace {

/// "libz1" is a package of "libz", "libz-ng" is not: after the name come digits, letters of versions, or nothing.
bool is_package(std::string_view folder, std::string_view name) {
  return folder.starts_with(name) &&
         (folder.size() == name.size() || folder[name.size()] != '-' || folder.substr(name.size()).starts_with("-dev"));
}

/// The file in the first folder of that package; `below`: its name in the folder, or empty where the entry is the file.
fs::path found_below(const fs::path& documents, std::string_view package, const char* below) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(documents, ignored)) {
    const fs::path file = *below ? entry.path() / below : entry.path();
    if (is_package(entry.path().filename().string(), package) && fs::is_regular_file(file, ignored))
      found.push_back(file);
  }
  return found.empty() ? fs::path() : *std::min_element(found.begin(), found.end());
}

}  // namespace

fs::path licence_file(const Component& c) {
  const fs::path archive = program_folder() / "../../licences";  // lib/netwright of the portable archive
  if (fs::path file = found_below(archive, c.package, ""); !file.empty()) return file.lexically_normal();
  return found_below("/usr/share/doc", c.package, "copyright");
}

std::string licence_address(const Component& c) {
  const std::string_view first = c.licence.substr(0, c.licence.find(' '));
  if (first.starts_with("LicenseRef-NVIDIA")) return "https://docs.nvidia.com/cuda/eula/index.html";
  return fmt::format("https://spdx.org/licenses/{}.html", first);
}

}  // namespace nw
