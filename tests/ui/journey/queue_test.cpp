// SPDX-License-Identifier: GPL-3.0-or-later
// The queue in the window: a network is added by mouse and trained, items are moved, paused, continued and removed.
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>

#include "engine/queue/autostart.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/ui/journey/runs_journey.hpp"
#include "ui/page/actions.hpp"
#include "ui/queue/queue_list.hpp"
#include "ui/queue/queue_panel.hpp"

namespace nw::ui {
namespace {

class QueueJourney : public RunsJourney {
 protected:
  void SetUp() override {
    RunsJourney::SetUp();
    qputenv("NETWRIGHT_QUEUE", (place.path() / "queue").c_str());
    qputenv("XDG_CONFIG_HOME", (place.path() / "config").c_str());
  }
  void TearDown() override {
    // Its process ends once nothing is left to do.
    if (auto writer = queue::QueueWriter::open(place.path() / "queue"))
      for (const queue::Item& item : std::vector(writer->queue().items()))
        if (writer->queue().find(item.number)) (void)writer->write(queue::Removed{item.number});
    EXPECT_TRUE(test::wait_for([&] { return !FileLock::is_held(place.path() / "queue" / queue::daemon_lock); }));
    RunsJourney::TearDown();
    qunsetenv("NETWRIGHT_QUEUE");
    qunsetenv("XDG_CONFIG_HOME");
  }
  QueueList& list() { return page().queue().list(); }
  void showQueue() {
    window().showPage(QStringLiteral("runs"));
    QTabBar& tabs = page().tabs();
    hand.click(&tabs, tabs.tabRect(2).center());
  }
  void clickItem(std::int64_t number) {
    for (int row = 0; row < list().rowCount(); ++row)
      if (list().shown().rows[row].item.number == number)
        hand.click(list().viewport(), list().visualItemRect(list().item(row, 1)).center());
  }
  void press(const char* name) { hand.click(child<QPushButton>(QLatin1String(name))); }
  /// "2 Running, 1 Waiting"
  QString states() {
    QStringList all;
    for (const QueueRow& row : list().shown().rows)
      all << QStringLiteral("%1 %2").arg(row.item.number).arg(queueStateText(row.item));
    return all.join(QStringLiteral(", "));
  }
  bool become(const QString& wanted) {
    const bool is = test::wait_for([&] { return states() == wanted; });
    EXPECT_TRUE(is) << states().toStdString() << "; " << window().banner().text().toStdString();
    return is;
  }
};

TEST_F(QueueJourney, TheOpenNetworkIsAddedTrainedAndItsRunOpened) {
  openSmallProject(2, 300);
  showQueue();
  hand.click(button(QStringLiteral("Add this network")));
  ASSERT_TRUE(become(QStringLiteral("1 Finished")));
  EXPECT_EQ(list().item(0, 4)->text(), QStringLiteral("cpu"));
  EXPECT_TRUE(list().item(0, 5)->text().startsWith(QStringLiteral("Epoch 2 of 2")))
      << list().item(0, 5)->text().toStdString();
  const std::string run = list().shown().rows[0].item.run;
  clickItem(1);
  press("queueOpen");
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  EXPECT_EQ(feed().folder().toStdString(), run);
}

TEST_F(QueueJourney, ItemsAreMovedPausedContinuedAndRemoved) {
  openSmallProject(400, 600);
  action(QStringLiteral("queue-add"))->trigger();
  EXPECT_EQ(window().currentPage(), QStringLiteral("runs"));
  ASSERT_TRUE(become(QStringLiteral("1 Running")));
  for (int n = 2; n <= 3; ++n) {
    press("queueAdd");
    ASSERT_TRUE(test::wait_for([&] { return list().rowCount() == n; }));
  }
  EXPECT_EQ(states(), QStringLiteral("1 Running, 2 Waiting, 3 Waiting"));
  clickItem(3);
  EXPECT_FALSE(child<QPushButton>(QStringLiteral("queueDown"))->isEnabled());
  press("queueUp");
  ASSERT_TRUE(become(QStringLiteral("1 Running, 3 Waiting, 2 Waiting")));
  EXPECT_FALSE(child<QPushButton>(QStringLiteral("queueUp"))->isEnabled()) << "what runs is not overtaken";
  press("queueDown");
  ASSERT_TRUE(become(QStringLiteral("1 Running, 2 Waiting, 3 Waiting")));
  ASSERT_TRUE(test::wait_for([&] { return bool(latest_checkpoint(list().shown().rows[0].item.run)); }));
  clickItem(1);
  press("queuePause");
  ASSERT_TRUE(become(QStringLiteral("2 Running, 1 Paused, 3 Waiting")));
  press("queueWhole");
  ASSERT_TRUE(test::wait_for([&] { return list().shown().paused; }));
  clickItem(2);
  press("queueRemove");
  ASSERT_TRUE(become(QStringLiteral("1 Paused, 3 Waiting"))) << "a paused queue starts nothing";
  clickItem(1);
  EXPECT_EQ(child<QPushButton>(QStringLiteral("queuePause"))->text(), QStringLiteral("Continue"));
  press("queuePause");
  ASSERT_TRUE(become(QStringLiteral("1 Waiting, 3 Waiting")));
  press("queueWhole");
  ASSERT_TRUE(become(QStringLiteral("1 Running, 3 Waiting")));
  closeWindow();
  EXPECT_TRUE(FileLock::is_held(place.path() / "queue" / queue::daemon_lock)) << "it outlives the window";
}

TEST_F(QueueJourney, WhatCannotBeTrainedIsNotAddedAndADamagedQueueIsSaid) {
  openWindow();
  showQueue();
  hand.click(button(QStringLiteral("Add this network")));
  EXPECT_TRUE(window().banner().text().contains(QStringLiteral("Open a project first")));
  ASSERT_TRUE(make_folder(place.path() / "queue", 0700));
  ASSERT_TRUE(save_file(place.path() / "queue" / queue::journal_file, "{}\n"));
  EXPECT_TRUE(test::wait_for([&] { return !list().shown().problem.isEmpty(); }));
  EXPECT_TRUE(list().shown().problem.contains(QStringLiteral("line 1")));
  fs::remove(place.path() / "queue" / queue::journal_file);
}

TEST_F(QueueJourney, GoesOnAfterALoginWhereThatIsAskedFor) {
  openWindow({{}, QStringLiteral("mlp")});
  showQueue();
  auto* box = child<QCheckBox>(QStringLiteral("queueAutostart"));
  EXPECT_FALSE(box->isChecked());
  hand.click(box);
  EXPECT_TRUE(test::wait_for([] { return queue::starts_at_login(); }));
  hand.click(box);
  EXPECT_TRUE(test::wait_for([] { return !queue::starts_at_login(); }));
}

}  // namespace
}  // namespace nw::ui
