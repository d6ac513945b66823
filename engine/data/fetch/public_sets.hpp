// SPDX-License-Identifier: Apache-2.0
// Public data sets: one row each, with files, addresses, licence and published digests.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/design/choice.hpp"

namespace nw {

/// One file of a set. Digests are lower-case hexadecimal; empty: no citable digest was published.
struct PublicFile {
  std::string name;
  std::int64_t bytes = 0;  // 0: unknown
  std::string sha256, md5;
  std::vector<std::string> urls;  // tried in this order
};

struct PublicSet {
  std::string id, title;                // "cifar-10", "CIFAR-10"
  std::string images;                   // "60 000 of 32×32×3, 10 classes"
  std::string licence, licence_source;  // page that states the licence
  std::string digest_source;            // page that published the SHA-256 sums, or else the MD5 sums
  std::string folder;                   // below the data folder
  std::vector<PublicFile> files;
  // files extracted from a .tar.gz, which is then deleted; empty: the files are used as downloaded
  std::vector<std::string> unpacked;
  DataChoice choice;           // the data choice of a project; its path is relative to the data folder
  std::int64_t bytes() const;  // download size; 0: not known
  bool verifiable() const;     // every file has a SHA-256
};

std::span<const PublicSet> public_sets();
/// Null: no set has this id.
const PublicSet* find_public_set(std::string_view id);
/// Whether all of its files are in this folder, checked by name and size; digests were verified when they were
/// downloaded.
bool is_complete(const PublicSet&, const fs::path& folder);
/// The folder of NETWRIGHT_DATA or the user's data folder that contains the complete set; else the first writable one
/// of them, for the download.
fs::path place_of(const PublicSet&);

}  // namespace nw
