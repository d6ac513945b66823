// SPDX-License-Identifier: GPL-3.0-or-later
// The device chips in the whole window: why there is no GPU, by mouse and by keyboard.
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>

#include "tests/ui/journey/journey.hpp"
#include "ui/shell/window/device_chips.hpp"
#include "ui/shell/window/device_panel.hpp"

namespace nw::ui {
namespace {

class Devices : public Journey {
 protected:
  /// The grey chip; null: this computer has a GPU that trains.
  DeviceChip* missing() {
    for (DeviceChip* chip : window().findChild<DeviceChips*>()->chips())
      if (!chip->canTrain()) return chip;
    return nullptr;
  }
  DevicePanel* panel() { return window().findChild<DevicePanel*>(); }
  QWidget* row(const std::string& id) {
    return panel()->findChild<QWidget*>(QStringLiteral("part-") + QString::fromStdString(id));
  }
  bool searched() {
    return test::wait_for([&] {
      return panel() && panel()->isVisible() && !panel()->parts().empty() && row("nccl") && row("nccl")->isVisible();
    });
  }
};

TEST_F(Devices, TheGreyChipTellsWhatIsMissingForAGpuAndHowToGetIt) {
  openSmallProject(1);
  if (!missing()) GTEST_SKIP() << "this computer has a GPU";
  const auto devices = session().doc().settings().devices;
  hand.click(missing());
  ASSERT_TRUE(searched());
  EXPECT_EQ(session().doc().settings().devices, devices) << "nothing is chosen";
  ASSERT_EQ(panel()->parts().size(), 6U);
  bool missed = false;
  for (const SearchedPart& part : panel()->parts()) {
    const QWidget* shown = row(part.id);
    ASSERT_TRUE(shown && shown->isVisible()) << part.id;
    EXPECT_TRUE(
        shown->accessibleName().contains(part.found() ? QString::fromStdString(part.place) : translated(part.remedy)))
        << shown->accessibleName().toStdString();
    for (const QLabel* label : shown->findChildren<QLabel*>())
      EXPECT_GE(label->height(), label->heightForWidth(label->width())) << "cut: " << label->text().toStdString();
    missed |= !part.found();
  }
  EXPECT_TRUE(missed) << "something must be missing";
  EXPECT_TRUE(window().screen()->availableGeometry().contains(panel()->geometry()));
  const QWidget* below = row("nccl");
  const auto* again = button(QStringLiteral("Search again"), panel());
  const int blank = again->mapTo(panel(), QPoint()).y() - below->mapTo(panel(), QPoint(0, below->height())).y();
  EXPECT_GE(blank, 0) << "the buttons cover the last part";
  EXPECT_LE(blank, 24) << "blank space";
  hand.click(button(QStringLiteral("Copy"), panel()));
  EXPECT_TRUE(QApplication::clipboard()->text().contains(QStringLiteral("NVIDIA driver: ")));
}

TEST_F(Devices, TheGreyChipOpensAndClosesByKeyboard) {
  openSmallProject(1);
  if (!missing()) GTEST_SKIP() << "this computer has a GPU";
  window().showPage(QStringLiteral("runs"));  // on the canvas, Tab adds a layer
  ASSERT_TRUE(hand.tabTo(missing()));
  hand.key(Qt::Key_Space);
  ASSERT_TRUE(searched());
  EXPECT_TRUE(panel()->isAncestorOf(QApplication::focusWidget()));
  hand.key(Qt::Key_Escape);
  EXPECT_TRUE(test::wait_for([&] { return !panel(); }));
}

TEST_F(Devices, InChineseNoSpaceFollowsTheFullStop) {
  openSmallProject(1);
  if (!missing()) GTEST_SKIP() << "this computer has a GPU";
  desk->setWindowLanguage(QStringLiteral("zh_CN"));
  hand.click(missing());
  ASSERT_TRUE(searched());
  const QString report = panel()->report();
  desk->setWindowLanguage(QStringLiteral("en"));
  EXPECT_TRUE(report.contains(QStringLiteral("。")));
  EXPECT_FALSE(report.contains(QStringLiteral("。 "))) << report.toStdString();
}

}  // namespace
}  // namespace nw::ui
