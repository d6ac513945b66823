// SPDX-License-Identifier: Apache-2.0
// Decoded data sets on disk: a set that was decoded once is mapped into memory the next time. Private to
// engine/data.
//
// A pack is "NWPACK4\n", u64 length and u64 XXH3 of the header, the header (JSON: the members of OpenedData except the
// pixels, and the XXH3 of each array that follows), then for the training and the test set labels (i64), targets (f32,
// (size,targets)) and pixels (u8, (size,H,W,C)), each at a multiple of 64. Numbers are little-endian. Other versions
// have another signature.
#pragma once
#include <functional>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/data/dataset.hpp"

namespace nw {

/// A fingerprint of a source's files: names, sizes, times of change and inode numbers. Folders are included with
/// everything below them (`deep`) or their direct entries. Empty: unreadable, or no files.
std::string fingerprint(const std::vector<fs::path>& places, bool deep);

/// Writes a pack. `key`: the source's fingerprint and the options. Both sets' pixels must be in memory. On Errc::disk
/// no file remains.
Status write_pack(const fs::path& file, const std::string& key, const OpenedData&);
/// Maps the pack file into memory. Errc::bad_input: the file is damaged, has another version, or has another key.
Result<OpenedData> open_pack(const fs::path& file, const std::string& key);

/// Returns the result of `open`, stores it in cache_folder()/data and maps it from there as long as `key` is the same.
/// Small sets are not stored, and none if NETWRIGHT_DATA_CACHE is "0" or `key` is empty; a failed write is no error.
/// All packs together use at most a quarter of the available disk space; the least recently used are deleted first.
Result<OpenedData> kept_between_runs(const std::string& key, const std::function<Result<OpenedData>()>& open);

}  // namespace nw
