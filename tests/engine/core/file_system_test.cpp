// SPDX-License-Identifier: Apache-2.0
#include "engine/core/file_system.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

TEST(FileSystems, OfOtherComputersAreToldByTheirTypes) {
  // statfs(2)
  for (const std::uint32_t type : {0x6969U, 0x517BU, 0xFF534D42U, 0xFE534D42U, 0x01021997U, 0x5346414FU, 0x00C36400U})
    EXPECT_TRUE(is_network_file_system(type)) << std::hex << type;
  // ext4, btrfs, xfs, tmpfs, overlayfs, FUSE, unknown
  for (const std::uint32_t type : {0xEF53U, 0x9123683EU, 0x58465342U, 0x01021994U, 0x794C7630U, 0x65735546U, 0U})
    EXPECT_FALSE(is_network_file_system(type)) << std::hex << type;
}

TEST(FileSystems, OfAFileThatDoesNotExistAreThoseOfItsFolder) {
  constexpr std::uint32_t proc = 0x9FA0;
  for (const char* path : {"/proc", "/proc/no-folder/no-file", "/proc/self/stat/below-a-file"})
    EXPECT_EQ(file_system_type(path), proc) << path;
  EXPECT_NE(file_system_type("/no-folder/no-file"), proc);
  EXPECT_NE(file_system_type("/no-folder/no-file"), 0U);
  EXPECT_EQ(file_system_type("no-folder"), file_system_type("."));
}

}  // namespace
}  // namespace nw
