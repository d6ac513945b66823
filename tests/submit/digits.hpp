// SPDX-License-Identifier: Apache-2.0
// A data set to copy elsewhere.
#pragma once
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "engine/core/files.hpp"

namespace nw::test {

/// A data set in MNIST's files: images and labels of noise.
inline void write_digits(const fs::path& folder) {
  fs::create_directories(folder);
  const auto number = [](std::uint32_t n) {
    return std::string{static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
                       static_cast<char>(n)};
  };
  std::mt19937 random(1);
  for (const auto& [name, count] : {std::pair{"train", 320U}, std::pair{"t10k", 64U}}) {
    std::string images = number(0x803) + number(count) + number(28) + number(28),
                labels = number(0x801) + number(count);
    for (unsigned i = 0; i < count; ++i) {
      labels += static_cast<char>(i % 10);
      for (int p = 0; p < 784; ++p) images += static_cast<char>(random());
    }
    ASSERT_TRUE(save_file(folder / (std::string(name) + "-images-idx3-ubyte"), images));
    ASSERT_TRUE(save_file(folder / (std::string(name) + "-labels-idx1-ubyte"), labels));
  }
}

}  // namespace nw::test
