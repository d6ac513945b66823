// SPDX-License-Identifier: Apache-2.0
// Decoded data sets on disk: a set that was decoded once is mapped into memory the next time. Private to
// engine/data.
//
// A pack is "NWPACK3\n", u64 length and u64 XXH3 of the header, the header (JSON: what OpenedData says beside pixels,
// and XXH3 of each part that follows), then for the training and the test set labels (i64), targets (f32,
// (size,targets)) and pixels (u8, (size,H,W,C)), each from a multiple of 64 on. Numbers are little-endian. Another
// version has another magic.
#pragma once
#include <functional>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/data/dataset.hpp"

namespace nw {

/// A fingerprint of a source's files: names, sizes, times of change and inode numbers. Folders are included with
/// everything below them (`deep`) or their direct entries. Empty: unreadable, or no files.
std::string fingerprint(const std::vector<fs::path>& places, bool deep);

/// `key`: the source's fingerprint and the options. Both sets' pixels must be in memory. Errc::disk, and nothing is
/// left behind.
Status write_pack(const fs::path& file, const std::string& key, const OpenedData&);
/// Maps it. Errc::bad_input: damaged, of another version, or with another key.
Result<OpenedData> open_pack(const fs::path& file, const std::string& key);

/// `open`'s result, kept in cache_folder()/data and mapped from there while `key` stays the same. Small sets are not
/// kept, nor is any while NETWRIGHT_DATA_CACHE is "0" or `key` is empty; a pack that cannot be written is no error. All
/// packs together use at most a quarter of the available disk space; the least recently used are deleted first.
Result<OpenedData> kept_between_runs(const std::string& key, const std::function<Result<OpenedData>()>& open);

}  // namespace nw
