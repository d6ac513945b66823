// SPDX-License-Identifier: GPL-3.0-or-later
// The inference test of the Deploy page: pictures that arrive in a folder, and speeds.
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>

#include "tests/ui/journey/journey.hpp"
#include "ui/data/path_field.hpp"
#include "ui/deploy/deploy_page.hpp"
#include "ui/deploy/test_tab.hpp"

namespace nw::ui {
namespace {

class WatchJourney : public Journey {
 protected:
  DeployPage& page() { return *static_cast<DeployPage*>(window().page(QStringLiteral("deploy"))); }
  QListWidget& wall() { return *child<QListWidget>(QStringLiteral("testWall")); }
  void trainAndShow() {
    openSmallProject(1, 300);
    startByButton();
    ASSERT_TRUE(isState(RunController::State::idle));
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
    window().showPage(QStringLiteral("deploy"));
    ASSERT_TRUE(test::wait_for([&] { return page().weights().step > 0; }));
    hand.click(&page().tabs(), page().tabs().tabRect(3).center());
  }
  QString pictures() {
    QDir(folder.path()).mkpath(QStringLiteral("pictures"));
    return folder.filePath(QStringLiteral("pictures"));
  }
  void draw(const QString& name, int digit) {
    QImage picture(28, 28, QImage::Format_Grayscale8);
    picture.fill(0);
    QPainter p(&picture);
    p.setPen(Qt::white);
    p.drawText(picture.rect(), Qt::AlignCenter, QString::number(digit));
    p.end();
    ASSERT_TRUE(picture.save(pictures() + u'/' + name));
  }
  void watch() {
    child<PathField>(QStringLiteral("testFolder"))->setPath(pictures());
    page().tab(QStringLiteral("test"))->setWeights(page().weights());
    hand.click(child<QPushButton>(QStringLiteral("testStart")));
  }
};

TEST_F(WatchJourney, PicturesArePredictedAsTheyArriveNewestFirst) {
  trainAndShow();
  draw(QStringLiteral("first.png"), 1);
  watch();
  ASSERT_TRUE(test::wait_for([&] { return wall().count() == 1; }, 20'000));
  EXPECT_EQ(wall().item(0)->toolTip(), QStringLiteral("first.png"));
  EXPECT_TRUE(wall().item(0)->text().contains(u'%')) << wall().item(0)->text().toStdString();
  draw(QStringLiteral("second.png"), 2);
  ASSERT_TRUE(test::wait_for([&] { return wall().count() == 2; }, 20'000));
  EXPECT_EQ(wall().item(0)->toolTip(), QStringLiteral("second.png")) << "newest first";

  QFile bad(pictures() + QStringLiteral("/bad.png"));
  ASSERT_TRUE(bad.open(QIODevice::WriteOnly));
  bad.write("no picture");
  bad.close();
  auto* figures = child<QLabel>(QStringLiteral("testFigures"));
  ASSERT_TRUE(test::wait_for([&] { return figures->text().contains(QStringLiteral("1 not readable")); }, 20'000))
      << figures->text().toStdString();
  hand.click(child<QPushButton>(QStringLiteral("testStart")));
  draw(QStringLiteral("third.png"), 3);
  QTest::qWait(1500);
  EXPECT_EQ(wall().count(), 2) << "nothing after Stop";
}

TEST_F(WatchJourney, SpeedsOfARunAreMeasuredAtThreeBatches) {
  trainAndShow();
  hand.click(child<QPushButton>(QStringLiteral("testMeasure")));
  auto* table = child<QTableWidget>(QStringLiteral("testSpeeds"));
  ASSERT_TRUE(test::wait_for([&] { return table->rowCount() == 1 && table->item(0, 4)->text() != QStringLiteral("–"); },
                             60'000));
  for (int column = 2; column < 5; ++column) EXPECT_NE(table->item(0, column)->text(), QStringLiteral("–"));
  EXPECT_TRUE(test::wait_for(
      [&] { return child<QPushButton>(QStringLiteral("testMeasure"))->text() == QStringLiteral("Measure"); }));
}

}  // namespace
}  // namespace nw::ui
