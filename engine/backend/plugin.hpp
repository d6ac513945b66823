// SPDX-License-Identifier: Apache-2.0
// Backends in shared libraries (plug-ins), searched in the folder of the executable, opened at run time, and rejected
// with a message.
#pragma once
#include <filesystem>
#include <string>

#include "kernels/api.hpp"

namespace nw {

/// Opens the library and returns its backend `name`. The library stays loaded. Errc::no_device: the file does not
/// exist, is no library, has no backend, or its interface version or name differs.
Result<const Backend*> open_backend(const std::filesystem::path& library, const std::string& name);

/// The folder in which this process searches for plug-ins. Empty (the default): none is loaded, because a crash of a
/// driver must not end the window.
void set_plugin_folder(const std::filesystem::path&);
bool loads_plugins();
/// Errc::no_device: this program loads no plug-ins.
Result<std::filesystem::path> plugin_folder();

/// Opens `libnw_<name>.so` in that folder, once.
Result<const Backend*> backend_plugin(const std::string& name);

}  // namespace nw
