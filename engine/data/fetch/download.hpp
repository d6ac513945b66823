// SPDX-License-Identifier: Apache-2.0
// Downloads a public data set into a folder. Each file is requested from its addresses in order, an interrupted
// transfer is resumed, and the file gets its final name only after it is complete and has the published digest.
#pragma once
#include <functional>

#include "engine/data/fetch/http.hpp"
#include "engine/data/fetch/public_sets.hpp"

namespace nw {

struct DownloadProgress {
  enum class Phase : std::uint8_t { connecting, downloading, checking, unpacking };
  Phase phase = Phase::connecting;
  std::string file, host;
  std::int64_t done_bytes = 0, total_bytes = 0;  // of the whole set; total 0: unknown
  double bytes_per_s = 0, left_s = -1;           // left: -1 while unknown
};
const char* name_of(DownloadProgress::Phase);

struct DownloadRequest {
  const PublicSet& set;
  fs::path folder;                   // folder of the set's files; created if missing
  std::vector<std::string> mirrors;  // the user's mirrors, tried first: "http://host/data" contains <set id>/<file>
  std::function<bool(const DownloadProgress&)>
      report;  // called a few times a second, on the calling thread; false stops
};

struct DownloadedData {
  fs::path folder;
  std::int64_t fetched_bytes = 0;  // received over the network by this call
  bool verified = true;            // each file has the published SHA-256
  std::vector<Text> notes;         // "… is unverified: …"
};

/// Downloads the set. Errc::stopped: report() returned false; the received bytes are kept and the next call resumes.
/// Errc::bad_input: no address served the published content. Errc::disk: no free space. Errc::in_use: another program
/// is downloading the same set. Errc::other: no connection. An incomplete file never has its final name;
/// "download.json" in the same folder lists the address and the SHA-256 of each file.
Result<DownloadedData> get_public_set(const DownloadRequest&, const HttpClient&);

/// The state of a partial file between two attempts: ".NAME.part" and, if the server sent one, its ETag.
struct PartialFile {
  fs::path file, tag_file;
  explicit PartialFile(const fs::path& whole);
  std::int64_t bytes() const;
  std::string tag() const;
  void remove() const;
};

/// Regular files of an uncompressed tar (POSIX ustar; long names and other extensions are ignored), by base name.
/// Errc::bad_input: the archive is damaged. The views point into `tar`.
Status parse_tar(std::string_view tar, const std::string& where,
                 const std::function<Status(std::string_view name, std::string_view bytes)>& take);

}  // namespace nw
