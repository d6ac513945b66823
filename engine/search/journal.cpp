// SPDX-License-Identifier: Apache-2.0
#include "engine/search/journal.hpp"

#include <sys/stat.h>

#include "engine/runs/contained.hpp"

namespace nw::search {
namespace {

constexpr std::uint64_t max_bytes = std::uint64_t{1} << 30;

}  // namespace

Result<Study> study_from_text(std::string_view text, std::string_view where) {
  Study study;
  std::size_t number = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    ++number;
    const auto broken = [&](const Error& e) {
      return fail(Errc::bad_input, NW_TR("{0}, line {1}: {2}"), where, number, e.str());
    };
    const auto record = record_from_line(text.substr(begin, end - begin), study.definition().space);
    if (!record) return broken(record.error());
    if (!*record) continue;
    if (const Status taken = study.take(**record); !taken) return broken(taken.error());
  }
  return study;
}

Result<Study> read_study(const fs::path& folder) {
  NW_ASSIGN(const std::string text, read_inside(folder, journal_file, max_bytes));
  NW_ASSIGN(Study study, study_from_text(text, (folder / journal_file).string()));
  if (!study.began()) return fail(Errc::bad_input, NW_TR("{0} holds no study"), folder.string());
  return study;
}

bool holds_study(const fs::path& folder) {
  struct stat info {};
  return ::lstat((folder / journal_file).c_str(), &info) == 0;
}

Result<Journal> Journal::open(const fs::path& folder) {
  NW_TRY(make_folder(folder, 0700));
  auto lock = FileLock::take(folder / "lock");
  if (!lock && lock.error().code == Errc::in_use)
    return fail(Errc::in_use, NW_TR("the study in {0} is being run by another process"), folder.string());
  if (!lock) return lock.error();
  NW_ASSIGN(LineFile lines, LineFile::open(folder / journal_file));  // drops half a line
  NW_ASSIGN(const std::string text, read_inside(folder, journal_file, max_bytes));
  NW_ASSIGN(Study study, study_from_text(text, (folder / journal_file).string()));
  return Journal(folder, *std::move(lock), std::move(lines), std::move(study));
}

Status Journal::write(const Record& record) {
  NW_TRY(study_.take(record));
  NW_TRY(lines_.append(record_line(record, study_.definition().space)));
  return lines_.sync();
}

}  // namespace nw::search
