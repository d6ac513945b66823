// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/plugin.hpp"

#include <dlfcn.h>

#include <map>
#include <mutex>

#include "engine/backend/fatal_error_handler.hpp"

namespace nw {
namespace {

namespace fs = std::filesystem;

struct Plugins {
  std::mutex mutex;
  fs::path folder;
  std::map<fs::path, Result<const Backend*>> opened;
};
Plugins& plugins() {
  static Plugins all;
  return all;
}

// Removes the path from the text of dlerror, because the message already contains it.
std::string load_error(const fs::path& library) {
  const char* error_text = ::dlerror();
  std::string why = error_text ? error_text : "";
  const std::string prefix = library.string() + ": ";
  return why.rfind(prefix, 0) == 0 ? why.substr(prefix.size()) : why;
}

// The version is the first member in all versions: other members are read only if it is the expected one.
Status check(const Backend* backend, const fs::path& library, const std::string& name) {
  if (!backend)
    return fail(Errc::no_device, NW_TR("{0} offers no backend; build it again from the sources of this program"),
                library.string());
  if (backend->api_version != backend_api_version)
    return fail(Errc::no_device,
                NW_TR("{0} has version {1} of the backend interface and this program needs version {2}; build both "
                      "from the same sources"),
                library.string(), backend->api_version, backend_api_version);
  const std::string offered = backend->name ? backend->name : "";
  if (offered != name)
    return fail(
        Errc::no_device,
        NW_TR("{0} provides the backend \"{1}\", but \"{2}\" is needed; replace the library with the right one"),
        library.string(), offered, name);
  return {};
}

}  // namespace

Result<const Backend*> open_backend(const fs::path& library, const std::string& name) {
  using Entry = const Backend* (*)();
  std::error_code error;
  if (!fs::exists(library, error))
    return fail(Errc::no_device,
                NW_TR("the plug-in for {0} is not installed: {1} is missing; build the program on a machine with "
                      "NVIDIA's nvcc, or train on cpu"),
                name, library.string());
  void* module = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module)
    return fail(Errc::no_device, NW_TR("{0} cannot be loaded ({1}); build it again, or train on cpu"), library.string(),
                load_error(library));
  const auto entry = reinterpret_cast<Entry>(::dlsym(module, "netwright_backend"));
  if (!entry)
    return fail(Errc::no_device,
                NW_TR("{0} is not a plug-in of this program: it has no netwright_backend; replace the library with the "
                      "right one"),
                library.string());
  const Backend* backend = entry();
  NW_TRY(check(backend, library, name));
  using OnHang = void (*)(void (*)(const Error&));
  if (const auto on_hang = reinterpret_cast<OnHang>(::dlsym(module, "netwright_on_hang"))) on_hang(exit_hung_process);
  return backend;
}

void set_plugin_folder(const fs::path& folder) {
  const std::scoped_lock lock(plugins().mutex);
  plugins().folder = folder;
}

bool loads_plugins() {
  const std::scoped_lock lock(plugins().mutex);
  return !plugins().folder.empty();
}

Result<std::filesystem::path> plugin_folder() {
  const std::scoped_lock lock(plugins().mutex);
  if (plugins().folder.empty())
    return fail(Errc::no_device, NW_TR("only netwright-cli can be started by mpirun; this program loads no plug-ins"));
  return plugins().folder;
}

Result<const Backend*> backend_plugin(const std::string& name) {
  Plugins& p = plugins();
  const std::scoped_lock lock(p.mutex);
  if (p.folder.empty())
    return fail(Errc::no_device, NW_TR("only netwright-cli can use {0} devices; this program loads no plug-ins"), name);
  const fs::path library = p.folder / ("libnw_" + name + ".so");
  const auto known = p.opened.find(library);
  if (known != p.opened.end()) return known->second;
  return p.opened.emplace(library, open_backend(library, name)).first->second;
}

}  // namespace nw
