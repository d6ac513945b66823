// SPDX-License-Identifier: Apache-2.0
#include "engine/train/initial_weights.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/rng.hpp"

namespace nw {
namespace {

/// FNV-1a (Fowler, Noll, Vo), folded to 48 bits, the width of the field in a random key.
std::uint64_t name_hash(std::string_view name) {
  std::uint64_t h = 0xCBF29CE484222325u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return (h ^ h >> 48) & ((std::uint64_t{1} << 48) - 1);
}

void fill_uniform(const Value& v, std::uint64_t seed, std::span<float> out) {
  const float bound = 1.0F / std::sqrt(static_cast<float>(std::max(1, v.fan_in)));
  RandomStream random({.seed = seed, .op = static_cast<std::uint32_t>(RandomOp::init), .sample = name_hash(v.name)});
  for (float& x : out) x = (2 * random.uniform() - 1) * bound;
}

}  // namespace

Status initial_values(const Value& v, std::uint64_t seed, std::span<float> out) {
  if (v.init == "kaiming_uniform" || v.init == "bias_uniform" || v.init == "uniform_fan_in") {
    fill_uniform(v, seed, out);
  } else if (v.init == "ones" || (v.init.empty() && v.name.ends_with("running_var"))) {
    std::fill(out.begin(), out.end(), 1.0F);
  } else if (v.init == "quarter") {
    std::fill(out.begin(), out.end(), 0.25F);
  } else if (v.init == "zeros" || v.init.empty()) {
    std::fill(out.begin(), out.end(), 0.0F);
  } else {
    return fail(Errc::other, NW_TR("{0}: \"{1}\" is not an initialization of weights"), v.name, v.init);
  }
  return {};
}

}  // namespace nw
