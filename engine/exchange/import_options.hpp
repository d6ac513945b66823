// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace nw::exchange {

struct ImportOptions {
  std::int64_t height = 0, width = 0;  // of the images, where the file leaves them open
  bool strict = false;                 // operators that no layer is made of are an error, not opaque nodes
};
/// At most so many operators become opaque nodes; a file with more is refused.
inline constexpr std::size_t most_opaque = 1000;

}  // namespace nw::exchange
