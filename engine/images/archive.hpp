// SPDX-License-Identifier: Apache-2.0
// The module's reader of archives, based on libarchive: only the formats zip (by its central directory) and tar, and
// none of libarchive's filters; gzip (RFC 1952) is decompressed here, because libarchive 3.6 does not verify its
// checksums.
#pragma once
#include <functional>
#include <span>

#include "engine/data/sources/archive.hpp"

namespace nw::images {

/// Reads bytes at an offset of the archive; fewer than requested at its end, negative if they cannot be read.
struct ByteSource {
  std::uint64_t size = 0;
  std::function<std::ptrdiff_t(std::uint64_t at, std::span<std::uint8_t> to)> read;
};
/// ArchiveReader::walk over any source of bytes; `where` names the archive in messages.
Status walk_archive(const ByteSource&, const std::string& where, const ArchiveLimits&, ArchiveVisitor&);

}  // namespace nw::images
