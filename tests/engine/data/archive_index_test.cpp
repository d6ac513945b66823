// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sources/archive_index.hpp"

#include <gmock/gmock.h>
#include <malloc.h>

namespace nw {
namespace {

constexpr std::size_t limit = std::size_t{8} << 20;

std::string name_of(char kind, std::size_t i) {
  switch (kind) {
    case 'd':  // a folder in a folder in a folder
      return "a/b/" + std::to_string(i) + "/c/d/e/f/g/h/i/j/k";
    case 'l':
      return std::string(250, 'n') + std::to_string(i);
    case 's':
      return std::to_string(i);
    default:
      return "cat/" + std::to_string(i) + ".png";
  }
}

// Whatever the names are, the tree takes no more than was allowed when the archive is given up.
TEST(ArchiveIndex, TakesNoMoreMemoryThanItCounts) {
  for (const char kind : {'d', 'l', 's', 'i'}) {
    OpenedData data;
    const std::size_t before = ::mallinfo2().uordblks;
    ArchiveIndex index("names.zip", data, limit);
    std::size_t names = 0;
    for (; !index.enough() && names < 1'000'000; ++names)
      EXPECT_FALSE(index.wants({names, name_of(kind, names), kind != 'i'}));
    const std::size_t taken = ::mallinfo2().uordblks - before;
    EXPECT_LT(names, 1'000'000u) << kind << ": more names than fit";
    EXPECT_GT(names, 1000u) << kind << ": useful names fit";
    EXPECT_LT(taken, limit + limit / 4) << kind;
    const Status status = index.status();
    ASSERT_FALSE(status) << kind;
    EXPECT_THAT(status.error().str(), testing::HasSubstr("names.zip: its names need more than 8 MiB of memory"));
  }
}

TEST(ArchiveIndex, OfUsualArchivesFits) {
  OpenedData data;
  ArchiveIndex index("photos.zip", data);
  for (std::size_t i = 0; i < 200'000; ++i) index.wants({i, name_of('i', i), false});
  EXPECT_FALSE(index.enough());
  EXPECT_TRUE(index.status());
  EXPECT_EQ(index.root().folders.at("cat").images.size(), 200'000u);
}

}  // namespace
}  // namespace nw
