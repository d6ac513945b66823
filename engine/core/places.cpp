// SPDX-License-Identifier: Apache-2.0
// Standard folders: XDG Base Directory Specification 0.8; a variable that is not an absolute path counts as unset.
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "engine/core/files.hpp"

namespace nw {
namespace {

fs::path from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value && value[0] == '/' ? fs::path(value) : fs::path();
}

fs::path home() {
  if (fs::path path = from_environment("HOME"); !path.empty()) return path;
  const passwd* user = ::getpwuid(::getuid());
  return user && user->pw_dir && user->pw_dir[0] == '/' ? fs::path(user->pw_dir) : fs::path("/");
}

fs::path place(const char* variable, const char* below_home) {
  const fs::path path = from_environment(variable);
  return (path.empty() ? home() / below_home : path) / "netwright";
}

/// Whether it is a folder, no link, of this user, with none of the `forbidden` permissions.
bool is_own_folder(const fs::path& path, mode_t forbidden) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & forbidden) == 0;
}

/// A private folder below the shared temporary folder; empty if another user owns a folder of that name.
fs::path private_temporary_folder() {
  std::error_code none;
  const fs::path path = fs::temp_directory_path(none) / ("netwright-" + std::to_string(::getuid()));
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return {};
  return is_own_folder(path, 077) ? path : fs::path();
}

}  // namespace

fs::path config_folder() { return place("XDG_CONFIG_HOME", ".config"); }
fs::path data_folder() { return place("XDG_DATA_HOME", ".local/share"); }
fs::path state_folder() { return place("XDG_STATE_HOME", ".local/state"); }
fs::path cache_folder() { return place("XDG_CACHE_HOME", ".cache"); }

fs::path runtime_folder() {
  // A folder into which others may write holds no sockets: they could listen in this user's place.
  const auto usable = [](const fs::path& folder) {
    std::error_code none;
    return !fs::exists(fs::symlink_status(folder, none)) || is_own_folder(folder, 022);
  };
  if (const fs::path path = from_environment("XDG_RUNTIME_DIR");
      !path.empty() && usable(path) && usable(path / "netwright"))
    return path / "netwright";
  const fs::path path = private_temporary_folder();
  return path.empty() ? state_folder() / "runtime" : path;
}

fs::path program_folder() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none).parent_path();
}

}  // namespace nw
