// SPDX-License-Identifier: Apache-2.0
// netwright-cli about: the software of others, with versions and licences.
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/about/components.hpp"
#include "engine/core/version.hpp"

namespace nw::cli {
namespace {

std::string versions_of(const ComponentState& s) {
  if (s.loaded.empty() && s.built.empty()) return s.component->with_system ? "with the system" : "not in this build";
  if (s.loaded.empty() || s.loaded == s.built) return s.built;
  return s.built.empty() ? s.loaded + " (here)" : fmt::format("{} ({} here)", s.built, s.loaded);
}

int list_components(bool json) {
  std::vector<std::vector<std::string>> rows{{"component", "version", "licence", "licence's text"}};
  for (const ComponentState& s : component_states()) {
    if (json) {
      print(to_json(s).dump());
      continue;
    }
    const fs::path file = licence_file(*s.component);
    rows.push_back({std::string(s.component->name), versions_of(s), std::string(s.component->licence),
                    file.empty() ? licence_address(*s.component) : file.string()});
  }
  for (const BundledPackage& p : bundled_packages(archive_licences())) {
    const std::string file = p.licence.string();
    if (json) print(Json{{"name", p.name}, {"version", p.version}, {"bundled", true}, {"licence_file", file}}.dump());
    rows.push_back({p.name, p.version.empty() ? "bundled" : p.version + " (bundled)", "in its text", file});
  }
  if (json) return 0;
  print("netwright-cli " + version() + ", Apache-2.0; the window: GPL-3.0-or-later");
  print_lines(table(std::move(rows)));
  return 0;
}

}  // namespace

void add_about(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("about", "List the software that this program is made of");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON lines: name, licence, version as built and as loaded, licence's file");
  command->footer(
      "The second version, where there is one, is that of the library which is loaded on this computer.\n"
      "Example: netwright-cli about --json");
  command->callback([=, &chosen] { chosen = [json] { return list_components(*json); }; });
}

}  // namespace nw::cli
