// SPDX-License-Identifier: GPL-3.0-or-later
// Every page at the sizes of small screens and in both languages: no text is cut off without a tool tip, no control is
// outside the window or below another one. The clicks of the tour reach what they are meant for.
#include <QTabBar>
#include <QTest>

#include "tests/monkey/invariants.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/design/palette_tree.hpp"
#include "ui/page/actions.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/data_chip.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

struct Place {
  QSize size;
  const char* language;
};

class SmallWindow : public Journey, public testing::WithParamInterface<Place> {
 protected:
  void TearDown() override {
    Journey::TearDown();
    setLanguage(QStringLiteral("en"));
    retranslateActions();
  }
  void expectRoom(const char* where) {
    (void)test::wait_for([&] { return layoutFaults(window()).isEmpty(); }, 3000);
    for (const QString& fault : layoutFaults(window())) ADD_FAILURE() << where << ": " << fault.toStdString();
  }
  void resizeWindow() {
    window().resize(GetParam().size);
    QCoreApplication::processEvents();
  }
};

TEST_P(SmallWindow, HasRoomForEveryPage) {
  openSmallProject(1, 300);
  desk->setWindowLanguage(QLatin1String(GetParam().language));
  resizeWindow();
  window().showPage(QStringLiteral("welcome"));
  expectRoom("welcome");
  window().showPage(QStringLiteral("design"));
  scene().selection().setCurrent(find("conv1"));
  expectRoom("design");
  run().start();
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  ASSERT_TRUE(isState(RunController::State::idle));
  window().showPage(QStringLiteral("train"));
  expectRoom("train");
  auto* network = train().findChild<QWidget*>(QStringLiteral("networkButton"));
  ASSERT_EQ(network->isVisible(), window().width() < 1240);
  if (network->isVisible()) hand.click(network);
  expectRoom("train with the network");
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  expectRoom("predict");
  for (int view = 1; view < 5; ++view) {
    predict().header().views().setCurrent(view);
    ASSERT_TRUE(test::wait_for([&] { return predict().settled(); }));
    expectRoom(("predict, view " + std::to_string(view)).c_str());
  }
  window().showPage(QStringLiteral("runs"));
  expectRoom("runs");
  window().showPage(QStringLiteral("deploy"));
  ASSERT_TRUE(test::wait_for([&] { return window().findChild<QWidget*>(QStringLiteral("card-onnx"))->isVisible(); }));
  expectRoom("deploy");
  child<QTabBar>(QStringLiteral("deployTabs"))->setCurrentIndex(1);
  expectRoom("deploy, compress");
  child<QTabBar>(QStringLiteral("deployTabs"))->setCurrentIndex(2);
  expectRoom("deploy, serve");
  child<QTabBar>(QStringLiteral("deployTabs"))->setCurrentIndex(3);
  expectRoom("deploy, test");
}

std::string nameOf(const testing::TestParamInfo<Place>& info) {
  return std::to_string(info.param.size.width()) + "x" + std::to_string(info.param.size.height()) + "_" +
         std::string(info.param.language).substr(0, 2);
}

INSTANTIATE_TEST_SUITE_P(Screens, SmallWindow,
                         testing::Values(Place{{1024, 700}, "en"}, Place{{1024, 700}, "zh_CN"},
                                         Place{{1366, 728}, "en"}),
                         nameOf);

class NarrowWindow : public Journey {
 protected:
  void resizeWindow(int width) {
    window().resize(width, 720);
    QCoreApplication::processEvents();
  }
};

TEST_F(NarrowWindow, FoldsItsPanelsAndUnfoldsThem) {
  openSmallProject(1, 300);
  resizeWindow(1366);
  ASSERT_TRUE(design().palette().isVisible());
  resizeWindow(1300);
  EXPECT_FALSE(design().palette().isVisible()) << "below 1366";
  EXPECT_TRUE(layoutFaults(window()).isEmpty());
  hand.key(Qt::Key_Slash);
  EXPECT_TRUE(design().palette().isVisible()) << "its key shows it";
  resizeWindow(1500);
  EXPECT_TRUE(design().palette().isVisible());
}

TEST_F(NarrowWindow, AShortNameOfTheProjectLeavesItsRoomToTheData) {
  openSmallProject(1, 300);
  resizeWindow(1024);
  auto* chip = window().findChild<DataChip*>();
  const int beside = chip->width();
  ASSERT_TRUE(session().save(folder.filePath(QStringLiteral("a-project-with-a-long-name.netwright"))));
  EXPECT_TRUE(test::wait_for([&] { return !chip->isVisible() || chip->width() < beside; }, 2000))
      << chip->width() << " of " << beside;
}

}  // namespace
}  // namespace nw::ui
