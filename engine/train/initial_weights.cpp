// SPDX-License-Identifier: Apache-2.0
#include "engine/train/initial_weights.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

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

/// Box and Muller, 1958: two normal numbers from two uniform ones.
void fill_normal(const Value& v, std::uint64_t seed, float deviation, std::span<float> out) {
  constexpr double two_pi = 6.283185307179586;
  RandomStream random({.seed = seed, .op = static_cast<std::uint32_t>(RandomOp::init), .sample = name_hash(v.name)});
  for (std::size_t i = 0; i < out.size(); i += 2) {
    const double length = std::sqrt(-2 * std::log(1 - static_cast<double>(random.uniform())));
    const double angle = two_pi * static_cast<double>(random.uniform());
    out[i] = deviation * static_cast<float>(length * std::cos(angle));
    if (i + 1 < out.size()) out[i + 1] = deviation * static_cast<float>(length * std::sin(angle));
  }
}

/// The number after a word: 0.02 of "normal 0.02"; nullopt: the text does not begin with that word.
std::optional<float> number_after(std::string_view word, std::string_view text) {
  float number = 0;
  if (!text.starts_with(word)) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + word.size(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Status initial_values(const Value& v, std::uint64_t seed, std::span<float> out) {
  if (v.init == "kaiming_uniform" || v.init == "bias_uniform" || v.init == "uniform_fan_in") {
    fill_uniform(v, seed, out);
  } else if (v.init == "ones" || (v.init.empty() && v.name.ends_with("running_var"))) {
    std::fill(out.begin(), out.end(), 1.0F);
  } else if (v.init == "quarter") {
    std::fill(out.begin(), out.end(), 0.25F);
  } else if (const auto constant = number_after("constant ", v.init)) {
    std::fill(out.begin(), out.end(), *constant);
  } else if (const auto deviation = number_after("normal ", v.init)) {
    fill_normal(v, seed, *deviation, out);
  } else if (v.init == "zeros" || v.init.empty()) {
    std::fill(out.begin(), out.end(), 0.0F);
  } else {
    return fail(Errc::other, NW_TR("{0}: \"{1}\" is not an initialization of weights"), v.name, v.init);
  }
  return {};
}

}  // namespace nw
