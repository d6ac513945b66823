// SPDX-License-Identifier: Apache-2.0
// Whether files lie on this computer: locks of files and memory maps, as databases use them, cannot be relied upon on
// file systems of other computers.
#pragma once
#include <cstdint>
#include <filesystem>

namespace nw {

/// The type (statfs(2)) of the file system that holds the path, or the nearest folder above it that exists; 0: unknown.
std::uint32_t file_system_type(const std::filesystem::path& path);
/// Whether files of this type lie on other computers (NFS, SMB, 9p, AFS, Ceph, those of clusters). FUSE and unknown
/// types do not tell, and count as local.
bool is_network_file_system(std::uint32_t type);

}  // namespace nw
