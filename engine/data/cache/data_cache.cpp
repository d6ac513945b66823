// SPDX-License-Identifier: Apache-2.0
// Decides which sets are cached on disk, in which folder, and which are deleted.
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "engine/core/crashed_saves.hpp"
#include "engine/data/cache/pack.hpp"
#include "engine/data/dataset.hpp"

namespace nw {
namespace {

constexpr std::int64_t smallest_kept_bytes = 1 << 20;
constexpr std::size_t most_files = 4'000'000;
constexpr int deepest_folder = 16;

/// Adds the properties of a file that change when it is written, or replaced by another of equal size and time.
bool add_file(const fs::path& file, std::string& into) {
  struct stat s {};
  if (::stat(file.c_str(), &s) != 0) return false;
  into += fmt::format("{} {} {}.{} {}.{} {}\n", file.string(), s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec,
                      s.st_ctim.tv_sec, s.st_ctim.tv_nsec, s.st_ino);
  return true;
}

/// Walks a folder as readers do, who follow links to class folders. A folder that was walked already (by another link,
/// or above itself) is named but not entered again.
class FolderWalk {
 public:
  explicit FolderWalk(std::string& into) : into_(into) {}
  bool add(const fs::path& folder, int depth) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      entries.push_back(it->path());
    if (error) return false;
    std::sort(entries.begin(), entries.end());
    return std::all_of(entries.begin(), entries.end(), [&](const fs::path& entry) { return add_entry(entry, depth); });
  }

 private:
  bool add_entry(const fs::path& entry, int depth) {
    std::error_code ignored;
    if (!fs::is_directory(entry, ignored)) return ++files_ <= most_files && add_file(entry, into_);
    struct stat s {};
    if (depth == 0) return true;
    if (::stat(entry.c_str(), &s) != 0) return false;
    into_ += fmt::format("{} {}:{}\n", entry.string(), s.st_dev, s.st_ino);
    return !entered_.emplace(s.st_dev, s.st_ino).second || add(entry, depth - 1);
  }

  std::string& into_;
  std::size_t files_ = 0;
  std::set<std::pair<dev_t, ino_t>> entered_;
};

fs::path packs_folder() { return cache_folder() / "data"; }

struct CachedPack {
  fs::path file;
  fs::file_time_type used;
  std::uintmax_t bytes = 0;
};

std::vector<CachedPack> kept_packs() {
  std::vector<CachedPack> all;
  std::error_code error;
  for (fs::directory_iterator it(packs_folder(), error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().extension() == ".pack")
      all.push_back({it->path(), it->last_write_time(ignored), it->file_size(ignored)});
  }
  std::sort(all.begin(), all.end(), [](const CachedPack& a, const CachedPack& b) { return a.used > b.used; });
  return all;
}

/// Whether `bytes` more may be cached, after the least recently used packs were deleted.
bool make_room(std::uintmax_t bytes) {
  std::error_code error;
  const fs::space_info disk = fs::space(packs_folder(), error);
  if (error) return false;
  std::vector<CachedPack> packs = kept_packs();
  std::uintmax_t taken = 0;
  for (const CachedPack& k : packs) taken += k.bytes;
  const std::uintmax_t allowed = (disk.available + taken) / 4;
  if (bytes > allowed) return false;
  for (; !packs.empty() && taken + bytes > allowed; packs.pop_back())
    if (fs::remove(packs.back().file, error)) taken -= packs.back().bytes;
  return taken + bytes <= allowed;
}

}  // namespace

std::string fingerprint(const std::vector<fs::path>& places, bool deep) {
  std::string all;
  FolderWalk walk(all);
  for (const fs::path& place : places) {
    if (place.empty()) continue;
    std::error_code ignored;
    const bool added =
        fs::is_directory(place, ignored) ? walk.add(place, deep ? deepest_folder : 0) : add_file(place, all);
    if (!added) return {};
  }
  return all.empty() ? all : hex(xxh3(all));
}

namespace {

/// The file of a pack; empty if caching is disabled.
fs::path pack_of(const std::string& key) {
  const char* setting = std::getenv("NETWRIGHT_DATA_CACHE");
  if (key.empty() || (setting && std::string_view(setting) == "0")) return {};
  return packs_folder() / (hex(xxh3(key)) + ".pack");
}

void keep(const fs::path& pack, const std::string& key, const OpenedData& d) {
  std::int64_t bytes = 0;
  for (const auto& set : {d.train, d.test})
    if (set) bytes += set->size() * (set->bytes() + 8);
  if (bytes < smallest_kept_bytes || !make_folder(packs_folder(), 0700)) return;
  remove_crashed_saves(packs_folder());  // a run that is stopped while its data open leaves up to a whole pack
  if (!make_room(static_cast<std::uintmax_t>(bytes))) return;
  (void)write_pack(pack, key, d);  // without a pack the set is decoded again the next time
}

}  // namespace

Result<OpenedData> kept_between_runs(const std::string& key, const std::function<Result<OpenedData>()>& open) {
  const fs::path pack = pack_of(key);
  if (pack.empty()) return open();
  if (auto kept = open_pack(pack, key)) {
    std::error_code ignored;
    fs::last_write_time(pack, fs::file_time_type::clock::now(), ignored);  // the order in which packs are deleted
    return kept;
  }
  auto opened = open();
  if (opened) keep(pack, key, *opened);
  return opened;
}

}  // namespace nw
