// SPDX-License-Identifier: Apache-2.0
// notes.json: what is written is read, hostile files are rejected, the run's own files stay as they are.
#include "engine/runs/run_notes.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

struct Notes : testing::Test {
  Folder place;
  void write(const std::string& bytes) { std::ofstream(place.path / notes_file, std::ios::binary) << bytes; }
  std::string bytes() { return *read_file(place.path / notes_file, 1 << 20); }
  std::string rejection() {
    const auto notes = read_run_notes(place.path);
    return notes ? "" : notes.error().str();
  }
};

const RunNotes example{"Größer 更大", "first line\n\tsecond", {"baseline", "数据"}};

TEST_F(Notes, AreReadAsTheyWereWritten) {
  ASSERT_TRUE(save_run_notes(place.path, example));
  const auto read = read_run_notes(place.path);
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(*read, example);
  struct stat info {};
  ASSERT_EQ(::stat((place.path / notes_file).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
}

TEST_F(Notes, OfAFolderWithoutTheFileAreEmptyAndReadingWritesNothing) {
  const auto read = read_run_notes(place.path);
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(*read, RunNotes());
  EXPECT_TRUE(fs::is_empty(place.path));
}

TEST_F(Notes, LeaveTheDefinitionAlone) {
  std::ofstream(place.path / "run.json") << "{}";
  ASSERT_TRUE(save_run_notes(place.path, example));
  EXPECT_EQ(*read_file(place.path / "run.json", 100), "{}");
}

TEST_F(Notes, AreNeitherReadNorWrittenThroughALink) {
  const fs::path secret = place.path / "secret";
  std::ofstream(secret) << R"({"schema":1,"name":"stolen"})";
  fs::create_symlink(secret, place.path / notes_file);
  EXPECT_NE(rejection().find("symbolic link"), std::string::npos) << rejection();
  EXPECT_FALSE(save_run_notes(place.path, example)) << "or written through one";
  EXPECT_EQ(*read_file(secret, 100), R"({"schema":1,"name":"stolen"})");
}

TEST_F(Notes, OfAPipeOrAFolderAreRejectedWithoutWaiting) {
  ASSERT_EQ(::mkfifo((place.path / notes_file).c_str(), 0600), 0);
  EXPECT_NE(rejection().find("not a plain file"), std::string::npos) << rejection();
  fs::remove(place.path / notes_file);
  fs::create_directory(place.path / notes_file);
  EXPECT_NE(rejection().find("not a plain file"), std::string::npos) << rejection();
  EXPECT_FALSE(save_run_notes(place.path, example));
}

TEST_F(Notes, HostileFilesAreRejectedWithASentence) {
  const std::string big(run_name_limit + 1, 'a'), tag(run_tag_limit + 1, 'a');
  std::string many = R"({"schema":1,"tags":["a0")";
  for (std::size_t i = 1; i <= run_tags_limit; ++i) many += ",\"a" + std::to_string(i) + '"';
  for (const std::string& text :
       std::initializer_list<std::string>{"",
                                          "[]",
                                          "null",
                                          "{",
                                          R"({"name":"x"})",
                                          R"({"schema":2})",
                                          R"({"schema":1,"name":7})",
                                          R"({"schema":1,"other":1})",
                                          R"({"schema":1,"name":"a","name":"b"})",
                                          R"({"schema":1,"name":")" + big + "\"}",
                                          R"({"schema":1,"notes":")" + std::string(run_notes_limit + 1, 'a') + "\"}",
                                          R"({"schema":1,"tags":[")" + tag + "\"]}",
                                          many + "]}",
                                          R"({"schema":1,"tags":[["a"]]})",
                                          R"({"schema":1,"tags":"a"})",
                                          R"({"schema":1,"tags":[""]})",
                                          R"({"schema":1,"tags":["a","a"]})",
                                          R"({"schema":1,"tags":["a,b"]})",
                                          R"({"schema":1,"name":"a\nb"})",
                                          R"({"schema":1,"name":"a\u0000b"})",
                                          R"({"schema":1,"notes":"\u001b[31m"})",
                                          R"({"schema":1,"name":"\u0085"})",
                                          "{\"schema\":1,\"name\":\"\xff\"}",
                                          "{\"schema\":1,\"name\":\"\xc0\xaf\"}",
                                          "{\"schema\":1,\"name\":\"\xed\xa0\x80\"}",
                                          std::string(std::size_t{200} << 10, ' '),
                                          std::string(1000, '[')}) {
    write(text);
    EXPECT_NE(rejection(), "") << text.substr(0, 60);
    EXPECT_EQ(bytes(), text) << "reading changed the file";
  }
}

TEST_F(Notes, ThatBreakTheLimitsAreNotSavedAndTheOldOnesStay) {
  ASSERT_TRUE(save_run_notes(place.path, example));
  for (const RunNotes& bad :
       {RunNotes{std::string(run_name_limit + 1, 'a'), "", {}}, RunNotes{"a\tb", "", {}}, RunNotes{"\xff", "", {}},
        RunNotes{"\xf4\x90\x80\x80", "", {}}, RunNotes{"\xe2\x82", "", {}}, RunNotes{"", "\x7f", {}},
        RunNotes{"", "", {"a\nb"}}, RunNotes{"", "", {"a", "a"}},
        RunNotes{"", "", std::vector<std::string>(run_tags_limit + 1, "a")}})
    EXPECT_FALSE(save_run_notes(place.path, bad)) << bad.name;
  EXPECT_EQ(*read_run_notes(place.path), example);
}

TEST_F(Notes, WithEveryCharacterEscapedAreReadAgain) {
  RunNotes largest{std::string(run_name_limit, '"'), std::string(run_notes_limit, '\n'), {}};
  for (std::size_t i = 0; i < run_tags_limit; ++i)
    largest.tags.push_back(std::string(run_tag_limit - 2, '\\') + std::to_string(10 + i));
  ASSERT_TRUE(save_run_notes(place.path, largest));
  const auto read = read_run_notes(place.path);
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(*read, largest);
}

}  // namespace
}  // namespace nw
