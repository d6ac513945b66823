// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/record_store.hpp"

#ifdef NW_SQLITE
#include <sqlite3.h>

#include <memory>
#include <system_error>

namespace nw {
namespace {

constexpr int wait_ms = 500;
constexpr std::size_t most_records = 1'000'000;

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
struct EndStatement {
  void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, EndStatement>;

bool execute(sqlite3* db, const char* sql) { return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }

/// Null: the file is no usable database of this format.
Database open(const fs::path& file) {
  sqlite3* raw = nullptr;
  const int rc =
      sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, nullptr);
  Database db(raw);
  if (rc != SQLITE_OK) return nullptr;
  sqlite3_busy_timeout(raw, wait_ms);
  // Each record carries its own hash, so that a crash of the machine can only lose records.
  const bool made = execute(raw,
                            "PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF;"
                            "CREATE TABLE IF NOT EXISTS runs (name TEXT PRIMARY KEY, stamp INTEGER NOT NULL,"
                            " hash INTEGER NOT NULL, record BLOB NOT NULL) WITHOUT ROWID");
  return made ? std::move(db) : nullptr;
}

Statement prepare(sqlite3* db, const char* sql) {
  sqlite3_stmt* raw = nullptr;
  sqlite3_prepare_v2(db, sql, -1, &raw, nullptr);
  return Statement(raw);
}

std::string bytes_of(sqlite3_stmt* row, int column) {
  const void* bytes = sqlite3_column_blob(row, column);  // before its size, by SQLite's rule
  const int size = sqlite3_column_bytes(row, column);
  return bytes ? std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size)) : std::string();
}

/// The hash ties the bytes to their run and stamp.
std::uint64_t hash_of(const std::string& name, const StoredRecord& r) {
  return xxh3(fmt::format("{} {} {}", xxh3(r.bytes), r.stamp, name));
}

void take_row(sqlite3_stmt* row, StoredRecords& records) {
  const std::string name = bytes_of(row, 0);
  StoredRecord record{static_cast<std::uint64_t>(sqlite3_column_int64(row, 1)), bytes_of(row, 3)};
  if (static_cast<std::uint64_t>(sqlite3_column_int64(row, 2)) == hash_of(name, record))
    records.emplace(name, std::move(record));
}

void remove_store(const fs::path& file) {
  std::error_code ignored;
  for (const char* part : {"", "-journal"}) fs::remove(file.string() + part, ignored);
}

bool put(sqlite3* db, const StoredRecords& changed) {
  const Statement s = prepare(db, "INSERT OR REPLACE INTO runs VALUES (?1, ?2, ?3, ?4)");
  for (const auto& [name, record] : changed) {
    if (!s) return false;
    sqlite3_bind_text64(s.get(), 1, name.data(), name.size(), SQLITE_STATIC, SQLITE_UTF8);
    sqlite3_bind_int64(s.get(), 2, static_cast<sqlite3_int64>(record.stamp));
    sqlite3_bind_int64(s.get(), 3, static_cast<sqlite3_int64>(hash_of(name, record)));
    sqlite3_bind_blob64(s.get(), 4, record.bytes.data(), record.bytes.size(), SQLITE_STATIC);
    if (sqlite3_step(s.get()) != SQLITE_DONE) return false;
    sqlite3_reset(s.get());
  }
  return true;
}

bool remove(sqlite3* db, const std::vector<std::string>& gone) {
  const Statement s = prepare(db, "DELETE FROM runs WHERE name = ?1");
  for (const std::string& name : gone) {
    if (!s) return false;
    sqlite3_bind_text64(s.get(), 1, name.data(), name.size(), SQLITE_STATIC, SQLITE_UTF8);
    if (sqlite3_step(s.get()) != SQLITE_DONE) return false;
    sqlite3_reset(s.get());
  }
  return true;
}

}  // namespace

StoredRecords load_records(const fs::path& store) {
  StoredRecords records;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(store, ignored))) return records;
  Database db = open(store);
  int rc = SQLITE_CORRUPT;
  if (const Statement s = db ? prepare(db.get(), "SELECT name, stamp, hash, record FROM runs") : nullptr)
    while ((rc = sqlite3_step(s.get())) == SQLITE_ROW && records.size() < most_records) take_row(s.get(), records);
  if (rc == SQLITE_DONE || rc == SQLITE_ROW || rc == SQLITE_BUSY) return records;
  db.reset();
  remove_store(store);
  return records;
}

void save_records(const fs::path& store, const StoredRecords& changed, const std::vector<std::string>& gone) {
  if (changed.empty() && gone.empty()) return;
  if (!make_folder(store.parent_path(), 0700)) return;
  const Database db = open(store);
  if (!db || !execute(db.get(), "BEGIN IMMEDIATE")) return;
  execute(db.get(), put(db.get(), changed) && remove(db.get(), gone) ? "COMMIT" : "ROLLBACK");
}

}  // namespace nw

#else

namespace nw {

StoredRecords load_records(const fs::path&) { return {}; }
void save_records(const fs::path&, const StoredRecords&, const std::vector<std::string>&) {}

}  // namespace nw

#endif
