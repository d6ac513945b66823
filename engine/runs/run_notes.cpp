// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_notes.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <optional>

#include "engine/core/json.hpp"
#include "engine/core/newer_format.hpp"
#include "engine/runs/contained.hpp"

namespace nw {
namespace {

constexpr std::uint64_t file_limit = 128 << 10;  // every character may be escaped
constexpr std::string_view members[] = {"schema", "name", "notes", "tags"};

bool is_control(std::uint32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

/// The code point at the start of `bytes`, removed from it; nullopt: not UTF-8 (RFC 3629).
std::optional<std::uint32_t> take_code_point(std::string_view& bytes) {
  const auto first = static_cast<unsigned char>(bytes.front());
  const std::size_t length = first < 0x80         ? 1
                             : first >> 5 == 0x6  ? 2
                             : first >> 4 == 0xE  ? 3
                             : first >> 3 == 0x1E ? 4
                                                  : 0;
  if (length == 0 || bytes.size() < length) return std::nullopt;
  std::uint32_t c = length == 1 ? first : first & (0x7FU >> length);
  for (const char next : bytes.substr(1, length - 1)) {
    if ((static_cast<unsigned char>(next) & 0xC0) != 0x80) return std::nullopt;
    c = c << 6 | (static_cast<unsigned char>(next) & 0x3F);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < least[length] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return std::nullopt;
  bytes.remove_prefix(length);
  return c;
}

Status check_text(std::string_view what, std::string_view value, std::size_t limit, bool lines) {
  if (value.size() > limit)
    return fail(Errc::bad_input, NW_TR("\"{0}\" of a run's notes may have {1} bytes; these are {2}"), what, limit,
                value.size());
  while (!value.empty()) {
    const auto c = take_code_point(value);
    if (!c) return fail(Errc::bad_input, NW_TR("\"{0}\" of a run's notes must be UTF-8 text"), what);
    if (is_control(*c) && !(lines && (*c == '\n' || *c == '\t')))
      return fail(Errc::bad_input, NW_TR("\"{0}\" of a run's notes may not hold control characters"), what);
  }
  return {};
}

Result<std::vector<std::string>> tags_from(const Json& list, const std::string& where) {
  std::vector<std::string> tags;
  for (const Json& tag : list) {
    if (!tag.is_string() || tags.size() >= run_tags_limit)
      return fail(Errc::bad_input, NW_TR("{0}: tags is not a list of at most {1} words"), where, run_tags_limit);
    tags.push_back(tag.get<std::string>());
  }
  return tags;
}

Result<RunNotes> notes_from(const Json& json, const std::string& where) {
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("{0} does not hold notes of a run"), where);
  JsonReader r(json, where);
  if (const std::int64_t schema = r.integer("schema", 1, std::int64_t{1} << 31); schema > 1)
    return newer_format(json, where, schema, 1);
  for (const auto& [key, value] : json.items())
    if (std::find(std::begin(members), std::end(members), key) == std::end(members))
      return fail(Errc::bad_input, NW_TR("{0} has a member {1}, which notes of a run do not have"), where, key);
  RunNotes notes{r.string_or("name", ""), r.string_or("notes", ""), {}};
  if (const Json* list = r.child("tags", Json::value_t::array)) { NW_ASSIGN(notes.tags, tags_from(*list, where)); }
  NW_TRY(r.status());
  NW_TRY(check_run_notes(notes));
  return notes;
}

}  // namespace

Status check_run_notes(const RunNotes& notes) {
  NW_TRY(check_text("name", notes.name, run_name_limit, false));
  NW_TRY(check_text("notes", notes.notes, run_notes_limit, true));
  if (notes.tags.size() > run_tags_limit)
    return fail(Errc::bad_input, NW_TR("a run may have {0} tags"), run_tags_limit);
  for (const std::string& tag : notes.tags) {
    NW_TRY(check_text("tags", tag, run_tag_limit, false));
    if (tag.empty() || tag.find(',') != std::string::npos || std::count(notes.tags.begin(), notes.tags.end(), tag) > 1)
      return fail(Errc::bad_input, NW_TR("the tag \"{0}\" is empty, given twice or holds a comma"), tag);
  }
  return {};
}

Result<RunNotes> read_run_notes(const fs::path& run) {
  struct stat info {};
  if (::lstat((run / notes_file).c_str(), &info) != 0 && errno == ENOENT) return RunNotes();
  NW_ASSIGN(const std::string bytes, read_inside(run, notes_file, file_limit));
  const std::string where = (run / notes_file).string();
  JsonLimits limits;
  limits.depth = 4;
  NW_ASSIGN(const Json json, parse_json(bytes, where, limits));
  return notes_from(json, where);
}

Status save_run_notes(const fs::path& run, const RunNotes& notes) {
  NW_TRY(check_run_notes(notes));
  struct stat info {};  // the folder may be a stranger's: a link is refused, and never followed
  if (::lstat((run / notes_file).c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return fail(Errc::bad_input, NW_TR("{0} is not a plain file"), (run / notes_file).string());
  const Json json = {{"schema", 1}, {"name", notes.name}, {"notes", notes.notes}, {"tags", notes.tags}};
  return save_file(run / notes_file, canonical(json), 0600, Links::replace);
}

}  // namespace nw
