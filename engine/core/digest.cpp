// SPDX-License-Identifier: Apache-2.0
#include "engine/core/digest.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace nw {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18;

std::uint32_t big(const std::uint8_t* b) {
  return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
}
std::uint32_t little(const std::uint8_t* b) {
  return std::uint32_t{b[3]} << 24 | std::uint32_t{b[2]} << 16 | std::uint32_t{b[1]} << 8 | b[0];
}

/// Digits of the fractional part of a root, which define the constants in FIPS 180-4, section 4.2.2.
std::array<std::uint32_t, 64> cube_root_fractions() {
  std::array<std::uint32_t, 64> k{};
  std::size_t found = 0;
  for (std::uint64_t n = 2; found < k.size(); ++n) {
    bool prime = true;
    for (std::uint64_t d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
    if (!prime) continue;
    // floor(cbrt(n) * 2^32) in integers: the largest r with r^3 <= n * 2^96.
    std::uint64_t r = 0;
    for (int bit = 35; bit >= 0; --bit) {
      const std::uint64_t tried = r | std::uint64_t{1} << bit;
      const unsigned __int128 square = static_cast<unsigned __int128>(tried) * tried;
      if (square <= (static_cast<unsigned __int128>(n) << 96) / tried) r = tried;
    }
    k[found++] = static_cast<std::uint32_t>(r);
  }
  return k;
}

/// RFC 1321, section 3.4: the integer part of 2^32 |sin(i)|.
std::array<std::uint32_t, 64> sines() {
  std::array<std::uint32_t, 64> t{};
  for (std::size_t i = 0; i < t.size(); ++i)
    t[i] = static_cast<std::uint32_t>(std::floor(4294967296.0 * std::abs(std::sin(static_cast<double>(i + 1)))));
  return t;
}

std::string digits(std::span<const std::uint32_t> words, bool big_endian) {
  std::string out;
  for (const std::uint32_t w : words)
    for (int i = 0; i < 4; ++i) out += fmt::format("{:02x}", w >> (8 * (big_endian ? 3 - i : i)) & 0xff);
  return out;
}

}  // namespace

void BlockDigest::update(std::span<const std::byte> bytes) {
  const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  length_bytes_ += left;
  while (left > 0) {
    if (held_ == 0 && left >= 64) {
      block(at);
      at += 64, left -= 64;
      continue;
    }
    const std::size_t taken = std::min(left, 64 - held_);
    std::memcpy(waiting_.data() + held_, at, taken);
    held_ += taken, at += taken, left -= taken;
    if (held_ == 64) block(waiting_.data()), held_ = 0;
  }
}

void BlockDigest::pad(bool big_endian) {
  const std::uint64_t bits = length_bytes_ * 8;
  const std::byte one{0x80}, zero{0};
  update({&one, 1});
  while (held_ != 56) update({&zero, 1});
  for (int i = 0; i < 8; ++i) {
    const std::byte b{static_cast<std::uint8_t>(bits >> (8 * (big_endian ? 7 - i : i)) & 0xff)};
    update({&b, 1});
  }
}

void Sha256::block(const std::uint8_t* bytes) {
  static const std::array<std::uint32_t, 64> k = cube_root_fractions();
  std::uint32_t w[64];
  for (int t = 0; t < 16; ++t) w[t] = big(bytes + 4 * t);
  for (int t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t one =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + k[t] + w[t];
    const std::uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const std::uint32_t changed[] = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += changed[i];
}

std::string Sha256::hex() {
  pad(true);
  return digits(state_, true);
}

void Md5::block(const std::uint8_t* bytes) {
  static const std::array<std::uint32_t, 64> t = sines();
  static constexpr int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  auto [a, b, c, d] = state_;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned round = i / 16;
    const std::uint32_t f = round == 0   ? (b & c) | (~b & d)
                            : round == 1 ? (d & b) | (~d & c)
                            : round == 2 ? b ^ c ^ d
                                         : c ^ (b | ~d);
    const unsigned at = round == 0 ? i : round == 1 ? (5 * i + 1) % 16 : round == 2 ? (3 * i + 5) % 16 : 7 * i % 16;
    const std::uint32_t turned = b + std::rotl(a + f + t[i] + little(bytes + 4 * at), turns[round][i % 4]);
    a = d, d = c, c = b, b = turned;
  }
  const std::uint32_t changed[] = {a, b, c, d};
  for (std::size_t i = 0; i < 4; ++i) state_[i] += changed[i];
}

std::string Md5::hex() {
  pad(false);
  return digits(state_, false);
}

Result<FileDigests> digests_of_file(const fs::path& path, const std::function<bool()>& go_on) {
  NW_ASSIGN(int fd, open_regular(path));
  const std::unique_ptr<int, void (*)(int*)> closes(&fd, [](int* f) { ::close(*f); });
  Sha256 sha;
  Md5 md5;
  FileDigests found;
  for (std::vector<char> piece(piece_bytes);;) {
    if (go_on && !go_on()) return fail(Errc::stopped, NW_TR("Stopped while {0} was being checked"), path.string());
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(Errc::disk, NW_TR("{0} cannot be read"), path.string());
    if (n == 0) break;
    const auto bytes = std::as_bytes(std::span(piece)).first(static_cast<std::size_t>(n));
    sha.update(bytes), md5.update(bytes);
    found.bytes += n;
  }
  found.sha256 = sha.hex(), found.md5 = md5.hex();
  return found;
}

}  // namespace nw
