// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/message_plugin.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "engine/backend/plugin.hpp"

namespace nw {
namespace {

/// Set by mpirun of Open MPI.
bool started_by_mpirun() {
  const char* world = std::getenv("OMPI_COMM_WORLD_SIZE");
  return world && std::atoi(world) > 1;
}

}  // namespace

Result<std::unique_ptr<ProcessGroup>> join_processes() {
  if (!started_by_mpirun()) return std::unique_ptr<ProcessGroup>();
  NW_ASSIGN(const std::filesystem::path folder, plugin_folder());
  const std::filesystem::path library = folder / "libnw_mpi.so";
  void* module = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module)
    return fail(Errc::no_device,
                NW_TR("mpirun started this program, but {0} cannot be loaded; build it on a machine with Open MPI "
                      "(Debian: libopenmpi-dev), or start the program without mpirun"),
                library.string());
  using Entry = const MessageLayer* (*)();
  const auto entry = reinterpret_cast<Entry>(::dlsym(module, "netwright_messages"));
  const MessageLayer* layer = entry ? entry() : nullptr;
  if (!layer || layer->version != message_layer_version)
    return fail(Errc::no_device, NW_TR("{0} is of another version of this program; build both from the same sources"),
                library.string());
  return ProcessGroup::join(*layer);
}

}  // namespace nw
