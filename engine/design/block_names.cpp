// SPDX-License-Identifier: Apache-2.0
#include "engine/design/block_names.hpp"

#include <charconv>

namespace nw {

std::string instance_name(const std::string& name, std::int64_t repeat, std::int64_t k) {
  if (repeat == 1) return name;
  const std::size_t dot = name.rfind('.');
  std::int64_t first = 0;
  if (dot != std::string::npos && dot + 1 < name.size()) {
    const auto [end, error] = std::from_chars(name.data() + dot + 1, name.data() + name.size(), first);
    if (error == std::errc() && end == name.data() + name.size())
      return name.substr(0, dot + 1) + std::to_string(first + k);
  }
  return name + "." + std::to_string(k);
}

}  // namespace nw
