// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <unistd.h>

#include <QAbstractItemModelTester>
#include <QFileInfo>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStorageInfo>
#include <QTableView>
#include <QTemporaryDir>
#include <fstream>
#include <list>

#include "tests/support/run_writer.hpp"
#include "tests/support/variable.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/runs/run_details.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/session/session.hpp"
#include "ui/train/notice_bar.hpp"

namespace nw::ui {
namespace {

using test::wait_for;

struct RunsPageTest : testing::Test {
  test::TemporaryFolder place;
  fs::path runs = place.path() / "runs";
  std::list<test::RunWriter> written;
  Session session;
  std::unique_ptr<RunsPage> page;

  test::RunWriter& add(const std::string& network, double created, const test::RunScript& story) {
    written.emplace_back(runs, test::definition_of(network, created));
    test::write_training(written.back(), story);
    return written.back();
  }
  void open() {
    page = std::make_unique<RunsPage>(session, runs);
    QSignalSpy scanned(page.get(), &RunsPage::scanned);
    page->activated();
    ASSERT_TRUE(wait_for([&] { return scanned.count() > 0; }));
  }
  void select(const fs::path& folder) {
    const int row = page->model().find(QString::fromStdString(folder.string()));
    ASSERT_GE(row, 0);
    page->table().setCurrentIndex(page->filter().mapFromSource(page->model().index(row, 1)));
  }
  QString cell(int row, const char* column) { return page->filter().index(row, runColumn(column)).data().toString(); }
};

TEST_F(RunsPageTest, EveryRunWithItsBestAccuracyNewestFirst) {
  add("lenet5", 1000, {.best = 0.99, .end = EndReason::finished});
  add("mlp", 2000, {.epochs_done = 4, .best = 0.95, .end = EndReason::stopped});
  open();
  QAbstractItemModelTester tester(&page->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  ASSERT_EQ(page->filter().rowCount(), 2);
  EXPECT_TRUE(cell(0, "run").startsWith(QStringLiteral("mlp")));
  EXPECT_EQ(cell(0, "status"), QStringLiteral("Stopped"));
  EXPECT_EQ(cell(1, "status"), QStringLiteral("Finished"));
  EXPECT_EQ(cell(0, "epochs"), QStringLiteral("4 / 10"));
  EXPECT_EQ(cell(1, "optimizer"), QStringLiteral("SGD"));
  EXPECT_EQ(cell(0, "optimizer"), QStringLiteral("Adam"));
}

TEST_F(RunsPageTest, ExportedNamesAreNeverFormulas) {
  const fs::path folder = add("mlp", 1000, {.end = EndReason::finished}).folder();
  ASSERT_TRUE(save_run_notes(folder, RunNotes{.name = "=cmd|' /C calc'!A0"}));
  open();
  EXPECT_TRUE(page->csv().contains(QStringLiteral("\"'=cmd|' /C calc'!A0\""))) << page->csv().toStdString();
  EXPECT_FALSE(page->csv().contains(QStringLiteral("\"=")));
}

TEST_F(RunsPageTest, AreSortedByNumbersNotByTheirText) {
  add("lenet5", 1000, {.epochs = 100, .epochs_done = 9, .best = 0.9, .end = EndReason::stopped});
  add("lenet5", 2000, {.epochs = 100, .epochs_done = 10, .best = 0.99, .end = EndReason::stopped});
  open();
  page->table().sortByColumn(runColumn("epochs"), Qt::AscendingOrder);
  EXPECT_EQ(cell(0, "epochs"), QStringLiteral("9 / 100"));
  page->table().sortByColumn(runColumn("best"), Qt::DescendingOrder);
  EXPECT_EQ(cell(0, "epochs"), QStringLiteral("10 / 100"));
}

TEST_F(RunsPageTest, FiltersByTextAndStatus) {
  add("lenet5", 1000, {.epochs_done = 2, .end = EndReason::finished});
  add("mlp", 2000, {.epochs_done = 2, .end = EndReason::stopped});
  open();
  page->search().setText(QStringLiteral("lene sgd"));
  ASSERT_EQ(page->filter().rowCount(), 1);
  EXPECT_TRUE(cell(0, "run").startsWith(QStringLiteral("lenet5")));
  page->search().clear();
  page->filter().setStatus(RunStatus::stopped);
  ASSERT_EQ(page->filter().rowCount(), 1);
  EXPECT_TRUE(cell(0, "run").startsWith(QStringLiteral("mlp")));
}

TEST_F(RunsPageTest, SelectedRunsShareOneChart) {
  for (int i = 0; i < 5; ++i) add("lenet5", 1000 + i, {.epochs_done = 3 + i, .end = EndReason::stopped});
  open();
  EXPECT_EQ(page->chart().curves(), 3) << "the newest ones until somebody chooses";
  const QString oldest = page->model().row(4).id();
  page->model().setData(page->model().index(4, 0), Qt::Checked, Qt::CheckStateRole);
  ASSERT_EQ(page->chart().curves(), 4);
  EXPECT_EQ(page->chart().curveX(3).size(), 3) << "one point an epoch";
  EXPECT_EQ(page->model().slotOf(oldest), 3);
  page->model().setChosen(page->model().row(0).id(), false);
  EXPECT_EQ(page->chart().curves(), 3);
  EXPECT_EQ(page->model().slotOf(oldest), 3) << "a run keeps its colour";
}

TEST_F(RunsPageTest, ANewRunAppearsByItself) {
  add("lenet5", 1000, {.epochs_done = 2, .end = EndReason::finished});
  open();
  add("mlp", 2000, {.epochs_done = 1});
  ASSERT_TRUE(wait_for([&] { return page->model().rowCount() == 2; }));
}

TEST_F(RunsPageTest, ARunningOneIsNotDeleted) {
  test::RunWriter& live = add("lenet5", 1000, {.epochs_done = 2});
  live.lock();
  open();
  select(live.folder());
  EXPECT_EQ(cell(0, "status"), QStringLiteral("Epoch 3 / 10"));
  EXPECT_FALSE(page->details().button(QStringLiteral("delete"))->isEnabled());
  QSignalSpy messages(&session, &Session::message);
  page->act(QStringLiteral("delete"));
  ASSERT_EQ(messages.count(), 1);
  EXPECT_TRUE(fs::exists(live.folder()));
}

/// Deleted runs. The home folder is on the same disk as the runs, wherever the machine mounts its folders: a file on
/// another disk than the home folder is moved to the trash of that disk.
struct Deleted : RunsPageTest {
  test::Variable home{"HOME", place.path()};
  test::Variable data{"XDG_DATA_HOME", place.path() / "data"};

  fs::path deleteOne() {
    test::RunWriter& old = add("lenet5", 1000, {.epochs_done = 2, .end = EndReason::finished});
    open();
    select(old.folder());
    page->act(QStringLiteral("delete"));
    return old.folder();
  }
};

TEST_F(Deleted, ARunGoesToTheTrash) {
  const fs::path run = deleteOne();
  ASSERT_TRUE(wait_for([&] { return !fs::exists(run); }));
  ASSERT_TRUE(wait_for([&] { return page->model().rowCount() == 0; }));
  EXPECT_TRUE(fs::exists(place.path() / "data/Trash/files" / run.filename())) << "where it can be brought back from";
}

TEST_F(Deleted, UndoBringsARunBackFromTheTrash) {
  QVector<NotificationAction> offered;
  QObject::connect(&session, &Session::message,
                   [&](const QString&, int, const NotificationActions& actions) { offered = actions; });
  const fs::path run = deleteOne(), trash = place.path() / "data/Trash";
  ASSERT_TRUE(wait_for([&] { return offered.size() == 1; }));
  offered[0].act();
  ASSERT_TRUE(wait_for([&] { return fs::exists(run / "run.json"); }));
  ASSERT_TRUE(wait_for([&] { return page->model().rowCount() == 1; }));
  EXPECT_TRUE(fs::is_empty(trash / "files"));
  EXPECT_TRUE(wait_for([&] { return fs::is_empty(trash / "info"); })) << "the trash keeps no record of what left it";
}

TEST_F(Deleted, UndoReplacesNoNewerRunOfTheSameName) {
  QVector<NotificationAction> offered;
  int worst = 0;
  QObject::connect(&session, &Session::message, [&](const QString&, int severity, const NotificationActions& actions) {
    if (!actions.isEmpty()) offered = actions;
    worst = std::max(worst, severity);
  });
  const fs::path run = deleteOne();
  ASSERT_TRUE(wait_for([&] { return offered.size() == 1; }));
  fs::create_directories(run / "newer");
  offered[0].act();
  ASSERT_TRUE(wait_for([&] { return worst == 2; })) << "a sentence says where the old one is";
  EXPECT_TRUE(fs::exists(run / "newer"));
  EXPECT_FALSE(fs::exists(run / "run.json"));
  EXPECT_TRUE(fs::exists(place.path() / "data/Trash/files" / run.filename() / "run.json"));
}

TEST_F(Deleted, ARunOnAnotherDiskGoesToTheTrashOfThatDisk) {
  const fs::path disk = "/dev/shm";
  const QStorageInfo there(QString::fromStdString(disk.string()));
  if (there.rootPath().toStdString() != disk || !QFileInfo(there.rootPath()).isWritable())
    GTEST_SKIP() << "no disk of its own is mounted at " << disk;
  QTemporaryDir folder(QStringLiteral("/dev/shm/netwright-runs-XXXXXX"));
  runs = folder.path().toStdString();
  const fs::path trash = disk / (".Trash-" + std::to_string(::getuid()));
  const bool wasThere = fs::exists(trash);
  const fs::path run = deleteOne();
  EXPECT_TRUE(wait_for([&] { return !fs::exists(run); }));
  EXPECT_TRUE(fs::exists(trash / "files" / run.filename()));
  fs::remove_all(trash / "files" / run.filename());
  fs::remove(trash / "info" / (run.filename().string() + ".trashinfo"));
  if (!wasThere) fs::remove_all(trash);
}

TEST_F(Deleted, WhereThereIsNoTrashARunIsKeptUntilItIsDeletedForGood) {
  std::ofstream(place.path() / "data") << "a file where the folder of the trash would be";
  const fs::path run = deleteOne();
  auto* notice = page->findChild<NoticeBar*>();
  ASSERT_TRUE(wait_for([&] { return !notice->notice().tone.isEmpty(); }));
  EXPECT_TRUE(fs::exists(run / "run.json"));
  ASSERT_EQ(notice->notice().actions, QStringList{QStringLiteral("delete-for-good")});
  Q_EMIT notice->action(QStringLiteral("delete-for-good"));
  EXPECT_TRUE(wait_for([&] { return !fs::exists(run); }));
}

TEST_F(RunsPageTest, OpeningARunLeadsToItsCurvesOrItsPredictions) {
  test::RunWriter& old = add("lenet5", 1000, {.epochs_done = 2, .end = EndReason::finished});
  open();
  select(old.folder());
  QSignalSpy opened(page.get(), &Page::openRun);
  page->act(QStringLiteral("open"));
  page->act(QStringLiteral("predict"));
  ASSERT_EQ(opened.count(), 2);
  EXPECT_EQ(opened[0][0].toString().toStdString(), old.folder().string());
  EXPECT_EQ(opened[0][1].toString(), QStringLiteral("train"));
  EXPECT_EQ(opened[1][1].toString(), QStringLiteral("predict"));
}

TEST_F(RunsPageTest, TypedNotesStayWithTheirRunWhenAnotherOneIsChosen) {
  test::RunWriter &a = add("lenet5", 1000, {.epochs_done = 2}), &b = add("mlp", 2000, {.epochs_done = 2});
  open();
  select(a.folder());
  page->details().findChild<QPlainTextEdit*>()->insertPlainText(QStringLiteral("of a"));
  select(b.folder());
  EXPECT_EQ(page->details().findChild<QPlainTextEdit*>()->toPlainText(), QString());
  ASSERT_TRUE(wait_for([&] { return read_run_notes(a.folder())->notes == "of a"; }));
  EXPECT_EQ(*read_run_notes(b.folder()), RunNotes());
  select(a.folder());
  EXPECT_EQ(page->details().findChild<QPlainTextEdit*>()->toPlainText(), QStringLiteral("of a"));
}

TEST_F(RunsPageTest, OfSeveralSelectedRunsTheTrainingOneIsKept) {
  test::RunWriter &live = add("lenet5", 1000, {.epochs_done = 2}), &other = add("mlp", 2000, {.epochs_done = 2});
  live.lock();
  open();
  page->table().selectAll();
  EXPECT_EQ(page->selectedRuns().size(), 2);
  EXPECT_TRUE(page->details().button(QStringLiteral("delete"))->isEnabled());
  EXPECT_FALSE(page->details().button(QStringLiteral("open"))->isEnabled());
  const test::Variable home("HOME", place.path()), data("XDG_DATA_HOME", place.path() / "data");
  page->act(QStringLiteral("delete"));
  ASSERT_TRUE(wait_for([&] { return !fs::exists(other.folder()); }));
  EXPECT_TRUE(fs::exists(live.folder()));
}

TEST_F(RunsPageTest, ADamagedFolderIsListedAsFailedAndBreaksNothing) {
  fs::create_directories(runs / "2026-01-01-broken-00");
  std::ofstream(runs / "2026-01-01-broken-00" / "run.json") << "{ not json";
  add("lenet5", 1000, {.epochs_done = 2, .end = EndReason::finished});
  open();
  ASSERT_EQ(page->model().rowCount(), 2);
  EXPECT_EQ(page->model().row(1).summary.status, RunStatus::failed);
}

}  // namespace
}  // namespace nw::ui
