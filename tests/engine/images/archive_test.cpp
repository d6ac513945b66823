// SPDX-License-Identifier: Apache-2.0
// Image folders in archives: the same data set as the unpacked folder, unusable entries are skipped with a reason,
// and no file is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "engine/data/cache/open.hpp"
#include "engine/data/data_hash.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/archive.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/run_writer.hpp"

namespace nw {
namespace {
using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

struct Picture {
  std::string name, bytes;
};

/// Two classes in two splits, with names whose sorted order differs from the written order, a nested folder, and
/// files that are not images.
std::vector<Picture> pictures() {
  std::vector<Picture> all;
  for (const char* name : {"train/dog/b.bmp", "train/dog/a.bmp", "train/Cat/z.bmp", "train/Cat/deeper/y.bmp",
                           "train/élan/1.bmp", "test/dog/t.bmp", "test/Cat/s.bmp"})
    all.push_back({name, bmp_bytes(3, 2, static_cast<std::uint8_t>(40 * all.size()),
                                   static_cast<std::uint8_t>(200 - all.size()), 7)});
  all.push_back({"train/dog/notes.txt", "no image"});
  all.push_back({"train/dog/.hidden.bmp", "no image"});
  all.push_back({"__MACOSX/train/dog/._a.bmp", "no image"});
  return all;
}

std::string as_tar(const std::vector<Picture>& all, const std::string& below = "") {
  std::vector<TarEntry> entries;
  for (const Picture& p : all) entries.push_back({below + p.name, p.bytes});
  return tar_bytes(entries);
}
std::string as_zip(const std::vector<Picture>& all, bool deflated) {
  std::vector<ZipEntry> entries;
  for (const Picture& p : all) entries.push_back({.name = p.name, .bytes = p.bytes, .deflated = deflated});
  return zip_bytes(entries);
}

/// Everything below a folder: names, sizes, times.
std::vector<std::string> seen_in(const fs::path& folder) {
  std::vector<std::string> all;
  for (const auto& e : fs::recursive_directory_iterator(folder))
    all.push_back(e.path().string() + (e.is_regular_file() ? " " + std::to_string(e.file_size()) : ""));
  std::sort(all.begin(), all.end());
  return all;
}

struct Archives : testing::Test {
  TemporaryFolder folder;
  fs::path home = folder.path() / "deep" / "in";  // an entry that escapes by "../" would land in folder
  void SetUp() override {
    const auto reader = archive_reader();
    ASSERT_TRUE(reader) << reader.error().str();
    fs::create_directories(home);
  }
  fs::path put(const std::string& name, const std::string& bytes) {
    write_bytes(home / name, bytes);
    return home / name;
  }
  Result<OpenedData> open(const fs::path& file) {
    const auto before = seen_in(folder.path());
    auto data = open_data({.kind = SourceKind::image_folder, .path = file.string()}, {}, false);
    EXPECT_EQ(seen_in(folder.path()), before) << "something was written";
    return data;
  }
  std::string refused(const std::string& name, const std::string& bytes) {
    const auto data = open(put(name, bytes));
    if (data) return "";
    EXPECT_EQ(data.error().code, Errc::bad_input);
    EXPECT_THAT(data.error().str(), HasSubstr(name));
    EXPECT_EQ(data.error().str().find('\n'), std::string::npos);
    return data.error().str();
  }
  /// The message about the entries beside the valid image; the valid image is read.
  std::string warnings_of(const std::string& name, const std::string& bytes) {
    const auto data = open(put(name, bytes));
    if (!data) {
      ADD_FAILURE() << data.error().str();
      return "";
    }
    EXPECT_EQ(data->train->size(), 1);
    EXPECT_EQ(data->train->origin(0), "cat/good.bmp");
    std::string all;
    for (const Text& t : data->warnings) all += t.str() + "\n";
    return all;
  }
};
const std::string good = bmp_bytes(2, 2, 1, 2, 3);

void expect_same(const OpenedData& a, const OpenedData& b) {
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(*data_hash(a), *data_hash(b));
  for (const auto& [x, y] : {std::pair{a.train, b.train}, std::pair{a.test, b.test}}) {
    ASSERT_EQ(x->size(), y->size());
    for (std::int64_t i = 0; i < x->size(); ++i) {
      EXPECT_EQ(x->origin(i), y->origin(i));
      EXPECT_EQ(x->label(i), y->label(i));
    }
  }
}

TEST_F(Archives, HoldTheSameDataAsTheUnpackedFolder) {
  for (const Picture& p : pictures()) write_bytes(home / "unpacked" / p.name, p.bytes);
  const auto unpacked = open(home / "unpacked");
  ASSERT_TRUE(unpacked) << unpacked.error().str();
  EXPECT_THAT(unpacked->classes, ElementsAre("Cat", "dog", "élan"));
  ASSERT_EQ(unpacked->train->size(), 5);
  for (const auto& [name, bytes] :
       std::vector<std::pair<std::string, std::string>>{{"a.zip", as_zip(pictures(), false)},
                                                        {"deflated.zip", as_zip(pictures(), true)},
                                                        {"a.tar", as_tar(pictures())},
                                                        {"below.tar", as_tar(pictures(), "./photos/")},
                                                        {"a.tar.gz", gzip_bytes(as_tar(pictures()))},
                                                        {"without-ending", gzip_bytes(as_tar(pictures()))}}) {
    const auto data = open(put(name, bytes));
    ASSERT_TRUE(data) << name << data.error().str();
    expect_same(*data, *unpacked);
    EXPECT_EQ(data->unreadable, 0) << name;
  }
}

TEST_F(Archives, KeepTheirOwnValidationImagesApart) {
  const std::vector<Picture> all = {{"set/train/a/1.bmp", good},
                                    {"set/train/b/2.bmp", good},
                                    {"set/val/b/3.bmp", bmp_bytes(2, 2, 9, 9, 9)},
                                    {"set/test/a/4.bmp", good}};
  for (const Picture& p : all) write_bytes(home / "unpacked" / fs::path(p.name).lexically_relative("set"), p.bytes);
  const auto unpacked = open(home / "unpacked"), data = open(put("a.zip", as_zip(all, true)));
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->validation_from, 2);
  EXPECT_EQ(data->train->origin(2), "val/b/3.bmp");
  EXPECT_EQ(unpacked->validation_from, 2);
  expect_same(*data, *unpacked);
}

TEST_F(Archives, TakeTheSizeFromTheFirstValidImageByName) {
  const auto data = open(put("a.tar", tar_bytes({{"cat/z.bmp", bmp_bytes(9, 9, 0, 0, 0)},
                                                 {"cat/b.bmp", bmp_bytes(4, 5, 0, 0, 0)},
                                                 {"cat/a.bmp", "damaged"}})));
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->height(), 4);
  EXPECT_EQ(data->train->width(), 5);
  EXPECT_EQ(data->train->size(), 2);
  EXPECT_EQ(data->unreadable, 1);
}

TEST_F(Archives, KeepEmptyClassesAsFoldersDo) {
  const auto data = open(put("a.tar", tar_bytes({{"empty/", "", '5'}, {"cat/good.bmp", good}})));
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_THAT(data->classes, ElementsAre("cat", "empty"));
  EXPECT_THAT(data->warnings.at(0).str(), HasSubstr("Class empty has no images"));
}

TEST_F(Archives, SkipEntriesWithEscapingPaths) {
  for (const char* name : {"../evil.bmp", "cat/../../evil.bmp", "/tmp/netwright-evil.bmp", "cat/x/../../../evil.bmp"}) {
    EXPECT_THAT(warnings_of("a.tar", tar_bytes({{name, good}, {"cat/good.bmp", good}})),
                HasSubstr(std::string("a.tar: entry ") + name + " has a name that leads out of the archive"));
    EXPECT_THAT(
        warnings_of("a.zip", zip_bytes({{.name = name, .bytes = good}, {.name = "cat/good.bmp", .bytes = good}})),
        HasSubstr(std::string("a.zip: entry ") + name + " has a name that leads out of the archive"));
  }
  EXPECT_FALSE(fs::exists("/tmp/netwright-evil.bmp"));
}

TEST_F(Archives, LeaveOutLinksAndDevices) {
  for (const auto& [type, why] :
       {std::pair{'1', "is a link"}, std::pair{'2', "is a link"}, std::pair{'3', "is a device or a pipe"},
        std::pair{'4', "is a device or a pipe"}, std::pair{'6', "is a device or a pipe"}})
    EXPECT_THAT(warnings_of("a.tar", tar_bytes({{"cat/odd.bmp", "", type, "/etc/passwd"}, {"cat/good.bmp", good}})),
                HasSubstr(std::string("a.tar: entry cat/odd.bmp ") + why))
        << type;
  EXPECT_THAT(warnings_of("a.zip", zip_bytes({{.name = "cat/odd.bmp", .bytes = "/etc/passwd", .mode = 0120777},
                                              {.name = "cat/good.bmp", .bytes = good}})),
              HasSubstr("a.zip: entry cat/odd.bmp is a link"));
}

TEST_F(Archives, SkipEncryptedDamagedAndDuplicateEntries) {
  EXPECT_THAT(warnings_of("a.zip", zip_bytes({{.name = "cat/secret.bmp", .bytes = good, .encrypted = true},
                                              {.name = "cat/good.bmp", .bytes = good}})),
              HasSubstr("a.zip: entry cat/secret.bmp is encrypted"));
  for (const bool deflated : {false, true})
    EXPECT_THAT(
        warnings_of("a.zip", zip_bytes({{.name = "cat/a.bmp", .bytes = good, .deflated = deflated, .wrong_sum = true},
                                        {.name = "cat/good.bmp", .bytes = good}})),
        HasSubstr("a.zip: entry cat/a.bmp is damaged"));
  const std::string other = bmp_bytes(2, 2, 99, 99, 99);
  for (const auto& [name, bytes] :
       {std::pair<std::string, std::string>{"a.tar", tar_bytes({{"cat/good.bmp", good}, {"./cat//good.bmp", other}})},
        std::pair<std::string, std::string>{
            "a.zip", zip_bytes({{.name = "cat/good.bmp", .bytes = good}, {.name = "cat/good.bmp", .bytes = other}})}}) {
    EXPECT_THAT(warnings_of(name, bytes), HasSubstr(name + ": entry cat/good.bmp occurs twice; the first one is used"));
    EXPECT_EQ(open(home / name)->train->in_memory(0)[0], 1);
  }
}

TEST_F(Archives, TruncatedFilesAreRejectedOrReported) {
  std::vector<Picture> many = pictures();
  const std::string noise = [] {
    std::string s;
    for (std::uint32_t i = 0, x = 1; i < 3000; ++i) s += static_cast<char>((x = x * 1664525u + 1013904223u) >> 24);
    return s;
  }();
  for (int i = 0; i < 5; ++i) many.push_back({"train/dog/noise" + std::to_string(i) + ".txt", noise});
  for (const auto& [name, whole] : {std::pair<std::string, std::string>{"cut.zip", as_zip(many, true)},
                                    std::pair<std::string, std::string>{"cut.tar.gz", gzip_bytes(as_tar(many))}})
    for (const double share : {0.01, 0.3, 0.6, 0.9, 0.999})
      EXPECT_NE(refused(name, whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size())))), "")
          << name << share;
  const std::string tar = as_tar(many);
  EXPECT_THAT(refused("cut.tar", tar.substr(0, tar.size() - 1024 - 1024)),
              HasSubstr("is cut short or damaged at or behind entry train/dog/noise4.txt"));
  EXPECT_THAT(refused("cut.zip", as_zip(many, true).substr(0, 400)),
              HasSubstr("empty or cut short, no list of its entries is found"));
  EXPECT_THAT(refused("empty.zip", ""), HasSubstr("is empty"));
  EXPECT_THAT(refused("text.zip", "<html>not found</html>"), HasSubstr("no .zip, .tar or .tar.gz archive"));
  EXPECT_THAT(refused("none.zip", zip_bytes({})), HasSubstr("empty or cut short"));
  EXPECT_THAT(refused("words.zip", zip_bytes({{.name = "words.txt", .bytes = "no image"}})),
              HasSubstr("has no class folders"));
}

TEST_F(Archives, WithAWrongChecksumOfGzipAreRefused) {
  std::string packed = gzip_bytes(as_tar(pictures()));
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);
  EXPECT_THAT(refused("a.tar.gz", packed), HasSubstr("damaged"));
  EXPECT_THAT(refused("b.tar.gz", gzip_bytes(as_tar(pictures())) + "trailing words"), HasSubstr("damaged"));
}

TEST_F(Archives, ThatUnpackToFarMoreThanTheirSizeAreRefused) {
  // Zeros: 100 MB in a gzip-compressed tar whose header promises 300, 230 MB as one entry of a zip.
  const std::string zeros(1 << 20, '\0');
  TarEntry large{"cat/bomb.bmp", ""};
  std::string head = tar_header(large);
  head.replace(124, 11, octal(std::uint64_t{300} << 20, 11));
  head.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  head.replace(148, 8, octal(sum, 6) + std::string("\0 ", 2));
  const std::string tar = gzip_bytes(head) + gzip_bytes(zeros, 100);
  const std::string zip =
      zip_bytes({{.name = "cat/bomb.bmp", .bytes = std::string(230 << 20, '\0'), .deflated = true}});
  const test::MemoryLimit limit(224);  // 64 MB may always be unpacked, and a string doubles; 230 MB are promised
  EXPECT_THAT(refused("bomb.tar.gz", tar), HasSubstr("unpacks to more than 250 times its size, at entry cat/bomb.bmp"));
  EXPECT_THAT(refused("bomb.zip", zip), HasSubstr("unpacks to more than 250 times its size, at entry cat/bomb.bmp"));
}

/// Counts the entries and bytes that walk() reports.
struct Counter final : ArchiveVisitor {
  std::uint64_t files = 0, bytes = 0;
  std::vector<std::string> reasons;
  bool wants(const ArchiveEntry& e) override { return ++files, !e.is_folder; }
  void take(const ArchiveEntry&, std::string content) override { bytes += content.size(); }
  void left_out(std::uint64_t, const Text& why) override { reasons.push_back(why.str()); }
};

TEST_F(Archives, AreRejectedWhenTheEntryLimitIsExceeded) {
  std::string tar;
  for (int i = 0; i < 1000; ++i) tar += tar_header({"cat/" + std::to_string(i) + ".bmp", ""});
  const fs::path file = put("many.tar.gz", gzip_bytes(tar, 20));
  Counter all, few;
  ASSERT_TRUE((*archive_reader())->walk(file, {}, all));
  EXPECT_EQ(all.files, 20000u);
  const Status limited = (*archive_reader())->walk(file, {.entries = 5000}, few);
  ASSERT_FALSE(limited);
  EXPECT_THAT(limited.error().str(), HasSubstr("has more than 5000 entries, from cat/999.bmp on"));
  EXPECT_EQ(few.files, 5000u);
}

TEST_F(Archives, EnforceTheirByteLimits) {
  const std::string tar = tar_bytes({{"cat/a.bmp", std::string(5000, 'a')}, {"cat/b.bmp", std::string(6000, 'b')}});
  for (const fs::path& file : {put("a.tar", tar), put("a.tar.gz", gzip_bytes(tar))}) {
    Counter one, total, ratio;
    EXPECT_TRUE((*archive_reader())->walk(file, {.entry_bytes = 5000}, one));
    EXPECT_EQ(one.bytes, 5000u);
    EXPECT_THAT(one.reasons, ElementsAre(HasSubstr("entry cat/b.bmp unpacks to more than 5000 bytes")));
    EXPECT_FALSE((*archive_reader())->walk(file, {.total_bytes = 8000}, total));
    EXPECT_EQ(static_cast<bool>((*archive_reader())->walk(file, {.ratio = 1, .free_bytes = 0}, ratio)),
              file.extension() == ".tar");
  }
}

TEST_F(Archives, ThatAreNoFilesAreRefused) {
  ASSERT_EQ(::mkfifo((home / "pipe.zip").c_str(), 0600), 0);
  const auto pipe = open_data({.kind = SourceKind::image_folder, .path = (home / "pipe.zip").string()}, {}, false);
  ASSERT_FALSE(pipe);
  EXPECT_THAT(pipe.error().str(), HasSubstr("pipe.zip"));
  Counter none;
  EXPECT_FALSE((*archive_reader())->walk(home / "pipe.zip", {}, none));
  EXPECT_FALSE((*archive_reader())->walk(home, {}, none));
  EXPECT_FALSE((*archive_reader())->walk(home / "absent", {}, none));
}

TEST_F(Archives, WithFlippedBytesNeverCrash) {
  std::uint32_t state = 1;
  const auto next = [&] { return state = state * 1664525u + 1013904223u; };
  for (const std::string& whole :
       {as_tar(pictures()), as_zip(pictures(), true), as_zip(pictures(), false), gzip_bytes(as_tar(pictures()))})
    for (int round = 0; round < 60; ++round) {
      std::string bytes = whole;
      for (int k = 0; k < 4; ++k) bytes[next() % bytes.size()] = static_cast<char>(next() >> 24);
      Counter counter;
      (void)(*archive_reader())->walk(put("flipped", bytes), {}, counter);  // success and failure are both valid
    }
}

}  // namespace
}  // namespace nw
