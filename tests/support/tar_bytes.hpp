// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace nw::test {

/// A tar file without subfolders; each pair is a name and its content.
inline std::string tar_of(const std::vector<std::pair<std::string, std::string>>& files, char type = '0') {
  std::string out;
  for (const auto& [name, bytes] : files) {
    std::string head(512, '\0');
    head.replace(0, name.size(), name);
    head.replace(100, 7, "0000644");
    head.replace(124, 11, fmt::format("{:011o}", bytes.size()));
    head.replace(148, 8, "        ");
    head[156] = type;
    int sum = 0;
    for (const char c : head) sum += static_cast<unsigned char>(c);
    head.replace(148, 7, fmt::format("{:06o}", sum) + '\0');
    out += head + bytes + std::string((512 - bytes.size() % 512) % 512, '\0');
  }
  return out + std::string(1024, '\0');
}

}  // namespace nw::test
