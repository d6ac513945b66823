// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace nw::test {

/// Approximately normally distributed numbers, identical on every machine.
std::vector<float> noise(std::int64_t count, unsigned seed, float scale = 1);

}  // namespace nw::test
