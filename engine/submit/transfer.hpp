// SPDX-License-Identifier: Apache-2.0
// Files between this computer and a place: what is missing there is copied; a copy that was cut goes on where it was.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/submit/place.hpp"

namespace nw::submit {

/// A file of a set, by its path below the set's folder ("" for a set that is one file).
struct SetFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::string sha256;
};
struct FileSet {
  std::vector<SetFile> files;
  bool is_folder = true;
  std::uint64_t bytes() const;
};
/// The plain files at a place of this computer, without hidden ones, with their digests. Errc::bad_input: there is
/// none, or more than 10^6.
Result<FileSet> file_set(const fs::path& place);

/// Called now and then with the bytes that are done; false: stop (Errc::stopped).
using Progress = std::function<bool(std::uint64_t done_bytes, std::uint64_t all_bytes)>;

/// The files of the set that are not at `there`, or have another size or digest.
Result<FileSet> missing_files(const Place&, const FileSet&, const std::string& there);
/// Copies the files from `here` to `there` until all are there with their digests: small ones together, large ones
/// in pieces that a cut leaves in place (NAME.part). After a cut it connects again, `tries` times in a row without any
/// progress.
Status copy_files(const Place&, const fs::path& here, const FileSet&, const std::string& there, int tries,
                  const Progress&);
/// Bytes that are free where `there` is, or will be.
Result<std::uint64_t> free_bytes(const Place&, const std::string& there);

}  // namespace nw::submit
