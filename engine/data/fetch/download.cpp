// SPDX-License-Identifier: Apache-2.0
#include "engine/data/fetch/download.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "engine/core/digest.hpp"
#include "engine/core/json.hpp"
#include "engine/data/fetch/partial_file_sink.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int tries_at_one_address = 4;
constexpr const char* record_name = "download.json";

/// The address without "user:password@", which a mirror may have: for messages and records.
std::string without_userinfo(const std::string& url) {
  const std::size_t from = url.find("://");
  const std::size_t at = from == std::string::npos ? 0 : from + 3;
  const std::size_t end = std::min(url.find_first_of("/?#", at), url.size());
  const std::size_t sign = url.rfind('@', end);
  return sign == std::string::npos || sign < at || sign >= end ? url : url.substr(0, at) + url.substr(sign + 1);
}

std::string host_of(const std::string& url) {
  const std::string shown = without_userinfo(url);
  const std::size_t from = shown.find("://");
  const std::size_t at = from == std::string::npos ? 0 : from + 3;
  return shown.substr(at, shown.find('/', at) - at);
}

double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

/// Reports the progress of a download: bytes of the whole set and their rate over the last seconds.
class ProgressReporter {
 public:
  explicit ProgressReporter(const DownloadRequest& request) : request_(request) {
    shown_.total_bytes = request.set.bytes();
  }
  bool say(DownloadProgress::Phase phase, const PublicFile& file, const std::string& host, std::int64_t of_file) {
    const bool other = phase != shown_.phase || file.name != shown_.file;
    shown_.phase = phase, shown_.file = file.name, shown_.host = host;
    shown_.done_bytes = before_ + of_file;
    measure(other);
    if (!other && said_ && seconds_since(*said_) < 0.1) return go_on_;
    said_ = Clock::now();
    go_on_ = go_on_ && (!request_.report || request_.report(shown_));
    return go_on_;
  }
  void file_is_here(std::int64_t bytes) { before_ += bytes; }

 private:
  void measure(bool anew) {
    if (anew) {
      since_ = Clock::now(), from_ = shown_.done_bytes, shown_.bytes_per_s = 0, shown_.left_s = -1;
      return;
    }
    const double passed = seconds_since(since_);
    if (passed < 0.5) return;
    const double rate = static_cast<double>(shown_.done_bytes - from_) / passed;
    shown_.bytes_per_s = shown_.bytes_per_s == 0 ? rate : 0.7 * shown_.bytes_per_s + 0.3 * rate;
    since_ = Clock::now(), from_ = shown_.done_bytes;
    shown_.left_s = shown_.total_bytes > 0 && shown_.bytes_per_s > 1
                        ? static_cast<double>(shown_.total_bytes - shown_.done_bytes) / shown_.bytes_per_s
                        : -1;
  }
  const DownloadRequest& request_;
  DownloadProgress shown_;
  std::optional<Clock::time_point> said_;
  Clock::time_point since_ = Clock::now();
  std::int64_t before_ = 0, from_ = 0;
  bool go_on_ = true;
};

class DownloadTask {
 public:
  DownloadTask(const DownloadRequest& request, const HttpClient& client)
      : request_(request), client_(client), progress_reporter_(request), record_(read_record()) {}

  Result<DownloadedData> all() {
    got_.folder = request_.folder;
    for (const PublicFile& file : request_.set.files) {
      NW_TRY(bring(file));
      std::error_code ignored;
      progress_reporter_.file_is_here(static_cast<std::int64_t>(fs::file_size(path_of(file), ignored)));
    }
    NW_TRY(save_record());
    if (!request_.set.unpacked.empty())
      for (const PublicFile& file : request_.set.files) NW_TRY(unpack(file));
    return got_;
  }

 private:
  fs::path path_of(const PublicFile& file) const { return request_.folder / file.name; }
  Error stopped(const PublicFile& file) const {
    return fail(Errc::stopped,
                NW_TR("Stopped; the downloaded part of {0} is kept and the next download continues from it"),
                file.name);
  }

  Json read_record() const {
    const auto text = read_file(request_.folder / record_name, 1 << 20);
    if (!text) return Json::object();
    auto json = parse_json(*text, record_name);
    if (!json || !json->is_object() || (json->contains("files") && !(*json)["files"].is_object()))
      return Json::object();
    return *std::move(json);
  }
  std::string recorded_digest(const PublicFile& file) const {
    const auto files = record_.find("files");
    if (files == record_.end() || !files->is_object()) return {};
    const auto entry = files->find(file.name);
    if (entry == files->end() || !entry->is_object()) return {};
    const auto sum = entry->find("sha256");
    return sum != entry->end() && sum->is_string() ? sum->get<std::string>() : std::string();
  }
  Status save_record() {
    record_["set"] = request_.set.id;
    record_["licence"] = request_.set.licence;
    return save_file(request_.folder / record_name, record_.dump(2) + "\n");
  }

  /// Makes the file available under its final name: it exists already or is downloaded.
  Status bring(const PublicFile& file) {
    std::error_code ignored;
    if (fs::is_regular_file(path_of(file), ignored)) return take(file, path_of(file), {}, {});
    std::vector<std::string> urls;
    for (const std::string& mirror : request_.mirrors)
      urls.push_back(mirror + (mirror.ends_with('/') ? "" : "/") + request_.set.id + "/" + file.name);
    urls.insert(urls.end(), file.urls.begin(), file.urls.end());
    // of several errors, wrong content is the most informative and a missing connection the least
    std::optional<Error> worst;
    int weight = 0;
    for (const std::string& url : urls) {
      connected_ = false;
      const Status came = from(file, url);
      if (came || came.error().code == Errc::stopped || came.error().code == Errc::disk) return came;
      const int now = came.error().code == Errc::bad_input ? 2 : connected_ ? 1 : 0;
      if (now > weight) worst = came.error(), weight = now;
    }
    if (worst) return *worst;
    return fail(Errc::other,
                NW_TR("{0} cannot be reached. Without a network: download {1} on another computer, copy it into {2} "
                      "and start again here; its checksum is then verified"),
                host_of(urls.empty() ? std::string() : urls.front()),
                urls.empty() ? file.name : without_userinfo(urls.back()), request_.folder.string());
  }

  /// Downloads from one address; repeated while each attempt before a lost connection made progress.
  Status from(const PublicFile& file, const std::string& url) {
    const PartialFile part(path_of(file));
    Status came = fail(Errc::other, NW_TR("{0} cannot be reached"), host_of(url));
    for (int i = 0; i < tries_at_one_address; ++i) {
      const std::int64_t before = part.bytes();
      bool again = false;
      came = once(file, part, url, again);
      if (came) return take(file, part.file, url, part);
      if (!again || (before == part.bytes() && i > 0)) return came;
    }
    return came;
  }

  Status once(const PublicFile& file, const PartialFile& part, const std::string& url, bool& again) {
    const std::string host = host_of(url), tag = part.tag();
    // without checksum or tag a mismatch of two parts would not be detected
    const bool may_go_on = !file.sha256.empty() || !tag.empty();
    if (part.bytes() > 0 && (!may_go_on || (file.bytes > 0 && part.bytes() > file.bytes))) part.remove();
    if (file.bytes > 0 && part.bytes() == file.bytes) return {};
    if (!progress_reporter_.say(DownloadProgress::Phase::connecting, file, host, part.bytes())) return stopped(file);
    PartialFileSink sink(part, file.bytes, host, [&](std::int64_t here) {
      return progress_reporter_.say(DownloadProgress::Phase::downloading, file, host, here);
    });
    const HttpResult outcome = client_.get(url, part.bytes(), file.sha256.empty() ? tag : std::string(), sink);
    got_.fetched_bytes += sink.fetched_bytes();
    connected_ = connected_ || outcome.end != HttpEnd::no_connection;
    if (sink.stopped()) return stopped(file);
    const Status written = sink.finish();
    if (!written) {
      // the rest is not available: starts again from byte 0
      again = written.error().code == Errc::bad_input && sink.fetched_bytes() == 0 && part.bytes() > 0;
      if (written.error().code == Errc::bad_input) part.remove();
      return written;
    }
    return checked_outcome(outcome, file, part, host, again);
  }

  Status checked_outcome(const HttpResult& outcome, const PublicFile& file, const PartialFile& part,
                         const std::string& host, bool& again) {
    switch (outcome.end) {
      case HttpEnd::whole:
      case HttpEnd::ended_by_sink:
        if (file.bytes == 0 || part.bytes() == file.bytes) return {};
        again = true;
        return fail(Errc::other, NW_TR("{0} sent {1} of {2} bytes of {3}"), host, part.bytes(), file.bytes, file.name);
      case HttpEnd::too_many_redirects:
        return fail(Errc::other, NW_TR("{0} redirects too many times"), host);
      case HttpEnd::no_connection:
        return fail(Errc::other, NW_TR("{0} cannot be reached: {1}"), host, outcome.why);
      case HttpEnd::cut:
        again = true;
        return fail(Errc::other, NW_TR("The connection to {0} was cut: {1}"), host, outcome.why);
      case HttpEnd::not_http:
        break;
    }
    return fail(Errc::other, NW_TR("{0} sent an invalid response: {1}"), host, outcome.why);
  }

  /// Verifies a complete file, renames it and records its checksum. `part` is empty if the file has its final name.
  Status take(const PublicFile& file, const fs::path& where, const std::string& url,
              const std::optional<PartialFile>& part) {
    const auto digests = digests_of_file(where, [&] {
      return progress_reporter_.say(DownloadProgress::Phase::checking, file, host_of(url), file.bytes);
    });
    if (!digests && digests.error().code == Errc::stopped) return stopped(file);
    if (!digests) return digests.error();
    const std::string recorded = recorded_digest(file), expected = file.sha256.empty() ? recorded : file.sha256;
    const bool right =
        (expected.empty() || digests->sha256 == expected) && (file.md5.empty() || digests->md5 == file.md5);
    if (!right) return wrong(file, where, *digests, expected, part);
    if (part) {
      std::error_code error;
      fs::rename(where, path_of(file), error);
      if (error) return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), path_of(file).string(), error.message());
      part->remove();
      NW_TRY(sync_folder(request_.folder));
    }
    write_down(file, *digests, url);
    return {};
  }

  Status wrong(const PublicFile& file, const fs::path& where, const FileDigests& found, const std::string& expected,
               const std::optional<PartialFile>& part) const {
    if (!part)
      return fail(Errc::bad_input, NW_TR("{0} is not the published file (SHA-256 {1}); move it away and start again"),
                  where.string(), found.sha256);
    part->remove();
    if (file.sha256.empty() && !expected.empty())
      return fail(
          Errc::bad_input,
          NW_TR("{0} is another file than the one that was fetched first (SHA-256 {1} then, {2} now); it was not kept"),
          file.name, expected, found.sha256);
    if (expected.empty())
      return fail(Errc::bad_input, NW_TR("{0} is not the published file (MD5 {1} instead of {2}); it was not kept"),
                  file.name, found.md5, file.md5);
    return fail(Errc::bad_input, NW_TR("{0} is not the published file (SHA-256 {1} instead of {2}); it was not kept"),
                file.name, found.sha256, expected);
  }

  void write_down(const PublicFile& file, const FileDigests& found, const std::string& url) {
    const bool verified = !file.sha256.empty();
    Json entry{{"bytes", found.bytes}, {"sha256", found.sha256}, {"verified", verified}};
    if (!url.empty()) entry["url"] = without_userinfo(url);
    record_["files"][file.name] = std::move(entry);
    if (verified) return;
    got_.verified = false;
    got_.notes.push_back(
        file.md5.empty()
            ? text(NW_TR("{0} is unverified: no SHA-256 was published; the file's own was recorded ({1})"), file.name,
                   found.sha256)
            : text(
                  NW_TR(
                      "{0} is unverified: only an MD5 was published, which agrees; its SHA-256 was written down ({1})"),
                  file.name, found.sha256));
  }

  /// Extracts the files of a set from a .tar.gz and deletes the archive. File names come from the table, never from the
  /// archive.
  Status unpack(const PublicFile& file) {
    if (!progress_reporter_.say(DownloadProgress::Phase::unpacking, file, {}, 0)) return stopped(file);
    NW_ASSIGN(const std::string tar, read_maybe_gzip(path_of(file), std::uint64_t{1} << 30));
    std::vector<std::string> missing = request_.set.unpacked;
    NW_TRY(parse_tar(tar, path_of(file).string(), [&](std::string_view name, std::string_view bytes) -> Status {
      const auto wanted = std::find(missing.begin(), missing.end(), name);
      if (wanted == missing.end()) return {};
      missing.erase(wanted);
      return save_file(request_.folder / name, bytes);
    }));
    if (!missing.empty())
      return fail(Errc::bad_input, NW_TR("{0}: {1} is not in it"), path_of(file).string(), missing.front());
    std::error_code ignored;
    fs::remove(path_of(file), ignored);
    return {};
  }

  const DownloadRequest& request_;
  const HttpClient& client_;
  ProgressReporter progress_reporter_;
  Json record_;
  DownloadedData got_;
  bool connected_ = false;
};

}  // namespace

const char* name_of(DownloadProgress::Phase phase) {
  switch (phase) {
    case DownloadProgress::Phase::connecting:
      return "connecting";
    case DownloadProgress::Phase::downloading:
      return "downloading";
    case DownloadProgress::Phase::checking:
      return "checking";
    case DownloadProgress::Phase::unpacking:
      break;
  }
  return "unpacking";
}

Result<DownloadedData> get_public_set(const DownloadRequest& request, const HttpClient& client) {
  NW_TRY(make_folder(request.folder));
  const auto lock = FileLock::take(request.folder / ".download.lock");
  if (!lock && lock.error().code == Errc::in_use)
    return fail(Errc::in_use, NW_TR("{0} is being downloaded by another program already"), request.set.title);
  if (!lock) return lock.error();
  if (!request.set.unpacked.empty() && is_complete(request.set, request.folder))
    return DownloadedData{request.folder, 0, request.set.verifiable(), {}};
  return DownloadTask(request, client).all();
}

}  // namespace nw
