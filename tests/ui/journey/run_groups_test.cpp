// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs page's groups, pinned runs and pinned columns by mouse and keyboard, after a new start and in saved views.
#include <QHeaderView>
#include <QInputDialog>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>
#include <QWheelEvent>
#include <fstream>

#include "tests/ui/journey/runs_journey.hpp"
#include "ui/runs/column_choice.hpp"
#include "ui/runs/run_details.hpp"
#include "ui/runs/runs_view.hpp"
#include "ui/runs/saved_views.hpp"

namespace nw::ui {
namespace {

class RunGroupsJourney : public RunsJourney {
 protected:
  RunsView& table() { return static_cast<RunsView&>(page().table()); }
  void groupBy(const char* entry) {
    pick(QLatin1String(entry), [&] { hand.click(part<QPushButton>("runsGroups")); });
  }
  QModelIndex header(const char* title) {
    for (int i = 0; i < page().filter().rowCount(); ++i)
      if (const RunGroup* group = page().filter().groupAt(page().filter().index(i, 0));
          group && group->title == QLatin1String(title))
        return page().filter().index(i, 2);
    return {};
  }
  bool isOpen(const char* title) { return header(title).isValid() && page().filter().groupAt(header(title))->open; }
  void click(const QModelIndex& at) { hand.click(table().viewport(), table().visualRect(at).center()); }
  bool isShown(const fs::path& run) { return cell(run).isValid(); }
};

TEST_F(RunGroupsJourney, GroupsOpenAndCloseByMouseAndKeyboardAndStaySoAfterANewStart) {
  addThree();
  openRuns(3);
  groupBy("Optimizer");
  EXPECT_EQ(part<QPushButton>("runsGroups")->text(), QStringLiteral("Groups: Optimizer"));
  ASSERT_TRUE(isOpen("SGD") && isOpen("Adam"));
  EXPECT_TRUE(page().filter().figuresOf(*page().filter().groupAt(header("SGD"))).contains(QStringLiteral("2 run")));
  click(header("SGD"));
  EXPECT_FALSE(isOpen("SGD"));
  EXPECT_FALSE(isShown(first) || isShown(last));
  EXPECT_TRUE(isShown(best));
  EXPECT_FALSE(page().details().isVisibleTo(&page()) && page().selectedRuns().size() > 0) << "a header is no run";
  hand.key(Qt::Key_Right);
  EXPECT_TRUE(isOpen("SGD"));
  hand.key(Qt::Key_Left);
  EXPECT_FALSE(isOpen("SGD"));
  hand.key(Qt::Key_Space);
  EXPECT_TRUE(isOpen("SGD"));
  hand.key(Qt::Key_Return);
  EXPECT_FALSE(isOpen("SGD"));
  EXPECT_EQ(window().currentPage(), QStringLiteral("runs")) << "Return opens no run";
  QSignalSpy scanned(&page(), &RunsPage::scanned);
  ASSERT_TRUE(test::wait_for([&] { return scanned.count() >= 2; }));
  EXPECT_TRUE(page().filter().groupAt(table().currentIndex())) << "the header stays where the keyboard is";
  openRuns(3);
  EXPECT_FALSE(isOpen("SGD"));
  EXPECT_TRUE(isOpen("Adam"));
  EXPECT_EQ(page().csv().count(u'\n'), 4) << "runs of closed groups are exported";
  QTest::qWait(200);
  groupBy("No groups");
  EXPECT_EQ(page().filter().rowCount(), 3);
}

TEST_F(RunGroupsJourney, APinnedRunStaysOnTopOfEveryOrderAndAfterANewStart) {
  addThree();
  openRuns(3);
  ASSERT_EQ(topRun(), last.string());
  clickRow(first);
  hand.key(Qt::Key_P, Qt::ControlModifier);
  EXPECT_EQ(topRun(), first.string());
  EXPECT_EQ(page().selectedRuns(), QStringList{QString::fromStdString(first.string())});
  for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    table().sortByColumn(runColumn("best"), order);
    EXPECT_EQ(topRun(), first.string());
  }
  openRuns(3);
  EXPECT_EQ(topRun(), first.string());
  clickRow(first);
  hand.key(Qt::Key_P, Qt::ControlModifier);
  EXPECT_NE(topRun(), first.string());
}

TEST_F(RunGroupsJourney, PinnedColumnsStayAtTheLeftWhileTheTableScrolls) {
  addThree();
  openRuns(3);
  QTableView& pinned = table().pinnedPart();
  EXPECT_FALSE(pinned.isVisible()) << "nothing is scrolled";
  page().columns().pin(runColumn("optimizer"), true);
  EXPECT_EQ(table().horizontalHeader()->visualIndex(runColumn("optimizer")), 2) << "behind the name";
  ASSERT_GT(table().horizontalScrollBar()->maximum(), 400);
  table().horizontalScrollBar()->setValue(400);
  ASSERT_TRUE(pinned.isVisible());
  const auto left = [&](const char* column) {
    return pinned.viewport()->mapTo(&page(), pinned.visualRect(cell(best, column)).topLeft());
  };
  const QPoint name = left("run"), optimizer = left("optimizer");
  EXPECT_TRUE(pinned.isColumnHidden(runColumn("best")));
  EXPECT_EQ(optimizer.x() - name.x(), table().columnWidth(runColumn("run")));
  EXPECT_EQ(name.y(), table().viewport()->mapTo(&page(), table().visualRect(cell(best, "test")).topLeft()).y());
  table().horizontalScrollBar()->setValue(500);
  EXPECT_EQ(left("run"), name) << "it stays";
  hand.click(pinned.viewport(), pinned.visualRect(cell(best)).center());
  EXPECT_EQ(page().selectedRuns(), QStringList{QString::fromStdString(best.string())});
  EXPECT_EQ(table().horizontalScrollBar()->value(), 500) << "a click scrolls nothing";
  hand.key(Qt::Key_F2);
  hand.key(Qt::Key_A, Qt::ControlModifier);
  hand.type(QStringLiteral("seen"));
  hand.key(Qt::Key_Return);
  EXPECT_TRUE(test::wait_for([&] { return text(best, "run") == QLatin1String("seen"); }));
  table().horizontalScrollBar()->setValue(500);
  QHeaderView* head = pinned.horizontalHeader();
  const int run = runColumn("run");
  hand.click(head->viewport(),
             QPoint(head->sectionViewportPosition(run) + head->sectionSize(run) / 2, head->height() / 2));
  EXPECT_EQ(table().horizontalHeader()->sortIndicatorSection(), run) << "its header sorts";
  table().setCurrentIndex(cell(best, "test"));
  table().horizontalScrollBar()->setValue(table().horizontalScrollBar()->maximum());
  table().setCurrentIndex(cell(best, "tags"));
  EXPECT_GE(table().visualRect(cell(best, "tags")).left(), pinned.width()) << "not behind the pinned columns";
  openRuns(3);
  EXPECT_TRUE(page().columns().isPinned(runColumn("optimizer")));
  page().columns().reset();
  EXPECT_FALSE(page().columns().isPinned(runColumn("optimizer")));
}

TEST_F(RunGroupsJourney, TrialsAreListedBelowTheirStudyAndNowhereElse) {
  addThree();
  const fs::path study = place.path() / "runs" / "wide-or-deep";
  fs::create_directories(study);
  std::ofstream(study / "journal.jsonl") << "{}\n";
  for (const char* trial : {"trial-0000", "trial-0001"}) {
    const fs::path run = add("mlp", 500, {.epochs_done = 3, .best = 0.9, .end = EndReason::stopped});
    fs::rename(run, study / trial);
  }
  openRuns(3);
  groupBy("Study, with its trials");
  ASSERT_TRUE(test::wait_for([&] { return page().model().rowCount() == 5; }));
  ASSERT_TRUE(header("wide-or-deep").isValid());
  ASSERT_TRUE(header("In no study").isValid());
  EXPECT_EQ(page().filter().groupAt(header("wide-or-deep"))->count, 2);
  EXPECT_EQ(page().filter().groupAt(header("In no study"))->count, 3);
  const QModelIndex trial = cell(study / "trial-0001");
  EXPECT_EQ(trial.data().toString(), QStringLiteral("trial-0001"));
  EXPECT_GT(trial.row(), header("wide-or-deep").row());
  openRuns(5);
  EXPECT_TRUE(header("wide-or-deep").isValid()) << "at the next start, too";
  groupBy("No groups");
  EXPECT_TRUE(test::wait_for([&] { return page().model().rowCount() == 3; })) << "neither trials nor their study";
}

TEST_F(RunGroupsJourney, PinnedRunsStayAtTheTopWhileTheTableScrolls) {
  for (int i = 0; i < 60; ++i)
    add("mlp", 1000 + i, {.epochs_done = 1, .records_per_epoch = 2, .end = EndReason::stopped});
  addThree();
  openRuns(63);
  clickRow(best);
  hand.key(Qt::Key_P, Qt::ControlModifier);
  QTableView& top = table().topPart();
  EXPECT_FALSE(top.isVisible()) << "nothing is scrolled";
  const auto place = [&](QTableView& part, const fs::path& run) {
    return part.viewport()->mapTo(&page(), part.visualRect(cell(run)).topLeft());
  };
  const QPoint before = place(table(), best);
  table().verticalScrollBar()->setValue(table().verticalScrollBar()->maximum());
  ASSERT_TRUE(top.isVisible());
  EXPECT_EQ(place(top, best), before) << "it stays";
  EXPECT_EQ(top.height(), table().rowHeight(0)) << "and no other line";
  clickRow(written.front().folder());
  hand.click(top.viewport(), top.visualRect(cell(best)).center());
  EXPECT_EQ(page().selectedRuns(), QStringList{QString::fromStdString(best.string())});
  EXPECT_EQ(table().verticalScrollBar()->value(), table().verticalScrollBar()->maximum()) << "a click scrolls nothing";
  const int hidden = table().rowAt(top.height() / 2);  // the line behind it
  table().setCurrentIndex(page().filter().index(hidden, runColumn("run")));
  EXPECT_GE(table().visualRect(table().currentIndex()).top(), top.height()) << "the keyboard's line is not behind it";
  QWheelEvent wheel(QPointF(50, 10), top.viewport()->mapToGlobal(QPointF(50, 10)), {}, {0, 1200}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  const int at = table().verticalScrollBar()->value();
  QCoreApplication::sendEvent(top.viewport(), &wheel);
  EXPECT_LT(table().verticalScrollBar()->value(), at) << "the wheel scrolls the table";
  table().horizontalScrollBar()->setValue(400);
  hand.click(top.viewport(), {top.width() - 40, 10});
  EXPECT_EQ(place(*table().parts().back(), best).x(), before.x()) << "nor does its name scroll to the side";
  table().horizontalScrollBar()->setValue(0);
  table().verticalScrollBar()->setValue(0);
  EXPECT_FALSE(top.isVisible());
  clickRow(best);
  hand.key(Qt::Key_P, Qt::ControlModifier);
  table().verticalScrollBar()->setValue(table().verticalScrollBar()->maximum());
  EXPECT_FALSE(top.isVisible()) << "none is pinned";
}

TEST_F(RunGroupsJourney, ColumnsOfAnOlderVersionAreKeptAndTheNameIsPinned) {
  addThree();
  openRuns(3);
  ASSERT_TRUE(page().columns().isPinned(runColumn("run"))) << "at first";
  page().columns().pin(runColumn("key"), false);
  page().columns().pin(runColumn("run"), false);
  openRuns(3);
  EXPECT_FALSE(page().columns().isPinned(runColumn("run"))) << "as the user chose";
  QStringList old = page().columns().state().columns;
  for (QString& entry : old) entry.replace(QStringLiteral("/3"), QStringLiteral("/1"));
  closeWindow();  // it saves its columns
  QSettings().setValue(QStringLiteral("runs/columns"), old);
  openRuns(3);
  EXPECT_TRUE(page().columns().isPinned(runColumn("run")));
}

TEST_F(RunGroupsJourney, TheBorderBelowTheTableIsDraggedAndStaysSo) {
  addThree();
  openRuns(3);
  auto* parts = part<QSplitter>("runsParts");
  const int before = table().height();
  QWidget* handle = parts->handle(1);
  QWidget* lines = table().viewport();
  const QPoint middle = handle->mapTo(&page(), handle->rect().center());
  hand.drag(handle, handle->rect().center(), lines, lines->mapFrom(&page(), middle - QPoint(0, 60)));
  EXPECT_NEAR(table().height(), before - 60, 8);
  const int after = table().height();
  openRuns(3);
  EXPECT_NEAR(table().height(), after, 3);
}

TEST_F(RunGroupsJourney, ASavedViewHoldsGroupsAndPins) {
  addThree();
  openRuns(3);
  groupBy("Optimizer");
  click(header("SGD"));
  clickRow(best);
  hand.key(Qt::Key_P, Qt::ControlModifier);
  page().columns().pin(runColumn("best"), true);
  inDialog([&] { pick(QStringLiteral("Save this view…"), [&] { hand.click(part<QPushButton>("runsViews")); }); },
           [&](QDialog& asks) {
             static_cast<QInputDialog&>(asks).setTextValue(QStringLiteral("by optimizer"));
             asks.accept();
           });
  groupBy("No groups");
  page().filter().setPins({});
  page().columns().reset();
  ASSERT_EQ(topRun(), last.string());
  openRuns(3);
  pick(QStringLiteral("by optimizer"), [&] { hand.click(part<QPushButton>("runsViews")); });
  EXPECT_EQ(topRun(), best.string());
  EXPECT_EQ(page().filter().grouping(), QStringLiteral("column/optimizer"));
  EXPECT_FALSE(isOpen("SGD"));
  EXPECT_TRUE(page().columns().isPinned(runColumn("best")));
  EXPECT_EQ(part<QPushButton>("runsGroups")->text(), QStringLiteral("Groups: Optimizer"));
  removeView(QStringLiteral("by optimizer"));
}

}  // namespace
}  // namespace nw::ui
