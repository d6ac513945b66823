// SPDX-License-Identifier: Apache-2.0
// The table of public data sets, and the archives that they come in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/fetch/download.hpp"
#include "tests/support/tar_bytes.hpp"

namespace nw {
namespace {

using test::tar_of;
using testing::HasSubstr;

TEST(Tar, DamageIsAnErrorEverywhere) {
  const std::string good = tar_of({{"a", std::string(700, 'a')}, {"b", "bb"}});
  const auto names = [](const std::string& tar) {
    std::string all;
    const Status read = parse_tar(tar, "t.tar", [&](std::string_view name, std::string_view bytes) {
      all += fmt::format("{}{} ", name, bytes.size());
      return Status();
    });
    return read ? all : read.error().str();
  };
  EXPECT_EQ(names(good), "a700 b2 ");
  EXPECT_EQ(names(tar_of({{"a", "a"}}, '2')), "") << "links are passed over";
  EXPECT_THAT(names(good.substr(0, 900)), HasSubstr("in the middle of a file"));
  for (const std::size_t at : {0u, 124u, 130u, 150u, 156u}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x11);
    EXPECT_THAT(names(bad), HasSubstr("damaged at byte 0")) << at;
  }
}

TEST(PublicSets, EveryRowIsComplete) {
  for (const PublicSet& set : public_sets()) {
    EXPECT_EQ(find_public_set(set.id), &set);
    EXPECT_FALSE(set.title.empty() || set.images.empty() || set.licence.empty() || set.licence_source.empty() ||
                 set.digest_source.empty() || set.folder.empty())
        << set.id;
    EXPECT_TRUE(set.choice.path.starts_with(set.folder)) << set.id;
    for (const PublicFile& f : set.files) {
      EXPECT_TRUE(f.sha256.empty() ? !set.verifiable() : f.sha256.size() == 64u && f.bytes > 0) << set.id;
      EXPECT_TRUE(f.md5.empty() || f.md5.size() == 32u) << set.id;
      EXPECT_FALSE(f.urls.empty()) << set.id;
      for (const std::string& url : f.urls) EXPECT_TRUE(url.starts_with("http")) << url;
    }
  }
  EXPECT_EQ(find_public_set("nothing"), nullptr);
}

}  // namespace
}  // namespace nw
