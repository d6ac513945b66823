// SPDX-License-Identifier: Apache-2.0
// A safetensors file of one tensor of 64 GiB that takes no room on the disk.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/core/files.hpp"

namespace nw::test {

/// Writes the file; returns its size in bytes, 0 if the file system keeps no holes of this size.
inline std::uint64_t write_sparse_tensor(const fs::path& file, const std::string& tensor) {
  constexpr std::uint64_t bytes = std::uint64_t{64} << 30;
  std::string header =
      fmt::format(R"({{"{}":{{"dtype":"F32","shape":[{}],"data_offsets":[0,{}]}}}})", tensor, bytes / 4, bytes);
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string start(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) start[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
  EXPECT_TRUE(save_file(file, start + header));
  std::error_code error;
  fs::resize_file(file, 8 + header.size() + bytes, error);
  return error ? 0 : 8 + header.size() + bytes;
}

}  // namespace nw::test
