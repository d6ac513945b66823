// SPDX-License-Identifier: Apache-2.0
#include "engine/images/archive.hpp"

#include <algorithm>
#include <cstring>

#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

constexpr ArchiveLimits limits{
    .entries = 1000, .entry_bytes = 1 << 20, .total_bytes = 16 << 20, .ratio = 50, .free_bytes = 1 << 20};

/// Accepts every entry and checks names, sizes and messages against the guarantees of walk().
struct Watcher final : ArchiveVisitor {
  std::string broken;
  std::uint64_t bytes = 0;
  bool wants(const ArchiveEntry& e) override {
    const std::string name = "/" + e.name + "/";
    if (e.name.empty() || name.find("//") != std::string::npos || name.find("/../") != std::string::npos ||
        name.find("/./") != std::string::npos)
      broken = "a name leads out";
    if (e.ordinal >= limits.entries) broken = "more entries than may be";
    return true;
  }
  void take(const ArchiveEntry&, std::string content) override {
    bytes += content.size();
    if (content.size() > limits.entry_bytes || bytes > limits.total_bytes) broken = "unpacks beyond its limit";
  }
  void left_out(std::uint64_t, const Text& why) override {
    if (why.str().find("archive: entry ") != 0) broken = "what is left out is not named";
  }
};

}  // namespace

Outcome read_archive(Bytes bytes) {
  const images::ByteSource source{
      bytes.size(), [bytes](std::uint64_t at, std::span<std::uint8_t> to) {
        const std::size_t from = static_cast<std::size_t>(std::min<std::uint64_t>(at, bytes.size())),
                          n = std::min(to.size(), bytes.size() - from);
        if (n > 0) std::memcpy(to.data(), bytes.data() + from, n);
        return static_cast<std::ptrdiff_t>(n);
      }};
  Watcher watcher;
  const Status walked = images::walk_archive(source, "archive", limits, watcher);
  return {static_cast<bool>(walked), watcher.broken};
}

}  // namespace nw::fuzz
