// SPDX-License-Identifier: Apache-2.0
// Digests that verify downloads.
#pragma once
#include <array>
#include <cstdint>

#include "engine/core/files.hpp"

namespace nw {

/// Collects 64-byte blocks; common base of SHA-256 and MD5.
class BlockDigest {
 public:
  virtual ~BlockDigest() = default;
  void update(std::span<const std::byte> bytes);

 protected:
  virtual void block(const std::uint8_t* bytes) = 0;  // `bytes`: 64 bytes
  /// Padding: a one bit, zeros, the length in bits as eight bytes, the most significant first when `big_endian`.
  void pad(bool big_endian);

 private:
  std::array<std::uint8_t, 64> waiting_{};
  std::size_t held_ = 0;
  std::uint64_t length_bytes_ = 0;
};

/// FIPS 180-4, section 6.2.
class Sha256 final : public BlockDigest {
 public:
  /// 64 hexadecimal digits; afterwards nothing may be added.
  std::string hex();

 private:
  void block(const std::uint8_t* bytes) override;
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

/// RFC 1321. Used only if no SHA-256 was published: MD5 collisions can be constructed.
class Md5 final : public BlockDigest {
 public:
  /// 32 hexadecimal digits; afterwards nothing may be added.
  std::string hex();

 private:
  void block(const std::uint8_t* bytes) override;
  std::array<std::uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
};

/// Both digests of a file, read in pieces. `go_on` is called between pieces; if it returns false, the result is
/// Errc::stopped.
struct FileDigests {
  std::string sha256, md5;
  std::int64_t bytes = 0;
};
Result<FileDigests> digests_of_file(const fs::path& path, const std::function<bool()>& go_on = {});

}  // namespace nw
