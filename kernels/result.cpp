// SPDX-License-Identifier: Apache-2.0
#include "kernels/result.hpp"

namespace nw {

// Replaces {0}, {1}, … by the arguments; anything else stands as it is. A wrong number never throws: it shows.
std::string Text::str() const {
  std::string out;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool holder = source[i] == '{' && i + 2 < source.size() && source[i + 2] == '}' &&
                        source[i + 1] >= '0' && source[i + 1] <= '9';
    if (!holder) { out += source[i]; continue; }
    const std::size_t n = static_cast<std::size_t>(source[i + 1] - '0');
    out += n < args.size() ? args[n] : "?";
    i += 2;
  }
  return out;
}

}  // namespace nw
