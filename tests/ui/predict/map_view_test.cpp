// SPDX-License-Identifier: GPL-3.0-or-later
// The map of many images: each thumbnail is prepared once and copied in later frames.
#include "ui/predict/explain/map_view.hpp"

#include <gtest/gtest.h>

#include <QApplication>
#include <QKeyEvent>
#include <set>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/explain/class_legend.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

TEST(MapCanvas, DrawsTwoThousandImagesFromCopiesMadeOverSeveralFrames) {
  FakeHelper helper(fake_response);
  HelperClient::setDefaultLauncher(helper.launcher());
  {
    Session session;
    PredictSource source(session.helper());
    source.setWeights(QStringLiteral("/tmp/runs/2026-lenet5-a7"), QStringLiteral("best"));
    ASSERT_TRUE(eventually([&] { return source.view() != nullptr; }));
    ThumbnailStore thumbnails(source);
    MapCanvas map(source, thumbnails);
    map.resize(1200, 800);
    map.show();
    FeatureMap all;
    for (int i = 0; i < 2000; ++i) all.points.push_back({(i % 50) / 49.0, (i / 50) / 39.0, i, i % 10});
    map.setMap(all);
    ASSERT_TRUE(eventually([&] { return map.drawnThumbnails() == 2000; })) << map.drawnThumbnails();
    const auto asked = helper.requests("thumbnails").size();
    map.repaint();
    EXPECT_EQ(map.drawnThumbnails(), 2000) << "copied, not made again";
    QKeyEvent larger(QEvent::KeyPress, Qt::Key_Plus, Qt::NoModifier);
    for (int i = 0; i < 6; ++i) QApplication::sendEvent(&map, &larger);
    ASSERT_TRUE(eventually([&] { return map.drawnThumbnails() > 20 && map.drawnThumbnails() < 1000; }))
        << "only those in view: " << map.drawnThumbnails();
    EXPECT_EQ(helper.requests("thumbnails").size(), asked) << "the pictures are kept";
    map.setMap({});
    map.repaint();
    EXPECT_EQ(map.drawnThumbnails(), 0);
  }
  HelperClient::setDefaultLauncher({});
}

TEST(ClassLegend, GivesEveryClassAColourOfItsOwn) {
  std::set<QRgb> colours;
  for (int label = 0; label < 40; ++label) colours.insert(categoryColour(label).rgb());
  EXPECT_EQ(colours.size(), 40u);
}

TEST(ClassLegend, CountsTheClassesThatDoNotFit) {
  ClassLegend legend;
  legend.resize(300, 40);
  EXPECT_TRUE(legend.isHidden());
  QVector<ClassLegend::Entry> entries;
  for (int label = 0; label < 3; ++label) entries.append({label, QStringLiteral("class %1").arg(label)});
  legend.setEntries(entries);
  EXPECT_EQ(legend.shown(), 3);
  EXPECT_FALSE(legend.isHidden());
  for (int label = 3; label < 100; ++label) entries.append({label, QStringLiteral("class %1").arg(label)});
  legend.setEntries(entries);
  EXPECT_GT(legend.shown(), 3);
  EXPECT_LT(legend.shown(), 12) << "two lines";
  EXPECT_TRUE(legend.accessibleDescription().contains(QStringLiteral("class 99")));
}

}  // namespace
}  // namespace nw::ui
