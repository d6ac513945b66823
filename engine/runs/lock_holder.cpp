// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/lock_holder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fstream>
#include <sstream>

namespace nw {

pid_t lock_holder(const fs::path& file) {
  struct stat info {};
  if (::lstat(file.c_str(), &info) != 0) return 0;
  const std::string wanted = fmt::format("{:02x}:{:02x}:{}", major(info.st_dev), minor(info.st_dev), info.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {  // "7: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF"
    std::istringstream words(line);
    std::string number, kind, mode, access, place;
    pid_t pid = 0;
    if (words >> number >> kind >> mode >> access >> pid >> place && kind == "FLOCK" && place == wanted) return pid;
  }
  return 0;
}

}  // namespace nw
