// SPDX-License-Identifier: Apache-2.0
#include "tests/support/noise.hpp"

#include <random>

namespace nw::test {

std::vector<float> noise(std::int64_t count, unsigned seed, float scale) {
  std::mt19937 rng(seed);
  std::vector<float> v(static_cast<std::size_t>(count));
  for (float& f : v) {  // sum of four uniforms: no library-dependent distribution
    float s = 0;
    for (int i = 0; i < 4; ++i) s += static_cast<float>(rng() >> 8) * 0x1p-24f - 0.5f;
    f = s * 1.7f * scale;
  }
  return v;
}

}  // namespace nw::test
