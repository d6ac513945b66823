// SPDX-License-Identifier: Apache-2.0
// Backends that lie in a shared library of their own: found beside the program, opened at run time, refused with one
// sentence.
#pragma once
#include <filesystem>
#include <string>

#include "kernels/api.hpp"

namespace nw {

/// Opens the library and asks it for the backend `name`. It stays loaded. Errc::no_device: no such file, no library, no
/// backend in it, one of another interface version, or one of another name.
Result<const Backend*> open_backend(const std::filesystem::path& library, const std::string& name);

/// Where this process looks for plug-ins. Empty, as at the start: it loads none (the window must outlive any driver).
void set_plugin_folder(const std::filesystem::path&);
bool loads_plugins();

/// `libnw_<name>.so` of that folder, opened once.
Result<const Backend*> backend_plugin(const std::string& name);

}  // namespace nw
