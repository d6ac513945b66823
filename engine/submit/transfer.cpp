// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/transfer.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>

#include "engine/core/digest.hpp"
#include "engine/submit/quoting.hpp"
#include "kernels/printable.hpp"

namespace nw::submit {
namespace {

constexpr std::size_t most_files = 1000000;
constexpr std::uint64_t large_bytes = std::uint64_t{8} << 20, most_together = std::uint64_t{64} << 20;
constexpr ProcessLimits long_copy{.timeout_s = 7 * 24 * 3600.0, .silence_s = 60, .out_bytes = std::size_t{1} << 16};
constexpr ProcessLimits long_list{.timeout_s = 3600, .silence_s = 0, .out_bytes = std::size_t{512} << 20};

std::string place_of(const std::string& there, const SetFile& f) {
  return f.path.empty() ? there : there + "/" + f.path;
}

std::string zero_ended(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list.append(text).push_back('\0');
  return list;
}

/// Calls `take` for each text of a list in which each ends with a byte 0.
template <typename F>
void each_zero_ended(std::string_view list, F take) {
  for (std::size_t end; (end = list.find('\0')) != std::string_view::npos; list.remove_prefix(end + 1))
    take(list.substr(0, end));
}

Result<SetFile> described(const fs::path& file, std::string path) {
  NW_ASSIGN(const FileDigests digests, digests_of_file(file));
  return SetFile{std::move(path), static_cast<std::uint64_t>(digests.bytes), digests.sha256};
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

/// The digests of the files that are there: "DIGEST  PATH" each.
Result<std::map<std::string, std::string>> digests_there(const Place& place, const FileSet& set,
                                                         const std::string& there) {
  std::vector<std::string> paths;
  for (const SetFile& f : set.files) paths.push_back(place_of(there, f));
  NW_ASSIGN(const std::string said,
            place.ask("xargs -0 -r sha256sum -z -- 2>/dev/null || :", zero_ended(paths), long_list));
  std::map<std::string, std::string> digests;
  each_zero_ended(said, [&](std::string_view line) {
    if (line.size() > 66) digests.emplace(line.substr(66), line.substr(0, 64));
  });
  return digests;
}

/// Runs a pipeline here. A shell does not look at a signal while it waits for a pipeline in the foreground: all of it
/// ends when this program is ended.
Status pipe(const std::string& line, std::string_view input) {
  const std::string script = "trap 'trap \"\" TERM; kill 0' TERM\n{ " + line + "; } <&0 &\nwait $!";
  NW_ASSIGN(const ProcessOutput done, run_process({"bash", "-o", "pipefail", "-c", script}, input, long_copy));
  if (done.code != 0) return fail(Errc::no_response, NW_TR("the copy was cut: {0}"), last_line(done.err));
  return {};
}

/// Small files in one stream. tar writes each file anew; one that a cut left half is copied again.
Status copy_together(const Place& place, const fs::path& here, const std::vector<std::string>& paths,
                     const std::string& there) {
  const std::string unpack =
      "mkdir -p " + shell_word(there) + " && tar -x -f - --no-same-owner -C " + shell_word(there);
  return pipe("tar -c -f - --null --no-recursion --verbatim-files-from -C " + shell_word(here.string()) + " -T - | " +
                  shell_words(place.command(unpack)),
              zero_ended(paths));
}

Result<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data())
    return fail(Errc::bad_input, NW_TR("a number was expected, not {0}"), printable(text.substr(0, 40)));
  return value;
}

/// A file of this computer from `begin` on, a piece at a time.
class FileInput {
 public:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  FileInput(const fs::path& file, std::uint64_t begin) : file_(file, std::ios::binary), piece_(piece_bytes, '\0') {
    file_.seekg(static_cast<std::streamoff>(begin));
  }
  std::string_view next() {
    file_.read(piece_.data(), static_cast<std::streamsize>(piece_.size()));
    return {piece_.data(), static_cast<std::size_t>(file_.gcount())};
  }

 private:
  std::ifstream file_;
  std::string piece_;
};

/// How many bytes of the file are at the place; a piece that is longer than the file is emptied.
Result<std::uint64_t> begun_bytes(const Place& place, const std::string& to, std::uint64_t all) {
  const std::string part = shell_word(to + ".part");
  NW_ASSIGN(const std::string size, place.ask("mkdir -p -- \"$(dirname -- " + shell_word(to) + ")\" && touch -- " +
                                              part + " && wc -c <" + part));
  NW_ASSIGN(const std::uint64_t have, number(size));
  if (have <= all) return have;
  NW_TRY(place.ask(": >" + part));
  return 0;
}

/// False: stop. Gets the bytes of the file that have been sent.
using Sent = std::function<bool(std::uint64_t)>;

Status send_rest(const Place& place, const fs::path& from, std::uint64_t have, const std::string& part,
                 const Sent& sent) {
  FileInput file(from, have);
  bool stopped = false;
  const auto next = [&] {
    stopped = !sent(have);
    const std::string_view piece = stopped ? std::string_view() : file.next();
    have += piece.size();
    return piece;
  };
  NW_ASSIGN(const ProcessOutput done, feed_process(place.command("cat >>" + part), next, long_copy));
  if (stopped) return fail(Errc::stopped, NW_TR("the copy was stopped; the same command goes on with it"));
  if (done.code != 0) return fail(Errc::no_response, NW_TR("the copy was cut: {0}"), last_line(done.err));
  return {};
}

/// A large file from where it was cut, which is `begun_at`. The piece takes the file's name only once its digest is
/// right.
Status copy_large(const Place& place, const fs::path& here, const SetFile& f, const std::string& there,
                  std::uint64_t& begun_at, const Sent& sent) {
  const std::string to = place_of(there, f), part = shell_word(to + ".part");
  NW_ASSIGN(begun_at, begun_bytes(place, to, f.bytes));
  const fs::path from = f.path.empty() ? here : here / f.path;
  if (begun_at < f.bytes) NW_TRY(send_rest(place, from, begun_at, part, sent));
  const std::string check = "case $(sha256sum <" + part + ") in " + f.sha256 + "*) mv -- " + part + " " +
                            shell_word(to) + " ;; *) rm -f -- " + part +
                            "; echo 'the copy is damaged' >&2; exit 1 ;; esac";
  const auto checked = place.ask(check, {}, long_list);
  return checked ? Status{} : checked.error();
}

/// One round: the next batch of small files, or the next large one.
Status copy_some(const Place& place, const fs::path& here, const FileSet& missing, const std::string& there,
                 std::uint64_t& begun_at, const Sent& sent) {
  std::vector<std::string> paths;
  std::uint64_t bytes = 0;
  for (const SetFile& f : missing.files) {
    if (f.path.empty() || f.bytes >= large_bytes || bytes > most_together || paths.size() > 10000) continue;
    paths.push_back(f.path);
    bytes += f.bytes;
  }
  if (!paths.empty()) return copy_together(place, here, paths, there);
  return copy_large(place, here, missing.files.front(), there, begun_at, sent);
}

void wait_before(int failures) {
  std::this_thread::sleep_for(std::chrono::seconds(std::min(30, 1 << std::min(failures, 5))));
}

}  // namespace

std::uint64_t FileSet::bytes() const {
  std::uint64_t sum = 0;
  for (const SetFile& f : files) sum += f.bytes;
  return sum;
}

Result<FileSet> file_set(const fs::path& place) {
  std::error_code error;
  FileSet set;
  if (fs::is_regular_file(place, error)) {
    NW_ASSIGN(SetFile one, described(place, ""));
    return FileSet{{std::move(one)}, false};
  }
  for (auto i = fs::recursive_directory_iterator(place, error); !error && i != fs::recursive_directory_iterator();
       i.increment(error)) {
    if (is_hidden(i->path())) {
      if (i->is_directory(error)) i.disable_recursion_pending();
      continue;
    }
    if (!i->is_regular_file(error)) continue;
    if (set.files.size() == most_files)
      return fail(Errc::bad_input, NW_TR("{0} holds more than {1} files; an archive of them is copied faster"),
                  place.string(), most_files);
    NW_ASSIGN(SetFile one, described(i->path(), i->path().lexically_relative(place).string()));
    set.files.push_back(std::move(one));
  }
  if (error) return fail(Errc::bad_input, NW_TR("{0} cannot be read: {1}"), place.string(), error.message());
  if (set.files.empty()) return fail(Errc::bad_input, NW_TR("{0} holds no files"), place.string());
  return set;
}

Result<FileSet> missing_files(const Place& place, const FileSet& set, const std::string& there) {
  NW_ASSIGN(const auto digests, digests_there(place, set, there));
  FileSet missing{{}, set.is_folder};
  for (const SetFile& f : set.files) {
    const auto found = digests.find(place_of(there, f));
    if (found == digests.end() || found->second != f.sha256) missing.files.push_back(f);
  }
  return missing;
}

Status copy_files(const Place& place, const fs::path& here, const FileSet& set, const std::string& there, int tries,
                  const Progress& progress) {
  FileSet missing = set;
  std::uint64_t begun_at = 0, best = 0;
  for (int failures = 0;;) {
    auto left = missing_files(place, missing, there);
    if (left) missing = *std::move(left);
    if (left && missing.files.empty()) return {};
    if (progress && !progress(set.bytes() - missing.bytes(), set.bytes()))
      return fail(Errc::stopped, NW_TR("the copy was stopped; the same command goes on with it"));
    const std::uint64_t before = set.bytes() - missing.bytes();
    const Sent sent = [&](std::uint64_t bytes) { return !progress || progress(before + bytes, set.bytes()); };
    const Status copied = left ? copy_some(place, here, missing, there, begun_at, sent) : left.error();
    if (!copied && copied.error().code == Errc::stopped) return copied;
    const std::uint64_t done = set.bytes() - missing.bytes() + begun_at;
    failures = done > best ? 0 : failures + 1;
    best = std::max(best, done);
    if (failures > tries)
      return copied ? fail(Errc::bad_input, NW_TR("{0} changes while it is copied"), here.string()) : copied.error();
    if (!copied) wait_before(failures);
  }
}

Result<std::uint64_t> free_bytes(const Place& place, const std::string& there) {
  const std::string script =
      "d=" + shell_word(there) +
      "\nwhile [ ! -d \"$d\" ] && [ \"$d\" != . ] && [ \"$d\" != / ]; do d=$(dirname -- \"$d\"); "
      "done\ndf -P -k -- \"$d\" | tail -n 1 | awk '{print $4}'\n";
  NW_ASSIGN(const std::string said, place.ask(script));
  NW_ASSIGN(const std::uint64_t kib, number(said));
  return std::min<std::uint64_t>(kib, std::uint64_t{1} << 50) * 1024;
}

}  // namespace nw::submit
