// SPDX-License-Identifier: Apache-2.0
// Published test vectors: FIPS 180-4's examples ("abc", two blocks), RFC 1321 appendix A.5, a million letters a;
// lengths around the block size.
#include "engine/core/digest.hpp"

#include <gtest/gtest.h>

#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

template <class Digest>
std::string of(std::string_view text, std::size_t step = std::string::npos) {
  Digest d;
  for (; !text.empty(); text.remove_prefix(std::min(step, text.size())))
    d.update(std::as_bytes(std::span(text.data(), std::min(step, text.size()))));
  return d.hex();
}

TEST(Digest, Sha256MatchesThePublishedTestVectors) {
  EXPECT_EQ(of<Sha256>(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(of<Sha256>("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(of<Sha256>("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(of<Sha256>(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Digest, Md5MatchesThePublishedTestVectors) {
  EXPECT_EQ(of<Md5>(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(of<Md5>("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(of<Md5>("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(of<Md5>("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(Digest, IsIndependentOfThePieceSizes) {
  for (std::size_t length : {0u, 1u, 55u, 56u, 57u, 63u, 64u, 65u, 119u, 120u, 128u, 200u}) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(i * 37);
    for (std::size_t step : {1u, 7u, 63u, 64u, 65u}) {
      EXPECT_EQ(of<Sha256>(text, step), of<Sha256>(text)) << length << " by " << step;
      EXPECT_EQ(of<Md5>(text, step), of<Md5>(text)) << length << " by " << step;
    }
  }
}

TEST(Digest, AFileDigestHasBothHashesAndCanBeCancelled) {
  const Folder place;
  ASSERT_TRUE(save_file(place.path / "a", std::string(1000000, 'a')));
  const auto found = digests_of_file(place.path / "a");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes, 1000000);
  EXPECT_EQ(found->sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(found->md5, "7707d6ae4e027c70eea2a935c2296f21");
  int asked = 0;
  const auto stopped = digests_of_file(place.path / "a", [&] { return ++asked < 2; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::stopped);
  EXPECT_FALSE(digests_of_file(place.path / "nowhere"));
}

}  // namespace
}  // namespace nw
