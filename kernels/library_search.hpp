// SPDX-License-Identifier: Apache-2.0
// Where NVIDIA's libraries lie: in the loader's folders, beside the CUDA toolkit, or in the site-packages of a Python,
// where pip installs them.
#pragma once
#include <string>
#include <vector>

#include "kernels/result.hpp"

namespace nw {

/// The environment variables that name folders: NETWRIGHT_CUDA_PATH (several, separated by ":"), CUDA_PATH,
/// VIRTUAL_ENV, PATH, HOME. Empty: not set.
struct LibraryEnvironment {
  std::string netwright_cuda_path, cuda_path, virtual_env, path, home;
  static LibraryEnvironment of_process();
};

/// Folders in the order in which they are tried. Only absolute paths of folders that exist.
struct LibraryFolders {
  std::vector<std::string> first;  // before the loader's own: those the user has named
  std::vector<std::string> after;  // after the loader's own
};
LibraryFolders library_folders(const LibraryEnvironment& = LibraryEnvironment::of_process());

struct OpenedLibrary {
  void* handle = nullptr;  // of dlopen; null: not found, or it cannot be used. Never closed.
  std::string file;        // the path; empty: nothing was found
  Text why;                // why what was found cannot be used; empty: it can, or nothing was found
};
/// Opens the first of the files `names` that can be loaded. Outside the loader's folders a file is loaded only if it
/// belongs to this user or to root and nobody else may write it.
OpenedLibrary open_library(const std::vector<std::string>& names, const LibraryFolders&);

/// "9.14.0" of 91400: the numbering of cuDNN 9, cuBLASLt and NCCL.
std::string library_version_text(long long number);
/// The version of an opened library by its function `name`: `std::size_t name()`, or `int name(int* version)` which
/// returns 0. 0: it has no such function.
long long library_version(void* handle, const char* name, bool by_pointer);

}  // namespace nw
