// SPDX-License-Identifier: Apache-2.0
#include "engine/images/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <optional>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/images/archive_feed.hpp"
#include "kernels/printable.hpp"

namespace nw::images {
namespace {

constexpr std::size_t most_parts = 16, longest_name = 4096;

/// The name of an entry as components joined by '/'; nullopt if it is empty or leads out of the archive.
std::optional<std::string> inner_name(const std::string& raw) {
  if (raw.empty() || raw.front() == '/' || raw.size() > longest_name) return std::nullopt;
  std::string name;
  std::size_t parts = 0;
  for (std::size_t at = 0; at <= raw.size();) {
    const std::size_t end = std::min(raw.find('/', at), raw.size());
    const std::string part = raw.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." || ++parts > most_parts) return std::nullopt;
    name += (name.empty() ? "" : "/") + part;
  }
  return name;
}

class Walk {
 public:
  Walk(const ByteSource& source, const std::string& where, const ArchiveLimits& limits, ArchiveVisitor& visitor)
      : source_(source),
        where_(where),
        limits_(limits),
        visitor_(visitor),
        feed_(source, limits),
        archive_(archive_read_new(), &archive_read_free) {
    if (!archive_) throw std::bad_alloc();
  }

  Status run() {
    if (source_.size == 0) return fail(Errc::bad_input, NW_TR("{0}: is empty; copy or download it again"), where_);
    if (feed_.is_zip())
      archive_read_support_format_zip_seekable(archive_.get());
    else
      archive_read_support_format_tar(archive_.get());
    if (feed_.open(archive_.get()) < ARCHIVE_WARN) return broken();
    for (std::uint64_t ordinal = 0; !visitor_.enough(); ++ordinal) {
      archive_entry* entry = nullptr;
      const int code = archive_read_next_header(archive_.get(), &entry);
      if (code == ARCHIVE_EOF) return end();
      if (code < ARCHIVE_WARN) return broken();
      if (ordinal >= limits_.entries)
        return fail(Errc::bad_input, NW_TR("{0}: has more than {1} entries, from {2} on; split it"), where_,
                    limits_.entries, last_);
      NW_TRY(look_at(entry, ordinal));
    }
    return {};
  }

 private:
  static std::string name_of(archive_entry* entry) {
    if (const char* name = archive_entry_pathname_utf8(entry)) return name;
    const char* name = archive_entry_pathname(entry);
    return name ? name : "";
  }

  /// The reason why the entry is never read; null if there is none.
  static const char* why_not(archive_entry* entry, const std::optional<std::string>& name) {
    if (!name) return NW_TR("{0}: entry {1} has a name that leads out of the archive, or none");
    if (archive_entry_hardlink(entry) || archive_entry_filetype(entry) == AE_IFLNK)
      return NW_TR("{0}: entry {1} is a link");
    if (const auto type = archive_entry_filetype(entry); type != AE_IFREG && type != AE_IFDIR)
      return NW_TR("{0}: entry {1} is a device or a pipe");
    if (archive_entry_is_encrypted(entry))
      return NW_TR("{0}: entry {1} is encrypted; unpack the archive with its password first");
    return nullptr;
  }

  Status look_at(archive_entry* entry, std::uint64_t ordinal) {
    const std::string raw = name_of(entry);
    const auto name = inner_name(raw);
    last_ = printable(raw.substr(0, 200));
    if (const char* why = why_not(entry, name)) {
      visitor_.left_out(ordinal, text(why, where_, last_));
      return {};
    }
    const ArchiveEntry found{ordinal, *name, archive_entry_filetype(entry) == AE_IFDIR};
    if (name->empty() || !visitor_.wants(found) || found.is_folder) return {};
    const auto promised = static_cast<std::uint64_t>(
        archive_entry_size_is_set(entry) ? std::max<la_int64_t>(0, archive_entry_size(entry)) : 0);
    return promised > limits_.entry_bytes ? too_large(ordinal) : read(found, promised);
  }

  Status too_large(std::uint64_t ordinal) {
    visitor_.left_out(ordinal,
                      text(NW_TR("{0}: entry {1} unpacks to more than {2} bytes"), where_, last_, limits_.entry_bytes));
    return {};
  }

  Status read(const ArchiveEntry& entry, std::uint64_t promised) {
    std::string bytes;
    for (std::uint64_t have = 0;;) {
      const std::uint64_t left = promised > have ? promised - have : 0;  // one more byte is read, to detect the end
      bytes.resize(have + std::clamp<std::uint64_t>(left + 1, 4096, 1 << 20));
      const la_ssize_t got = archive_read_data(archive_.get(), bytes.data() + have, bytes.size() - have);
      if (got == ARCHIVE_FATAL) return broken();
      if (got < 0) {
        visitor_.left_out(entry.ordinal,
                          text(NW_TR("{0}: entry {1} is damaged, its checksum or its size is wrong"), where_, last_));
        return {};
      }
      have += static_cast<std::uint64_t>(got);
      if (!feed_.is_gzip() && !feed_.take_share(static_cast<std::uint64_t>(got))) return broken();
      if (have > limits_.entry_bytes) return too_large(entry.ordinal);
      if (got == 0) {
        bytes.resize(have);
        visitor_.take(entry, std::move(bytes));
        return {};
      }
    }
  }

  Status end() {
    feed_.drain();
    return feed_.problem() == ArchiveFeed::Problem::none ? Status() : broken();
  }

  /// The error at which libarchive or the feed stopped.
  Error broken() const {
    if (feed_.problem() == ArchiveFeed::Problem::bomb)
      return fail(Errc::bad_input,
                  NW_TR("{0}: unpacks to more than {1} times its size, at entry {2}; this is no archive of photos"),
                  where_, limits_.ratio, last_);
    if (feed_.problem() == ArchiveFeed::Problem::unreadable)
      return fail(Errc::bad_input, NW_TR("{0}: cannot be read"), where_);
    if (last_.empty() && feed_.is_zip())
      return fail(Errc::bad_input,
                  NW_TR("{0}: this zip archive is empty or cut short, no list of its entries is found; copy or "
                        "download it again"),
                  where_);
    if (last_.empty())
      return fail(Errc::bad_input,
                  NW_TR("{0}: no .zip, .tar or .tar.gz archive, or damaged at its start; copy or download it again"),
                  where_);
    return fail(Errc::bad_input,
                NW_TR("{0}: is cut short or damaged at or behind entry {1}; copy or download it again"), where_, last_);
  }

  const ByteSource& source_;
  const std::string& where_;
  const ArchiveLimits& limits_;
  ArchiveVisitor& visitor_;
  ArchiveFeed feed_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  std::string last_;
};

class Reader final : public ArchiveReader {
 public:
  Status walk(const fs::path& file, const ArchiveLimits& limits, ArchiveVisitor& visitor) const override {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // does not block on a pipe
    struct stat info {};
    if (fd < 0 || ::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
      if (fd >= 0) ::close(fd);
      return fail(Errc::bad_input, NW_TR("{0}: cannot be read"), file.string());
    }
    const ByteSource source{static_cast<std::uint64_t>(info.st_size),
                            [fd](std::uint64_t at, std::span<std::uint8_t> to) {
                              ssize_t got = 0;
                              do got = ::pread(fd, to.data(), to.size(), static_cast<off_t>(at));
                              while (got < 0 && errno == EINTR);
                              return static_cast<std::ptrdiff_t>(got);
                            }};
    const Status walked = walk_archive(source, file.string(), limits, visitor);
    ::close(fd);
    return walked;
  }
};

}  // namespace

Status walk_archive(const ByteSource& source, const std::string& where, const ArchiveLimits& limits,
                    ArchiveVisitor& visitor) try {
  return Walk(source, where, limits, visitor).run();
} catch (const std::bad_alloc&) {
  return fail(Errc::out_of_memory, NW_TR("{0}: not enough memory to decompress it; close other programs and try again"),
              where);
}

}  // namespace nw::images

/// The module's entry point for archives; returns null if the program was built for another version of the module.
extern "C" const nw::ArchiveReader* netwright_archive_reader(int version) {
  static const nw::images::Reader reader;
  return version == nw::image_module_version ? &reader : nullptr;
}
