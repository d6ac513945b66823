// SPDX-License-Identifier: Apache-2.0
// What is known of the components in this installation.
#include <dlfcn.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "engine/about/components.hpp"
#include "engine/backend/command_line.hpp"
#include "engine/backend/device_search.hpp"

namespace nw {

std::span<const std::pair<std::string_view, std::string_view>> built_with();  // made by CMake

void* LoadedFunctions::address(const char* name) const { return ::dlsym(handle_, name); }

std::string built_version(std::string_view name) {
  for (const auto& [component, version] : built_with())
    if (component == name) return std::string(version);
  for (const Component& c : all_components())
    if (c.name == name) return std::string(c.own_version);
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

/// The part of device_search() that tells a component's version; empty: another place does.
std::string_view searched_part_of(std::string_view component) {
  static constexpr std::pair<std::string_view, std::string_view> parts[] = {
      {"CUDA", "driver"}, {"cuBLAS", "cublas"}, {"cuDNN", "cudnn"}, {"NCCL", "nccl"}};
  for (const auto& [name, part] : parts)
    if (name == component) return part;
  return {};
}

std::string searched_version(std::string_view id) {
  static const std::vector<SearchedPart> parts = device_search();
  for (const SearchedPart& part : parts)
    if (part.id == id && part.found()) return part.version;
  return {};
}

}  // namespace

std::string loaded_version(const Component& c) {
  if (const std::string_view part = searched_part_of(c.name); !part.empty()) return searched_version(part);
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
  return {{"name", c.name},     {"licence", c.licence},        {"use", c.use.str()},
          {"built", s.built},   {"loaded", s.loaded},          {"licence_file", licence_file(c).string()},
          {"module", c.module}, {"with_system", c.with_system}};
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

constexpr const char* versions_file = "versions.txt";

/// "libz1", "libz-0" and "libz-dev" are packages of "libz", "libz-ng" and "libzip4" are not: after the name come
/// digits, the mark of Debian's 64-bit times, or nothing.
bool is_package(std::string_view folder, std::string_view name) {
  if (!folder.starts_with(name)) return false;
  const std::string_view rest = folder.substr(name.size());
  const std::string_view version = rest.starts_with('-') ? rest.substr(1) : rest;
  return rest.empty() || rest == "t64" || rest.starts_with("-dev") ||
         (!version.empty() && ((version[0] >= '0' && version[0] <= '9') || version[0] == '.'));
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
  if (fs::path file = found_below(archive_licences(), c.package, ""); !file.empty()) return file;
  return found_below("/usr/share/doc", c.package, "copyright");
}

// the program lies in lib/netwright of the archive, and in bin of the wheel's module
fs::path archive_licences() {
  const fs::path in_archive = (program_folder() / "../../licences").lexically_normal();
  const fs::path in_wheel = (program_folder() / "../licences").lexically_normal();
  std::error_code ignored;
  return !fs::exists(in_archive, ignored) && fs::exists(in_wheel / versions_file, ignored) ? in_wheel : in_archive;
}

namespace {

constexpr std::size_t longest_versions_bytes = std::size_t{1} << 20;

std::map<std::string, std::string> versions_in(const fs::path& folder) {
  std::map<std::string, std::string> versions;
  const Result<std::string> text = read_file(folder / versions_file, longest_versions_bytes);
  if (!text) return versions;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t blank = line.find(' '); blank != std::string::npos)
      versions[line.substr(0, blank)] = line.substr(blank + 1);
  return versions;
}

}  // namespace

std::vector<BundledPackage> bundled_packages(const fs::path& folder) {
  std::error_code ignored;
  std::vector<BundledPackage> found;
  std::map<std::string, std::string> versions = versions_in(folder);
  const auto is_of = [](const fs::path& file) {
    return [name = file.filename().string()](const Component& c) { return is_package(name, c.package); };
  };
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name != versions_file && entry.is_regular_file(ignored) &&
        std::ranges::none_of(all_components(), is_of(entry.path())))
      found.push_back({name, versions[name], entry.path()});
  }
  std::ranges::sort(found, {}, &BundledPackage::name);
  return found;
}

std::string licence_address(const Component& c) {
  const std::string_view first = c.licence.substr(0, c.licence.find(' '));
  if (first == "LicenseRef-NVIDIA-cuDNN") return "https://docs.nvidia.com/deeplearning/cudnn/sla/index.html";
  if (first.starts_with("LicenseRef-NVIDIA")) return "https://docs.nvidia.com/cuda/eula/index.html";
  return fmt::format("https://spdx.org/licenses/{}.html", first);
}

}  // namespace nw
