// SPDX-License-Identifier: Apache-2.0
// Decoded data sets on disk: what was unpacked or decoded once is mapped into memory the next time. Private to
// engine/data.
//
// A pack is "NWPACK4\n", u64 length and u64 XXH3 of the header, the header (JSON: what OpenedData says beside pixels,
// and XXH3 of each part that follows), then for the training and the test set labels (i64), targets (f32,
// (size,targets)) and pixels (u8, (size,H,W,C)), each from a multiple of 64 on. Numbers are little-endian. Another
// version has another magic.
#pragma once
#include <functional>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/data/dataset.hpp"

namespace nw {

/// What the files of a source looked like: their names, sizes, times of change and places on the disk. Folders count
/// with everything below them (`deep`) or right in them. Empty: something could not be looked at, or there is nothing.
std::string fingerprint(const std::vector<fs::path>& places, bool deep);

/// `key`: what the set was made of and how. Both sets' pixels must lie in memory. Errc::disk, and nothing is left
/// behind.
Status write_pack(const fs::path& file, const std::string& key, const OpenedData&);
/// Maps it. Errc::bad_input: damaged, of another version, or made from another key.
Result<OpenedData> open_pack(const fs::path& file, const std::string& key);

/// `open`'s result, kept in cache_folder()/data and mapped from there while `key` stays the same. Small sets are not
/// kept, nor is any while NETWRIGHT_DATA_CACHE is "0" or `key` is empty; a pack that cannot be written is no error. All
/// packs together take at most a quarter of what the disk has for them: those used longest ago go first.
Result<OpenedData> kept_between_runs(const std::string& key, const std::function<Result<OpenedData>()>& open);

}  // namespace nw
