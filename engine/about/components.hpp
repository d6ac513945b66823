// SPDX-License-Identifier: Apache-2.0
// The software and the fonts of others that Netwright is made of: one table for About, `netwright-cli about` and the
// test that compares it with what the programs link.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"

namespace nw {

/// Finds a function of a library that this process has loaded, by its name; null: it has no such function.
class LoadedFunctions {
 public:
  explicit LoadedFunctions(void* handle) : handle_(handle) {}
  template <class F>
  F* find(const char* name) const {
    return reinterpret_cast<F*>(address(name));
  }

 private:
  void* address(const char* name) const;
  void* handle_;
};

/// One row.
struct Component {
  std::string_view name;         // "zlib"
  std::string_view licence;      // as SPDX writes it: "Zlib"; several: "IJG AND BSD-3-Clause"
  Text use;                      // what it does here: "compressed data sets"
  std::string_view cmake;        // the name by which CMake finds it: "ZLIB"; empty: CMake does not
  std::string_view development;  // package that a build needs: "zlib1g-dev"; several: with a blank
  std::string_view package;      // start of the package's name that is installed with it: "zlib1g"
  std::string_view libraries;    // how the files begin that programs name as needed: "libz.so"; several: with a blank
  std::string_view module;       // the file that needs it: "libnw_images.so"; empty: the program itself
  std::string_view own_version = {};  // of a work that lies in this repository: "3.19"
  bool with_system = false;           // it belongs to the system, or is found there when the program runs
  /// The version of the loaded library; null: it does not tell.
  std::string (*loaded)(const LoadedFunctions&) = nullptr;
};
std::span<const Component> all_components();

/// The version that the build found, or own_version: "1.2.13"; empty: this build was made without it, or it comes with
/// the system.
std::string built_version(std::string_view name);
/// The version of the library that runs here; empty: it does not tell, or it is not installed. Loads the module that
/// needs it, so the window asks its command-line program instead: reported_components().
std::string loaded_version(const Component&);

/// What is known of a component in this installation.
struct ComponentState {
  const Component* component = nullptr;
  std::string built, loaded;
};
std::vector<ComponentState> component_states();
/// What `netwright-cli about --json` beside this program says, at most 20 s later; empty: it does not answer.
std::vector<ComponentState> reported_components();

/// A line of `about --json`, and back; nullopt: the line is no component of the table.
Json to_json(const ComponentState&);
std::optional<ComponentState> component_state_in(const Json&);

/// The file with the component's licence: among the licences beside the program (`licences/` of the portable archive),
/// else in the documents of the system. Empty: neither is here; licence_address() names a page then.
fs::path licence_file(const Component&);
/// Where the portable archive, or the wheel, keeps the licences of the packages that its libraries are from.
fs::path archive_licences();
/// A package that the portable archive holds because components need its libraries.
struct BundledPackage {
  std::string name, version;  // version: as the distribution writes it; empty: versions.txt does not tell
  fs::path licence;           // the file with its text
};
/// The packages of this folder that are no component: a file there has its package's name, and versions.txt has a line
/// "PACKAGE VERSION" for each. Empty: there is no such folder, as in a Debian package, whose dependencies are packages
/// themselves.
std::vector<BundledPackage> bundled_packages(const fs::path& folder);
/// The page of the first licence: "https://spdx.org/licenses/Zlib.html".
std::string licence_address(const Component&);

}  // namespace nw
