// SPDX-License-Identifier: Apache-2.0
// The module's reader of archives, on libarchive: formats zip (by its central directory) and tar only, no filter of
// libarchive's; gzip (RFC 1952) is unpacked here, since libarchive 3.6 does not look at its checksums.
#pragma once
#include <functional>
#include <span>

#include "engine/data/sources/archive.hpp"

namespace nw::images {

/// Bytes at a place of the archive; fewer than asked for at its end, negative when they cannot be read.
struct ByteSource {
  std::uint64_t size = 0;
  std::function<std::ptrdiff_t(std::uint64_t at, std::span<std::uint8_t> to)> read;
};
/// ArchiveReader::walk over any bytes; `where` names the archive in messages.
Status walk_archive(const ByteSource&, const std::string& where, const ArchiveLimits&, ArchiveVisitor&);

}  // namespace nw::images
