// SPDX-License-Identifier: Apache-2.0
// Numbers that PyTorch and the tests generate by the same formula, and PyTorch's gradients from tests/reference.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/core/json.hpp"

namespace nw::test {

inline std::uint32_t fnv(const std::string& name) {
  std::uint32_t h = 0x811C9DC5u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x01000193u;
  return h;
}

/// u(name, i) of tests/reference/make/make_reference.py, in [0, 1).
inline double unit(std::uint32_t name_hash, std::int64_t i) {
  std::uint32_t h = static_cast<std::uint32_t>(i) + 0x9E3779B9u * name_hash;
  h ^= h >> 16;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  h *= 0xC2B2AE35u;
  h ^= h >> 16;
  return static_cast<double>(h >> 8) / 16777216.0;
}

/// Checks that `got` has the norm, the projection and the samples of `want`, each within 1e-4 of the gradient's norm.
inline void expect_torch_gradient(const std::vector<float>& got, const Json& want, const std::string& name,
                                  const std::string& where) {
  double norm = 0, projection = 0, off = 0, all = 0;
  const std::uint32_t hash = fnv(name + "/projection");
  for (std::size_t i = 0; i < got.size(); ++i) {
    norm += static_cast<double>(got[i]) * got[i];
    projection += got[i] * (2 * unit(hash, static_cast<std::int64_t>(i)) - 1);
  }
  norm = std::sqrt(norm);
  const std::vector<double> samples = want["samples"];
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const double d = got[k * got.size() / samples.size()] - samples[k];
    off += d * d;
    all += samples[k] * samples[k];
  }
  const double want_norm = want["norm"];
  EXPECT_NEAR(norm, want_norm, 1e-4 * want_norm) << where;
  // An error vector of relative size e moves the projection by about e * norm * 1/sqrt(3).
  EXPECT_NEAR(projection, want["projection"].get<double>(), 1e-4 * want_norm) << where;
  EXPECT_LE(std::sqrt(off), 1e-4 * std::max(std::sqrt(all), 0.1 * want_norm *
                                                                std::sqrt(static_cast<double>(samples.size()) /
                                                                          static_cast<double>(got.size()))))
      << where;
}

}  // namespace nw::test
