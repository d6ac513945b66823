// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/thumbnail_cache.hpp"

#include <gtest/gtest.h>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/session/thumbnails.hpp"

namespace nw::ui {
namespace {

QImage picture(int side) { return {side, side, QImage::Format_RGBA8888}; }

class ThumbnailCacheTest : public testing::Test {
 protected:
  FakeHelper helper{fake_response};
  HelperClient client{helper.launcher()};
  ThumbnailCache cache{client, 100'000};
  const SampleSet train = samplesOfRun({"/run", "best"}, QStringLiteral("train")),
                  test = samplesOfRun({"/run", "best"}, QStringLiteral("test"));
  bool has(const SampleSet& set, qint64 sample, int size = 8) {
    return cache.find(cache.key(set, sample, size)) != nullptr;
  }
};

TEST_F(ThumbnailCacheTest, RemovesTheLeastRecentlyUsedBeyondItsBytes) {
  for (qint64 i = 0; i < 3; ++i) cache.insert(cache.key(train, i, 100), {picture(100), {}});  // 40,000 bytes each
  EXPECT_FALSE(has(train, 0, 100));
  EXPECT_TRUE(has(train, 1, 100));
  cache.insert(cache.key(train, 3, 100), {picture(100), {}});
  EXPECT_TRUE(has(train, 1, 100)) << "it was used after 2";
  EXPECT_FALSE(has(train, 2, 100));
  EXPECT_LE(cache.bytes(), 100'000);
}

TEST_F(ThumbnailCacheTest, DistinguishesDataSetsSamplesAndSizes) {
  cache.insert(cache.key(train, 1, 8), {picture(8), QStringLiteral("train: 1")});
  EXPECT_TRUE(has(train, 1));
  EXPECT_EQ(cache.find(cache.key(train, 1, 8))->name, QStringLiteral("train: 1"));
  EXPECT_FALSE(has(test, 1));
  EXPECT_FALSE(has(train, 2));
  EXPECT_FALSE(has(train, 1, 16));
}

TEST_F(ThumbnailCacheTest, SharesThumbnailsOfEqualDataSets) {
  cache.insert(cache.key(train, 1, 8), {picture(8), {}});
  EXPECT_TRUE(has(samplesOfRun({"/run", "latest"}, QStringLiteral("train")), 1)) << "the data is that of the run";
  EXPECT_FALSE(has(samplesOfRun({"/other", "best"}, QStringLiteral("train")), 1));
  DataChoice data;
  cache.insert(cache.key(samplesOfData(data, false), 1, 8), {picture(8), {}});
  data.excluded = {"train: 5"};
  EXPECT_TRUE(has(samplesOfData(data, false), 1)) << "excluding moves no index";
  EXPECT_FALSE(has(samplesOfData(data, true), 1));
}

TEST_F(ThumbnailCacheTest, RemovesADataSetAndItsPendingRequests) {
  cache.insert(cache.key(train, 1, 8), {picture(8), {}});
  cache.insert(cache.key(test, 1, 8), {picture(8), {}});
  bool done = false;
  cache.fetch(&client, train, {7}, 8, [&](const Status&) { done = true; });
  cache.forget(train);
  ASSERT_TRUE(eventually([&] { return done; }));
  EXPECT_FALSE(has(train, 1));
  EXPECT_FALSE(has(train, 7)) << "it was requested of the data before";
  EXPECT_TRUE(has(test, 1));
}

TEST(ThumbnailViews, OfOneHelperRequestAThumbnailOnce) {
  FakeHelper helper{fake_response};
  HelperClient client{helper.launcher()};
  Thumbnails one(client), other(client);
  const SampleSet set = samplesOfRun({"/run", "best"}, QStringLiteral("test"));
  EXPECT_TRUE(one.image(set, 5, 8).isNull());
  ASSERT_TRUE(eventually([&] { return one.idle() && !one.image(set, 5, 8).isNull(); }));
  EXPECT_FALSE(other.image(set, 5, 8).isNull());
  EXPECT_EQ(helper.requests("thumbnails").size(), 1U);
}

TEST(ThumbnailViews, RequestTheLatestFirstAndDataSetsSeparately) {
  FakeHelper helper{fake_response};
  HelperClient client{helper.launcher()};
  Thumbnails view(client);
  const SampleSet train = samplesOfRun({"/run", "best"}, QStringLiteral("train")),
                  test = samplesOfRun({"/run", "best"}, QStringLiteral("test"));
  view.image(train, 1, 8);
  view.image(test, 2, 8);
  view.image(train, 3, 8);
  ASSERT_TRUE(eventually([&] { return view.idle(); }));
  const std::vector<Json> asked = helper.requests("thumbnails");
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0]["samples"], Json::array({1, 3}));
  EXPECT_EQ(asked[1]["samples"], Json::array({2}));
}

TEST(ThumbnailViews, DoNotRepeatFailedRequests) {
  FakeHelper helper([](const Message&) { return Message{Json{{"error", "no such data"}}, {}}; });
  HelperClient client{helper.launcher()};
  Thumbnails view(client);
  const SampleSet set = samplesOfRun({"/run", "best"}, QStringLiteral("test"));
  view.image(set, 1, 8);
  ASSERT_TRUE(eventually([&] { return view.idle(); }));
  view.image(set, 1, 8);
  EXPECT_TRUE(view.idle());
  view.clear();
  view.image(set, 1, 8);
  EXPECT_FALSE(view.idle());
}

}  // namespace
}  // namespace nw::ui
