// SPDX-License-Identifier: Apache-2.0
// Reads archives without unpacking them: entries are read as a stream, nothing is written to disk. Private to
// engine/data and the module that implements it (engine/images: libarchive is loaded with the decoder, only by
// processes that read images).
#pragma once
#include <cstdint>
#include <string>

#include "engine/core/files.hpp"

namespace nw {

/// Limits of an archive. An archive above a limit is rejected before it takes memory or time.
struct ArchiveLimits {
  std::uint64_t entries = 4'000'000;
  std::uint64_t entry_bytes = std::uint64_t{512} << 20;  // one image, unpacked
  std::uint64_t total_bytes = std::uint64_t{1} << 40;    // the whole archive, unpacked
  // unpacked size divided by the archive's size; photographs are hardly compressible
  std::uint64_t ratio = 250;
  std::uint64_t free_bytes = std::uint64_t{64} << 20;  // unpacked without checking the ratio
};

/// Entry number `ordinal` in the archive's order. `name`: its components joined by '/', none of them empty, "." or
/// "..".
struct ArchiveEntry {
  std::uint64_t ordinal = 0;
  std::string name;
  bool is_folder = false;
};

/// Receives the entries of an archive.
class ArchiveVisitor {
 public:
  virtual ~ArchiveVisitor() = default;
  /// Called for a regular file or a folder. True: take() receives the file's bytes.
  virtual bool wants(const ArchiveEntry&) = 0;
  virtual void take(const ArchiveEntry&, std::string bytes) = 0;
  /// Called for an entry that is never read or whose content is damaged; `why` names archive and entry.
  virtual void left_out(std::uint64_t ordinal, const Text& why) = 0;
  /// True ends the iteration early, without reading the rest.
  virtual bool enough() const { return false; }
};

class ArchiveReader {
 public:
  virtual ~ArchiveReader() = default;
  /// Reads a .zip, .tar or .tar.gz file once from front to back. Links, devices, pipes, names that are absolute or
  /// contain "..", encrypted entries and entries with a wrong checksum are omitted. An archive that is truncated,
  /// damaged or beyond the limits is rejected (Errc::bad_input) with a message that names the last entry. Safe from
  /// several threads.
  virtual Status walk(const fs::path& archive, const ArchiveLimits&, ArchiveVisitor&) const = 0;
};
/// The module libnw_archives exports `extern "C" const nw::ArchiveReader* netwright_archive_reader(int version)`; null
/// for another image_module_version. Loaded from the executable's folder, once. An error if it is not installed.
Result<const ArchiveReader*> archive_reader();

}  // namespace nw
