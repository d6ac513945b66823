// SPDX-License-Identifier: Apache-2.0
// Packs: read back unchanged, rejected when a byte is wrong, rebuilt when the source files change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "engine/data/cache/open.hpp"
#include "engine/data/cache/pack.hpp"
#include "engine/data/data_hash.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/support/data_files.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

OpenedData small() {
  OpenedData d = make_synthetic(60, 20);
  d.warnings.push_back(text(NW_TR("Left out: {0}"), "cat.jpg"));
  d.unreadable = 1;
  d.place = "/some/where";
  return d;
}

void expect_same(const OpenedData& got, const OpenedData& want) {
  EXPECT_EQ(got.classes, want.classes);
  EXPECT_EQ(got.warnings, want.warnings);
  EXPECT_EQ(got.unreadable, want.unreadable);
  EXPECT_EQ(got.description, want.description);
  EXPECT_EQ(got.place, want.place);
  ASSERT_EQ(got.test == nullptr, want.test == nullptr);
  for (const auto& [a, b] : {std::pair{got.train, want.train}, std::pair{got.test, want.test}}) {
    if (!b) continue;
    ASSERT_EQ(a->size(), b->size());
    ASSERT_EQ(a->bytes(), b->bytes());
    for (std::int64_t i = 0; i < a->size(); ++i) {
      EXPECT_EQ(a->label(i), b->label(i));
      EXPECT_EQ(a->origin(i), b->origin(i));
      EXPECT_EQ(std::memcmp(a->in_memory(i), b->in_memory(i), static_cast<std::size_t>(a->bytes())), 0) << i;
    }
  }
  EXPECT_EQ(*data_hash(got), *data_hash(want));
}

TEST(Pack, ReadsBackWhatWasWritten) {
  const Folder folder;
  const OpenedData d = small();
  ASSERT_TRUE(write_pack(folder.path / "a.pack", "key", d));
  const auto back = open_pack(folder.path / "a.pack", "key");
  ASSERT_TRUE(back) << back.error().str();
  expect_same(*back, d);
}

TEST(Pack, APipeInItsPlaceIsRefused) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder.path / "a.pack").c_str(), 0600), 0);
  EXPECT_FALSE(open_pack(folder.path / "a.pack", "key"));
}

TEST(Pack, ASetWithoutTestImagesToo) {
  const Folder folder;
  OpenedData d = small();
  d.test = nullptr;
  ASSERT_TRUE(write_pack(folder.path / "a.pack", "key", d));
  const auto back = open_pack(folder.path / "a.pack", "key");
  ASSERT_TRUE(back) << back.error().str();
  expect_same(*back, d);
}

TEST(Pack, OfOtherFilesIsNotUsed) {
  const Folder folder;
  ASSERT_TRUE(write_pack(folder.path / "a.pack", "key", small()));
  EXPECT_THAT(open_pack(folder.path / "a.pack", "another").error().str(), HasSubstr("other files"));
}

TEST(Pack, EveryDamagedByteIsFound) {
  const Folder folder;
  ASSERT_TRUE(write_pack(folder.path / "a.pack", "key", small()));
  const std::string whole = *read_file(folder.path / "a.pack", 1 << 24);
  // The padding between the sections, up to 63 zeros, carries no data; a change of any other byte must be detected.
  std::size_t found = 0, tried = 0;
  for (std::size_t at = 0; at < whole.size(); at += at < 600 ? 3 : 997) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    test::write_bytes(folder.path / "b.pack", damaged);
    const auto opened = open_pack(folder.path / "b.pack", "key");
    ++tried;
    found += !opened;
    if (opened) expect_same(*opened, small());
  }
  EXPECT_GE(found + 22, tried);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{7}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
    ASSERT_TRUE(save_file(folder.path / "b.pack", whole.substr(0, length)));
    EXPECT_FALSE(open_pack(folder.path / "b.pack", "key")) << length;
  }
}

/// 900 MNIST images in a temporary folder, with a separate data cache.
struct Cached : testing::Test {
  Cached() {
    ::setenv("XDG_CACHE_HOME", cache.path.c_str(), 1);
    write(1500);
  }
  ~Cached() override { ::unsetenv("XDG_CACHE_HOME"); }
  void write(std::uint32_t images) {
    for (const char* part : {"train", "t10k"}) {
      ASSERT_TRUE(save_file(data.path / (std::string(part) + "-images-idx3-ubyte"), test::idx_images(images, 28, 28)));
      ASSERT_TRUE(save_file(data.path / (std::string(part) + "-labels-idx1-ubyte"), test::idx_labels(images, 10)));
    }
  }
  Result<OpenedData> open() { return open_data({.kind = SourceKind::mnist, .path = data.path.string()}, {}, false); }
  std::vector<fs::path> packs() const {
    std::vector<fs::path> all;
    std::error_code none;
    for (fs::directory_iterator it(cache.path / "netwright" / "data", none), end; !none && it != end; ++it)
      all.push_back(it->path());
    return all;
  }
  Folder cache, data;
};

TEST_F(Cached, TheSecondOpeningReadsThePack) {
  const auto first = open();
  ASSERT_TRUE(first) << first.error().str();
  ASSERT_EQ(packs().size(), 1u);
  const auto second = open();
  ASSERT_TRUE(second);
  EXPECT_EQ(dynamic_cast<const MemoryDataset*>(second->train.get()), nullptr) << "mapped";
  expect_same(*second, *first);
}

TEST_F(Cached, ChangedFilesAreReadAgain) {
  ASSERT_TRUE(open());
  write(1600);
  const auto changed = open();
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->train->size(), 1600);
}

TEST_F(Cached, ADamagedPackIsWrittenAgain) {
  ASSERT_TRUE(open());
  ASSERT_EQ(packs().size(), 1u);
  ASSERT_TRUE(save_file(packs()[0], "nothing"));
  const auto again = open();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->train->size(), 1500);
  EXPECT_GT(fs::file_size(packs()[0]), 1u << 20);
}

// A run that is stopped while its data open, or killed, leaves the part of a pack that it has written.
TEST_F(Cached, PartsOfOtherPacksThatWereNotWrittenToTheirEndAreRemoved) {
  const fs::path folder = cache.path / "netwright" / "data", other = folder / ".0123456789abcdef.pack.saving-";
  fs::create_directories(folder);
  auto saving = AtomicFile::create(folder / "another.pack", 0600);
  ASSERT_TRUE(saving);
  test::write_bytes(other.string() + "a1B2c3", std::string(1 << 20, 'x'));
  test::write_bytes(other.string() + "a1B2c3d", "of another name");
  ASSERT_TRUE(open());
  const auto left = packs();
  const auto has = [&](std::string_view part) {
    return std::any_of(left.begin(), left.end(), [&](const fs::path& p) {
      const std::string name = p.filename().string();
      return name.starts_with(part);
    });
  };
  EXPECT_FALSE(fs::exists(other.string() + "a1B2c3"));
  EXPECT_TRUE(fs::exists(other.string() + "a1B2c3d"));
  EXPECT_TRUE(has(".another.pack.saving-")) << "somebody is writing it";
  EXPECT_EQ(left.size(), 3u);
}

TEST_F(Cached, NothingIsCachedIfCachingIsOff) {
  ::setenv("NETWRIGHT_DATA_CACHE", "0", 1);
  EXPECT_TRUE(open());
  ::unsetenv("NETWRIGHT_DATA_CACHE");
  EXPECT_TRUE(packs().empty());
  write(20);
  EXPECT_TRUE(open());
  EXPECT_TRUE(packs().empty()) << "small sets are read as fast";
}

TEST(Fingerprint, ChangesWithAnyFileBelow) {
  const Folder folder;
  ASSERT_TRUE(make_folder(folder.path / "cat"));
  ASSERT_TRUE(save_file(folder.path / "cat" / "1.png", "one"));
  const std::string before = fingerprint({folder.path}, true);
  EXPECT_FALSE(before.empty());
  EXPECT_EQ(fingerprint({folder.path}, true), before);
  ASSERT_TRUE(save_file(folder.path / "cat" / "1.png", "two"));
  const std::string replaced = fingerprint({folder.path}, true);
  EXPECT_NE(replaced, before) << "same size, another file";
  ASSERT_TRUE(save_file(folder.path / "cat" / "2.png", "three"));
  EXPECT_NE(fingerprint({folder.path}, true), replaced);
  EXPECT_EQ(fingerprint({folder.path / "nowhere"}, true), "");
}

TEST(Fingerprint, ChangesBehindALinkedClassFolder) {
  const Folder folder, elsewhere;
  ASSERT_TRUE(make_folder(elsewhere.path / "dogs" / "deep"));
  ASSERT_TRUE(save_file(elsewhere.path / "dogs" / "1.png", "one"));
  fs::create_directory_symlink(elsewhere.path / "dogs", folder.path / "dog");
  const std::string before = fingerprint({folder.path}, true);
  EXPECT_FALSE(before.empty());
  EXPECT_EQ(fingerprint({folder.path}, true), before);
  ASSERT_TRUE(save_file(elsewhere.path / "dogs" / "deep" / "2.png", "two"));
  const std::string grown = fingerprint({folder.path}, true);
  EXPECT_NE(grown, before) << "an image behind the link";
  fs::remove(folder.path / "dog");
  ASSERT_TRUE(make_folder(elsewhere.path / "wolves"));
  fs::create_directory_symlink(elsewhere.path / "wolves", folder.path / "dog");
  EXPECT_NE(fingerprint({folder.path}, true), grown) << "the link leads elsewhere";
}

TEST(Fingerprint, EndsAtLinksThatLeadAround) {
  const Folder folder;
  ASSERT_TRUE(make_folder(folder.path / "cat"));
  ASSERT_TRUE(save_file(folder.path / "cat" / "1.png", "one"));
  for (const char* name : {"a", "b", "c", "d"}) fs::create_directory_symlink("..", folder.path / "cat" / name);
  EXPECT_FALSE(fingerprint({folder.path}, true).empty());
}

}  // namespace
}  // namespace nw
