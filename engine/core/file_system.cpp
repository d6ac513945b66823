// SPDX-License-Identifier: Apache-2.0
#include "engine/core/file_system.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace nw {
namespace {

constexpr std::uint32_t network_types[] = {
    0x00006969,  // NFS
    0x0000517B,  // SMB
    0xFF534D42,  // CIFS
    0xFE534D42,  // SMB2
    0x01021997,  // 9p
    0x5346414F,  // AFS
    0x6B414653,  // AFS in the kernel
    0x00C36400,  // Ceph
    0x73757245,  // Coda
    0x0000564C,  // NCP
    0x0BD00BD0,  // Lustre
    0x19830326,  // BeeGFS
    0x47504653,  // GPFS
    0x7461636F,  // OCFS2
    0x01161970,  // GFS2
};

}  // namespace

std::uint32_t file_system_type(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::path there = std::filesystem::absolute(path, ignored);
  struct statfs info {};
  while (::statfs(there.c_str(), &info) != 0) {
    if ((errno != ENOENT && errno != ENOTDIR) || !there.has_relative_path()) return 0;
    there = there.parent_path();
  }
  return static_cast<std::uint32_t>(info.f_type);
}

bool is_network_file_system(std::uint32_t type) {
  return std::find(std::begin(network_types), std::end(network_types), type) != std::end(network_types);
}

}  // namespace nw
