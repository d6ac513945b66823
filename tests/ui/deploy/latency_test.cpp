// SPDX-License-Identifier: GPL-3.0-or-later
// Latencies of watched pictures as a histogram and as quantiles; which files of a folder are pictures.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/run_writer.hpp"
#include "ui/deploy/test_tab.hpp"

namespace nw::ui {
namespace {

TEST(Latencies, AreCountedByPowersOfTwo) {
  const std::vector<double> bins = latencyBins({0.0, 0.07, 1.5, 1.9, 1e9});
  EXPECT_EQ(bins.front(), 2) << "below 1/8 ms";
  EXPECT_EQ(bins[4], 2) << "from 1 to 2 ms";
  EXPECT_EQ(bins.back(), 1);
}

TEST(Latencies, HaveQuantilesAmongWhatWasMeasured) {
  std::vector<double> ms;
  for (int i = 100; i >= 1; --i) ms.push_back(i);
  EXPECT_EQ(latencyWithin(ms, 0.5), 50);
  EXPECT_EQ(latencyWithin(ms, 0.99), 99);
  EXPECT_EQ(latencyWithin({7}, 0.99), 7);
  EXPECT_LT(latencyWithin({}, 0.5), 0);
}

TEST(WatchedFolder, HasItsPicturesOldestFirst) {
  const test::TemporaryFolder place;
  for (const char* name : {"b.png", "a.JPG", "notes.txt"}) std::ofstream(place.path() / name) << "x";
  fs::create_directories(place.path() / "folder.png");
  fs::last_write_time(place.path() / "a.JPG", fs::file_time_type::clock::now() - std::chrono::hours(1));
  const QVector<FolderEntry> all = picturesIn(QString::fromStdString(place.path().string()));
  ASSERT_EQ(all.size(), 2);
  EXPECT_TRUE(all[0].path.endsWith(QStringLiteral("a.JPG")));
  EXPECT_TRUE(all[1].path.endsWith(QStringLiteral("b.png")));
  EXPECT_TRUE(picturesIn(QStringLiteral("/nowhere")).isEmpty());
}

}  // namespace
}  // namespace nw::ui
