// SPDX-License-Identifier: Apache-2.0
#include "engine/scaling/known_processors.hpp"

namespace nw::scaling {

std::span<const KnownProcessor> known_processors() {
  static constexpr KnownProcessor all[] = {
      {"AMD EPYC", "avx512bf16", "2026-11-27", {150'046, 558'952, 191, 502}, {197'546, 903'575, 212, 522}},
      {"Intel Xeon", "amx", "2026-11-22", {85'542, 354'203, 133, 357}, {298'231, 753'744, 338, 914}},
      {"Intel Xeon", "avx512", "2026-11-21", {29'242, 204'012, 71, 151}, {31'390, 184'277, 0, 0}},
  };
  return all;
}

}  // namespace nw::scaling
