// SPDX-License-Identifier: Apache-2.0
// What arrives from another computer, and copies that are cut.
#include "engine/submit/transfer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "engine/submit/frames.hpp"
#include "tests/submit/sshd.hpp"

namespace nw::submit {
namespace {

/// "kind:path=bytes;" for each frame.
struct Collected {
  std::string text;
  FrameReader reader{{[this](const FrameHead& h) {
                        text += h.kind + ":" + h.path + "=";
                        return Status{};
                      },
                      [this](std::string_view piece) {
                        text += piece;
                        return Status{};
                      },
                      [this] {
                        text += ";";
                        return Status{};
                      }}};
};

TEST(Frames, AreReadWhateverThePieces) {
  const std::string sent =
      std::string("file 3 run.json\0abc", 19) + std::string("lines 0 a/b\0", 12) + std::string("state 2 \0ok", 11);
  EXPECT_TRUE(rc::check([&] {
    Collected c;
    for (std::size_t at = 0; at < sent.size();) {
      const auto n = *rc::gen::inRange<std::size_t>(1, 8);
      RC_ASSERT(c.reader.feed(std::string_view(sent).substr(at, n)));
      at += n;
    }
    RC_ASSERT(c.text == "file:run.json=abc;lines:a/b=;state:=ok;");
  }));
}

TEST(Frames, WhatLeadsOutOfTheFolderOrIsNoFrameIsRefused) {
  for (const std::string bad : {"file 3 ../a", "file 3 /etc/passwd", "file 3 a/../../b", "file -1 a", "file 1x a",
                                "file a", "file", "", "file 99999999999999999999 a", "file 3 a//b/.", "file 3 ./a"}) {
    Collected c;
    EXPECT_FALSE(c.reader.feed(bad + std::string(1, '\0'))) << bad;
  }
  Collected c;
  EXPECT_FALSE(c.reader.feed(std::string(10000, 'x'))) << "a head without an end";
}

}  // namespace

/// A large file and small ones to a host whose connection is cut again and again.
class CutCopies : public nw::test::SubmitSsh {};

TEST_F(CutCopies, GoOnWhereTheyWere) {
  const std::string large(std::size_t{96} << 20, 'x');
  fs::create_directories(at("set/many"));
  ASSERT_TRUE(save_file(at("set/large"), large + "end"));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(save_file(at("set/many/" + std::to_string(i)), std::string(1000, 'a')));
  ASSERT_TRUE(save_file(at("set/many/ '\"\\$(reboot)\n"), "hostile"));
  Job job{.name = "a", .target = "ssh", .host = "there", .folder = at("there"), .ssh_config = at("ssh_config")};
  const auto set = file_set(at("set"));
  ASSERT_TRUE(set);
  std::atomic<bool> over{false};
  int cuts = 0;
  std::thread cutter([&] {
    for (std::uintmax_t seen = 0; !over && cuts < 3; ::usleep(2000)) {
      std::error_code none;
      const std::uintmax_t size = fs::file_size(at("there/set/large.part"), none);
      if (none || size <= seen + (std::size_t{8} << 20) || size >= large.size()) continue;
      if (seen == 0) fs::create_hard_link(at("there/set/large.part"), at("piece"), none);
      seen = size;
      cut();
      ++cuts;
    }
  });
  const Status copied = copy_files(Place::of_control(job), at("set"), *set, at("there/set"), 5, {});
  over = true;
  cutter.join();
  EXPECT_TRUE(copied) << copied.error().str();
  EXPECT_GT(cuts, 0);
  EXPECT_TRUE(fs::equivalent(at("piece"), at("there/set/large"))) << "the piece that the first cut left was used";
  EXPECT_TRUE(bytes("there/set/large") == bytes("set/large"));
  EXPECT_EQ(bytes("there/set/many/ '\"\\$(reboot)\n"), "hostile");
  EXPECT_TRUE(missing_files(Place::of_control(job), *set, at("there/set"))->files.empty());
}

TEST_F(CutCopies, TellHowFarTheyAreAndEndAtOnce) {
  ASSERT_TRUE(save_file(at("large"), std::string(std::size_t{24} << 20, 'x')));
  const Job job{.name = "a", .target = "ssh", .host = "there", .folder = at("there"), .ssh_config = at("ssh_config")};
  const auto set = file_set(at("large"));
  ASSERT_TRUE(set);
  std::vector<std::uint64_t> told;
  const auto copy = [&](std::uint64_t until) {
    return copy_files(Place::of_control(job), at("large"), *set, at("there/large"), 0,
                      [&](std::uint64_t done, std::uint64_t all) {
                        EXPECT_EQ(all, std::uint64_t{24} << 20);
                        told.push_back(done);
                        return done < until;
                      });
  };
  EXPECT_EQ(copy(std::uint64_t{8} << 20).error().code, Errc::stopped);
  EXPECT_FALSE(fs::exists(at("there/large")));
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_GE(told.size(), 8U) << "each piece is told";
  told.clear();
  EXPECT_TRUE(copy(std::uint64_t{1} << 40));
  EXPECT_GT(told[1], std::uint64_t{1} << 20) << "it goes on where it was";
  EXPECT_TRUE(bytes("there/large") == bytes("large"));
}

TEST_F(CutCopies, OfFilesThatChangeMeanwhileEnd) {
  fs::create_directories(at("set"));
  ASSERT_TRUE(save_file(at("set/a"), "before"));
  auto set = file_set(at("set"));
  ASSERT_TRUE(set);
  set->files.front().sha256[0] = set->files.front().sha256[0] == '0' ? '1' : '0';
  const Job job{.name = "a", .target = "here", .folder = at("there")};
  EXPECT_EQ(copy_files(Place::of_control(job), at("set"), *set, at("there/set"), 2, {}).error().code, Errc::bad_input);
}

}  // namespace nw::submit
