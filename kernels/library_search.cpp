// SPDX-License-Identifier: Apache-2.0
#include "kernels/library_search.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace nw {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> divided(const std::string& list) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    if (end > at) all.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

/// Collects folders, each once.
class Folders {
 public:
  explicit Folders(std::vector<std::string>& into) : into_(into) {}
  void add(const fs::path& folder) {
    std::error_code ignored;
    if (!folder.is_absolute() || !fs::is_directory(folder, ignored)) return;
    if (std::find(into_.begin(), into_.end(), folder.string()) == into_.end()) into_.push_back(folder.string());
  }
  /// nvidia/*/lib: each of NVIDIA's packages has a folder of its own.
  void add_packages(const fs::path& site_packages) {
    for (const fs::path& package : below(site_packages / "nvidia")) add(package / "lib");
  }
  /// Of a Python's prefix, or of ~/.local: lib/python3.12/site-packages, newest first.
  void add_python(const fs::path& prefix) {
    for (const char* lib : {"lib", "lib64"})
      for (const fs::path& python : below(prefix / lib))
        if (python.filename().string().starts_with("python3"))
          for (const char* packages : {"site-packages", "dist-packages"}) add_packages(python / packages);
  }

 private:
  static std::vector<fs::path> below(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> all;
    if (!folder.is_absolute()) return all;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      all.push_back(it->path());
    std::sort(all.rbegin(), all.rend());
    return all;
  }
  std::vector<std::string>& into_;
};

/// The prefixes of a Python in a folder of PATH: the folder's parent, and that of the file it links to.
std::vector<fs::path> prefixes_of(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  for (const char* name : {"python3", "python"}) {
    const fs::path program = folder / name, real = fs::canonical(program, error);
    if (error || !folder.is_absolute()) continue;
    all.push_back(folder.parent_path());
    all.push_back(real.parent_path().parent_path());
  }
  return all;
}

bool is_trusted(const std::string& file) {
  struct stat s {};
  if (::stat(file.c_str(), &s) != 0 || !S_ISREG(s.st_mode)) return false;
  return (s.st_uid == 0 || s.st_uid == ::geteuid()) && (s.st_mode & S_IWOTH) == 0;
}

std::string file_of(void* library, const std::string& name) {
  const link_map* map = nullptr;
  const bool known = ::dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 && map && map->l_name;
  return known && *map->l_name ? map->l_name : name;
}

/// Returns false to continue with the next file.
bool try_open(const std::string& file, bool of_loader, OpenedLibrary& found) {
  std::error_code ignored;
  if (!of_loader && !fs::exists(file, ignored)) return false;
  if (of_loader || is_trusted(file)) {
    if (void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      found = {handle, file_of(handle, file), {}};
      return true;
    }
    const char* error = ::dlerror();
    if (!of_loader) found = {nullptr, file, text("{0}", error ? error : "")};
  } else {
    found = {nullptr, file, text(NW_TR("it is not a regular file of this user or of root, or others may write it"))};
  }
  return false;
}

}  // namespace

LibraryEnvironment LibraryEnvironment::of_process() {
  return {variable("NETWRIGHT_CUDA_PATH"), variable("CUDA_PATH"), variable("VIRTUAL_ENV"), variable("PATH"),
          variable("HOME")};
}

LibraryFolders library_folders(const LibraryEnvironment& e) {
  LibraryFolders all;
  Folders first(all.first), after(all.after);
  for (const fs::path folder : divided(e.netwright_cuda_path)) {
    for (const char* below : {"", "lib64", "lib"}) first.add(*below ? folder / below : folder);
    first.add_packages(folder);
    first.add_python(folder);
  }
  if (!e.cuda_path.empty()) after.add(fs::path(e.cuda_path) / "lib64");
  after.add("/usr/local/cuda/lib64");
  if (!e.virtual_env.empty()) after.add_python(e.virtual_env);
  for (const std::string& folder : divided(e.path))
    for (const fs::path& prefix : prefixes_of(folder)) after.add_python(prefix);
  if (!e.home.empty()) after.add_python(fs::path(e.home) / ".local");
  return all;
}

OpenedLibrary open_library(const std::vector<std::string>& names, const LibraryFolders& folders) {
  OpenedLibrary found;
  const auto in = [&](const std::vector<std::string>& some) {
    return std::any_of(some.begin(), some.end(), [&](const std::string& folder) {
      return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return try_open((fs::path(folder) / name).string(), false, found);
      });
    });
  };
  const auto by_loader = [&] {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return try_open(name, true, found); });
  };
  (void)(in(folders.first) || by_loader() || in(folders.after));
  return found;
}

std::string library_version_text(long long number) {
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." + std::to_string(number % 100);
}

long long library_version(void* handle, const char* name, bool by_pointer) {
  void* function = handle ? ::dlsym(handle, name) : nullptr;
  if (!function) return 0;
  if (!by_pointer) return static_cast<long long>(reinterpret_cast<std::size_t (*)()>(function)());
  int version = 0;
  return reinterpret_cast<int (*)(int*)>(function)(&version) == 0 ? version : 0;
}

}  // namespace nw
