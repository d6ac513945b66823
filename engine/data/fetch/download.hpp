// SPDX-License-Identifier: Apache-2.0
// Fetches a public data set into a folder: each file is tried at one address after the other, goes on where a cut left
// it, and gets its name only when it is whole and has the published digest.
#pragma once
#include <functional>

#include "engine/data/fetch/http.hpp"
#include "engine/data/fetch/public_sets.hpp"

namespace nw {

struct DownloadProgress {
  enum class Phase : std::uint8_t { connecting, downloading, checking, unpacking };
  Phase phase = Phase::connecting;
  std::string file, host;
  std::int64_t done_bytes = 0, total_bytes = 0;  // of the whole set; total 0: not known
  double bytes_per_s = 0, left_s = -1;           // left: -1 while nothing can be said
};
const char* name_of(DownloadProgress::Phase);

struct DownloadRequest {
  const PublicSet& set;
  fs::path folder;                   // where its files go; made when missing
  std::vector<std::string> mirrors;  // of one's own, tried first: "http://host/data" holds <set id>/<file>
  std::function<bool(const DownloadProgress&)> report;  // a few times a second, from the calling thread; false stops
};

struct DownloadedData {
  fs::path folder;
  std::int64_t fetched_bytes = 0;  // over the network, this time
  bool verified = true;            // each file had the SHA-256 that was published
  std::vector<Text> notes;         // "… is unverified: …"
};

/// Errc::stopped: report said no; what came is kept and the next call goes on from there. Errc::bad_input: no address
/// gave what was published. Errc::disk: no room. Errc::in_use: another program downloads the same set. Errc::other: no
/// connection. Nothing incomplete ever lies under a file's name; "download.json" beside the files says what came from
/// where with which SHA-256.
Result<DownloadedData> get_public_set(const DownloadRequest&, const HttpClient&);

/// What a part of a file knows about itself between two tries: ".NAME.part" and, where the server gave one, its ETag.
struct PartialFile {
  fs::path file, tag_file;
  explicit PartialFile(const fs::path& whole);
  std::int64_t bytes() const;
  std::string tag() const;
  void remove() const;
};

/// Regular files of an unpacked tar (POSIX ustar; long names and other extensions are passed over), by base name.
/// Errc::bad_input: damaged. The views point into `tar`.
Status parse_tar(std::string_view tar, const std::string& where,
                 const std::function<Status(std::string_view name, std::string_view bytes)>& take);

}  // namespace nw
