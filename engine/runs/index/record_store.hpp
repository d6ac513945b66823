// SPDX-License-Identifier: Apache-2.0
// The file of the index: an SQLite database in the user's cache folder, which may be deleted at any time. Without
// SQLite (the headless build where it is not installed) nothing is kept.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/core/files.hpp"

namespace nw {

struct StoredRecord {
  std::uint64_t stamp = 0;
  std::string bytes;
};
using StoredRecords = std::map<std::string, StoredRecord>;  // by the run's folder name

/// The undamaged records of a store; a damaged or foreign file is removed. Empty if there is none.
StoredRecords load_records(const fs::path& store);
/// Adds or replaces `changed` and removes `gone`, all or nothing. Another process that writes at the same time is
/// waited for briefly; what cannot be written is read from the run folders the next time.
void save_records(const fs::path& store, const StoredRecords& changed, const std::vector<std::string>& gone);

}  // namespace nw
