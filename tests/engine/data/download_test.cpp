// SPDX-License-Identifier: Apache-2.0
// Downloads from servers that truncate, send malformed responses, redirect endlessly or are unreachable. No request
// leaves this computer.
#include "engine/data/fetch/download.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/digest.hpp"
#include "engine/core/json.hpp"
#include "engine/data/dataset.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/http_server.hpp"
#include "tests/support/tar_bytes.hpp"

namespace nw {
namespace {

using test::HttpRequest;
using test::HttpServer;
using testing::HasSubstr;

std::string sha256_of(std::string_view text) {
  Sha256 d;
  d.update(std::as_bytes(std::span(text.data(), text.size())));
  return d.hex();
}

class Download : public testing::Test {
 protected:
  void SetUp() override {
    const auto client = http_client();
    if (!client) GTEST_SKIP() << client.error().str();
    client_ = *client;
    for (int i = 0; i < 300000; ++i) file_ += static_cast<char>(i * 2654435761u >> 13);
    set_.id = "tiny", set_.title = "Tiny", set_.licence = "none";
    set_.files = {{"tiny.bin", static_cast<std::int64_t>(file_.size()), sha256_of(file_), "", {}}};
  }
  Result<DownloadedData> get(std::vector<std::string> urls, std::function<bool(const DownloadProgress&)> report = {},
                             std::vector<std::string> mirrors = {}) {
    set_.files[0].urls = std::move(urls);
    return get_public_set({set_, place_.path / "set", std::move(mirrors), std::move(report)}, *client_);
  }
  fs::path named() const { return place_.path / "set" / "tiny.bin"; }
  fs::path part() const { return place_.path / "set" / ".tiny.bin.part"; }
  std::string arrived() const { return *read_file(named(), 1 << 24); }
  void expect_refused(const Result<DownloadedData>& got, const std::string& words) const {
    ASSERT_FALSE(got);
    EXPECT_THAT(got.error().str(), HasSubstr(words));
    EXPECT_FALSE(fs::exists(named()));
  }
  HttpServer::Answer whole() {
    return [this](int socket, const HttpRequest& asked) { test::send_file(socket, asked, file_); };
  }

  const HttpClient* client_ = nullptr;
  Folder place_;
  std::string file_;
  PublicSet set_;
};

TEST_F(Download, ACompleteFileIsVerifiedAndRecorded) {
  HttpServer server(whole());
  std::vector<DownloadProgress> reports;
  const auto got = get({server.url("/tiny.bin")}, [&](const DownloadProgress& p) {
    reports.push_back(p);
    return true;
  });
  ASSERT_TRUE(got) << got.error().str();
  EXPECT_TRUE(got->verified);
  EXPECT_EQ(got->fetched_bytes, 300000);
  EXPECT_EQ(arrived(), file_);
  EXPECT_FALSE(fs::exists(part()));
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.front().phase, DownloadProgress::Phase::connecting);
  EXPECT_EQ(reports.back().phase, DownloadProgress::Phase::checking);
  EXPECT_EQ(reports.back().total_bytes, 300000);
  const auto record = parse_json(*read_file(place_.path / "set" / "download.json", 1 << 16), "record");
  ASSERT_TRUE(record);
  EXPECT_EQ((*record)["files"]["tiny.bin"]["sha256"], sha256_of(file_));
  EXPECT_EQ((*record)["files"]["tiny.bin"]["url"], server.url("/tiny.bin"));
  EXPECT_TRUE((*record)["files"]["tiny.bin"]["verified"]);
}

TEST_F(Download, AnExistingFileIsVerifiedAndNotFetchedAgain) {
  HttpServer server(whole());
  ASSERT_TRUE(get({server.url()}));
  const auto again = get({server.url()});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->fetched_bytes, 0);
  EXPECT_EQ(server.asked().size(), 1u);
  ASSERT_TRUE(save_file(named(), "something else"));  // a file that the user put there
  const auto wrong = get({server.url()});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().str(), HasSubstr("move it away"));
  EXPECT_EQ(arrived(), "something else") << "a user's file is never overwritten";
}

TEST_F(Download, AnInterruptedTransferIsResumed) {
  HttpServer server([this](int socket, const HttpRequest& asked) {
    test::send_file(socket, asked, file_, "",
                    asked.from == 0       ? 100000
                    : asked.from < 200000 ? 100000
                                          : std::string::npos);
  });
  const auto got = get({server.url()});
  ASSERT_TRUE(got) << got.error().str();
  EXPECT_EQ(arrived(), file_);
  const auto asked = server.asked();
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_EQ(asked[1].from, 100000);
  EXPECT_EQ(asked[2].from, 200000);
  EXPECT_EQ(got->fetched_bytes, 300000) << "nothing came twice";
}

TEST_F(Download, AServerWithoutRangeSendsTheWholeAgain) {
  int answers = 0;
  HttpServer server([&](int socket, const HttpRequest&) {
    test::send_file(socket, {}, file_, "", answers++ == 0 ? 100000 : std::string::npos);
  });
  const auto got = get({server.url()});
  ASSERT_TRUE(got) << got.error().str();
  EXPECT_EQ(arrived(), file_);
  EXPECT_EQ(got->fetched_bytes, 400000);
}

TEST_F(Download, AFileWithAWrongChecksumIsDeletedAndReportedInOneSentence) {
  std::string other = file_;
  other[12345] ^= 1;
  HttpServer server([&](int socket, const HttpRequest& asked) { test::send_file(socket, asked, other); });
  const auto got = get({server.url()});
  expect_refused(got, "tiny.bin is not the published file (SHA-256 " + sha256_of(other) + " instead of " +
                          sha256_of(file_) + "); it was not kept");
  EXPECT_EQ(got.error().code, Errc::bad_input);
  EXPECT_FALSE(fs::exists(part()));
}

TEST_F(Download, HalvesOfTwoFilesAreDetectedByTheChecksum) {
  std::string other(file_.size(), 'x');
  int answers = 0;
  HttpServer server([&](int socket, const HttpRequest& asked) {
    const bool first = answers++ == 0;
    test::send_file(socket, asked, first ? other : file_, "", first ? 100000 : std::string::npos);
  });
  expect_refused(get({server.url()}), "is not the published file");
  ASSERT_TRUE(get({server.url()}));  // the next download starts from the beginning
  EXPECT_EQ(arrived(), file_);
}

TEST_F(Download, AfterNotFoundTheNextAddressIsTried) {
  HttpServer server([this](int socket, const HttpRequest& asked) {
    if (asked.path == "/gone")
      test::send_head(socket, "404 Not Found", "Content-Length: 4\r\n"), test::send_all(socket, "gone");
    else
      test::send_file(socket, asked, file_);
  });
  ASSERT_TRUE(get({server.url("/gone"), server.url("/here")}));
  EXPECT_EQ(arrived(), file_);
  EXPECT_EQ(server.asked().size(), 2u);
}

TEST_F(Download, AConfiguredMirrorIsTriedFirst) {
  HttpServer server(whole());
  ASSERT_TRUE(get({server.url("/elsewhere")}, {}, {server.url("/lab")}));
  EXPECT_EQ(server.asked().front().path, "/lab/tiny/tiny.bin");
}

TEST_F(Download, AFileFoundNowhereIsReported) {
  HttpServer server(
      [](int socket, const HttpRequest&) { test::send_head(socket, "404 Not Found", "Content-Length: 0\r\n"); });
  expect_refused(get({server.url("/a"), server.url("/b")}), "responded with HTTP status 404");
}

TEST_F(Download, WithoutANetworkTheErrorNamesTheFileAndItsPlace) {
  const auto got = get({"http://127.0.0.1:1/tiny.bin"});  // no server listens on this port
  expect_refused(got, "127.0.0.1:1 cannot be reached");
  EXPECT_THAT(got.error().str(), HasSubstr("download http://127.0.0.1:1/tiny.bin on another computer, copy it into " +
                                           (place_.path / "set").string()));
}

TEST_F(Download, StopKeepsTheReceivedBytesAndTheNextDownloadResumes) {
  HttpServer server([this](int socket, const HttpRequest& asked) {
    if (asked.from > 0) return test::send_file(socket, asked, file_);
    test::send_head(socket, "200 OK", "Content-Length: 300000\r\n");
    test::send_all(socket, file_.substr(0, 100000));
    for (int i = 0; i < 30; ++i)
      ::usleep(10000), test::send_all(socket, file_.substr(100000 + static_cast<std::size_t>(i), 1));
  });
  const auto stopped = get({server.url()}, [](const DownloadProgress& p) { return p.done_bytes == 0; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::stopped);
  EXPECT_FALSE(fs::exists(named()));
  const auto kept = static_cast<std::int64_t>(fs::file_size(part()));
  ASSERT_GT(kept, 0);
  ASSERT_LT(kept, 300000);
  const auto got = get({server.url()});
  ASSERT_TRUE(got) << got.error().str();
  EXPECT_EQ(got->fetched_bytes, 300000 - kept);
  EXPECT_EQ(arrived(), file_);
}

TEST_F(Download, StopWorksWhileNothingIsReceived) {
  std::atomic<bool> done{false};
  HttpServer server([&](int socket, const HttpRequest&) {
    test::send_head(socket, "200 OK", "Content-Length: 300000\r\n");
    done.wait(false);
  });
  const auto stopped =
      get({server.url()}, [&](const DownloadProgress& p) { return p.phase == DownloadProgress::Phase::connecting; });
  done = true;
  done.notify_all();
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::stopped);
}

TEST_F(Download, ImpossibleLengthsAreRejectedBeforeAByteIsWritten) {
  for (const char* length : {"9223372036854775807", "99999999999999999999999", "-5", "299999", "lots"}) {
    HttpServer server([&](int socket, const HttpRequest&) {
      test::send_head(socket, "200 OK", std::string("Content-Length: ") + length + "\r\n");
      test::send_all(socket, file_.substr(0, 1000));
    });
    const auto got = get({server.url()});
    EXPECT_FALSE(got) << length;
    EXPECT_FALSE(fs::exists(named())) << length;
    EXPECT_LE(PartialFile(named()).bytes(), 1000) << length;
    PartialFile(named()).remove();
  }
}

TEST_F(Download, TheMirrorsPasswordIsWrittenNowhere) {
  HttpServer server(whole());
  std::string with = server.url();
  with.insert(with.find("://") + 3, "me:s3cret@");
  std::string told;
  ASSERT_TRUE(get({with}, [&](const DownloadProgress& p) { return told += p.host + " ", true; }));
  for (const auto& entry : fs::recursive_directory_iterator(place_.path))
    if (entry.is_regular_file())
      EXPECT_THAT(*read_file(entry.path(), 1 << 24), testing::Not(HasSubstr("s3cret"))) << entry.path();
  EXPECT_THAT(*read_file(place_.path / "set" / "download.json", 1 << 20), HasSubstr(server.url()));
  EXPECT_THAT(told, testing::Not(HasSubstr("s3cret")));
  fs::remove_all(place_.path / "set");
  HttpServer broken([](int socket, const HttpRequest&) { test::send_head(socket, "404 Not Found", ""); });
  with = broken.url();
  with.insert(with.find("://") + 3, "me:s3cret@");
  const auto refused = get({with});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().str(), testing::Not(HasSubstr("s3cret")));
}

// A pipe in the place of the partial file, with and without somebody who reads it, would be waited for.
TEST_F(Download, APipeInThePlaceOfThePartialFileIsRefused) {
  fs::create_directories(part().parent_path());
  ASSERT_EQ(::mkfifo(part().c_str(), 0600), 0);
  for (const bool read : {false, true}) {
    const int reader = read ? ::open(part().c_str(), O_RDONLY | O_NONBLOCK) : -1;
    HttpServer server(whole());
    expect_refused(get({server.url()}), read ? "is not a file" : "cannot be written");
    if (reader >= 0) ::close(reader);
  }
}

TEST_F(Download, AFileLargerThanDeclaredIsRejected) {
  HttpServer server([&](int socket, const HttpRequest&) {  // endless response without Content-Length
    test::send_head(socket, "200 OK", "");
    for (int i = 0; i < 20; ++i) test::send_all(socket, file_);
  });
  expect_refused(get({server.url()}), "sends more than the 300000 bytes that were expected");
  EXPECT_FALSE(fs::exists(part()));
}

TEST_F(Download, RedirectsAreFollowedUpToALimitAndNotToFiles) {
  HttpServer server([this](int socket, const HttpRequest& asked) {
    if (asked.path == "/loop")
      test::send_head(socket, "302 Found", "Location: /loop\r\nContent-Length: 0\r\n");
    else if (asked.path == "/file")
      test::send_head(socket, "302 Found", "Location: file:///etc/passwd\r\nContent-Length: 0\r\n");
    else if (asked.path == "/moved")
      test::send_head(socket, "301 Moved", "Location: /tiny.bin\r\nContent-Length: 0\r\n");
    else
      test::send_file(socket, asked, file_);
  });
  expect_refused(get({server.url("/loop")}), "redirects too many times");
  EXPECT_EQ(server.asked().size(), 6u);
  expect_refused(get({server.url("/file")}), "sent an invalid response");
  ASSERT_TRUE(get({server.url("/moved")}));
  EXPECT_EQ(arrived(), file_);
}

TEST_F(Download, APartialAnswerWithAnotherOffsetIsRejected) {
  int answers = 0;
  HttpServer server([&](int socket, const HttpRequest& asked) {
    if (answers++ == 0) return test::send_file(socket, asked, file_, "", 100000);
    test::send_head(socket, "206 Partial Content", "Content-Length: 10\r\nContent-Range: bytes 5-14/300000\r\n");
    test::send_all(socket, "0123456789");
  });
  expect_refused(get({server.url()}), "sent another range of bytes than requested");
}

TEST_F(Download, WithoutAPublishedChecksumTheFirstOneIsRecordedAndRequired) {
  set_.files[0].sha256.clear();
  set_.files[0].bytes = 0;
  std::string now = file_;
  HttpServer server([&](int socket, const HttpRequest& asked) { test::send_file(socket, asked, now); });
  const auto got = get({server.url()});
  ASSERT_TRUE(got) << got.error().str();
  EXPECT_FALSE(got->verified);
  ASSERT_EQ(got->notes.size(), 1u);
  EXPECT_THAT(got->notes[0].str(), HasSubstr("unverified"));
  EXPECT_THAT(got->notes[0].str(), HasSubstr(sha256_of(file_)));
  fs::remove(named());
  now[7] ^= 1;
  expect_refused(get({server.url()}), "is another file than the one that was fetched first");
}

TEST_F(Download, WithoutAChecksumATransferIsResumedOnlyWithTheSameEtag) {
  set_.files[0].sha256.clear();
  std::string now = file_, tag = "\"one\"";
  int answers = 0;
  HttpServer server([&](int socket, const HttpRequest& asked) {
    test::send_file(socket, asked, now, tag, answers++ == 0 ? 100000 : std::string::npos);
    now = std::string(file_.size(), 'y'), tag = "\"two\"";
  });
  const auto got = get({server.url()});
  ASSERT_TRUE(got) << got.error().str();
  EXPECT_EQ(server.asked()[1].if_range, "\"one\"");
  EXPECT_EQ(arrived(), std::string(file_.size(), 'y')) << "the file changed on the server: all of it is the second one";
}

TEST_F(Download, AnMd5IsVerifiedIfItIsTheOnlyPublishedChecksum) {
  set_.files[0].sha256.clear();
  set_.files[0].md5 = "00000000000000000000000000000000";
  HttpServer server(whole());
  expect_refused(get({server.url()}), "(MD5 ");
}

TEST_F(Download, ASecondConcurrentDownloadIsRejected) {
  ASSERT_TRUE(make_folder(place_.path / "set"));
  const auto lock = FileLock::take(place_.path / "set" / ".download.lock");
  ASSERT_TRUE(lock);
  expect_refused(get({"http://127.0.0.1:1/"}), "by another program");
}

TEST_F(Download, ATarIsUnpackedToTheFilesOfTheTableAndDeleted) {
  file_ = test::gzip_bytes(test::tar_of({{"cifar/data.bin", "pixels"},
                                         {"../../escaped.bin", "no"},
                                         {"/etc/data2.bin", "no"},
                                         {"cifar/readme.html", "no"}}));
  set_.files[0] = {"tiny.bin", static_cast<std::int64_t>(file_.size()), sha256_of(file_), "", {}};
  set_.unpacked = {"data.bin"};
  HttpServer server(whole());
  const auto got = get({server.url()});
  ASSERT_TRUE(got) << got.error().str();
  EXPECT_EQ(*read_file(place_.path / "set" / "data.bin", 100), "pixels");
  EXPECT_TRUE(is_complete(set_, place_.path / "set"));
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(place_.path)) names.push_back(entry.path().filename());
  EXPECT_THAT(names, testing::UnorderedElementsAre("set", "data.bin", "download.json", ".download.lock"));
  ASSERT_TRUE(get({server.url()}));
  EXPECT_EQ(server.asked().size(), 1u) << "what is unpacked is not fetched again";
}

TEST_F(Download, ATarWithAMissingFileIsReported) {
  file_ = test::gzip_bytes(test::tar_of({{"other.bin", "pixels"}}));
  set_.files[0] = {"tiny.bin", static_cast<std::int64_t>(file_.size()), sha256_of(file_), "", {}};
  set_.unpacked = {"data.bin"};
  HttpServer server(whole());
  const auto got = get({server.url()});
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().str(), HasSubstr("data.bin is not in it"));
}

}  // namespace
}  // namespace nw
