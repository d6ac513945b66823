// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/picture_cache.hpp"

#include <gtest/gtest.h>

namespace nw::ui {
namespace {

TEST(PictureCache, KeepsToItsBytesWhateverTheSizeOfThePictures) {
  PictureCache cache(100'000);
  const QImage large(100, 100, QImage::Format_RGBA8888);  // 40,000 bytes
  for (qint64 i = 0; i < 3; ++i) cache.insert(i, {large, {}});
  EXPECT_FALSE(cache.contains(0)) << "the least recently used goes";
  EXPECT_NE(cache.find(1), nullptr);
  cache.insert(3, {large, {}});
  EXPECT_TRUE(cache.contains(1)) << "it was used after 2";
  EXPECT_FALSE(cache.contains(2));
  EXPECT_LE(cache.bytes(), 100'000);
  cache.clear();
  EXPECT_EQ(cache.bytes(), 0);
}

TEST(PictureCache, KeepsMoreOfSmallerPicturesAndTheirNames) {
  PictureCache cache(100'000);
  const QImage small(10, 10, QImage::Format_RGBA8888);
  for (qint64 i = 0; i < 100; ++i) cache.insert(i, {small, QString::number(i)});
  EXPECT_TRUE(cache.contains(0));
  EXPECT_EQ(cache.find(99)->name, QStringLiteral("99"));
}

}  // namespace
}  // namespace nw::ui
