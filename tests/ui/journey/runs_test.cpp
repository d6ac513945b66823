// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs page in the whole window: what the user writes about runs, columns, order, quantities, deleting several,
// training further, and a run's network as a new project.
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include <algorithm>

#include "engine/runs/run_notes.hpp"
#include "tests/ui/journey/runs_journey.hpp"
#include "ui/runs/column_choice.hpp"
#include "ui/runs/run_details.hpp"
#include "ui/widgets/search_field.hpp"

namespace nw::ui {
namespace {

TEST_F(RunsJourney, ARunsNetworkAndSettingsOpenAsANewProjectAndUnsavedWorkIsAskedFor) {
  const fs::path run = add("lenet5", 1000, {.epochs_done = 2, .end = EndReason::stopped}, [](RunDefinition& d) {
    TrainSettings s = d.doc.settings();
    s.epochs = 77;
    s.learning_rate = 0.0375;
    DataChoice choice = d.doc.data();
    choice.kind = SourceKind::synthetic;
    choice.synthetic_train = 4321;
    ASSERT_TRUE(d.doc.apply({PutSettings{s}, PutData{choice}}));
  });
  const auto definition = read_run_definition(run);
  ASSERT_TRUE(definition);
  openRuns(1);
  TrainSettings changed = session().doc().settings();
  changed.epochs = 5;
  ASSERT_TRUE(session().push({PutSettings{changed}}, QStringLiteral("Change")));
  const GraphDoc before = session().doc();
  const auto open = [&] { hand.click(button(QStringLiteral("Open on canvas"), &page())); };
  inDialog(open, [&](QDialog& asks) { hand.click(button(QStringLiteral("Cancel"), &asks)); });
  EXPECT_EQ(session().doc(), before) << "unsaved work stays";
  EXPECT_EQ(window().currentPage(), QStringLiteral("runs"));
  inDialog(open, [&](QDialog& asks) { hand.click(button(QStringLiteral("Do not save"), &asks)); });
  ASSERT_TRUE(test::wait_for([&] { return window().currentPage() == QLatin1String("design"); }));
  EXPECT_EQ(session().doc(), definition->doc);
  EXPECT_EQ(session().doc().settings().epochs, 77);
  EXPECT_TRUE(session().path().isEmpty()) << "a new project";
  EXPECT_EQ(session().displayName(), QStringLiteral("lenet5"));
}

TEST_F(RunsJourney, ANameNotesAndTagsAreKeptShownAndFound) {
  addThree();
  const std::string definition = *read_file(first / "run.json", 1 << 20);
  openRuns(3);
  clickRow(first);
  hand.fill(part<QLineEdit>("runName"), QStringLiteral("Narrow one"));
  hand.fill(part<QLineEdit>("runTags"), QStringLiteral("baseline, seed 1,baseline"));
  hand.fill(part<QPlainTextEdit>("runNotes"), QStringLiteral("forgot the warm-up"));
  const RunNotes expected{"Narrow one", "forgot the warm-up", {"baseline", "seed 1"}};
  ASSERT_TRUE(test::wait_for([&] {
    const auto notes = read_run_notes(first);
    return notes && *notes == expected;
  }));
  EXPECT_EQ(*read_file(first / "run.json", 1 << 20), definition) << "the run's own file stays";
  EXPECT_EQ(text(first, "run"), QStringLiteral("Narrow one"));
  EXPECT_EQ(text(first, "tags"), QStringLiteral("baseline, seed 1"));
  EXPECT_EQ(text(first, "notes"), QStringLiteral("forgot the warm-up"));
  for (const char* words : {"narrow", "seed", "warm"}) {
    hand.fill(&page().search(), QLatin1String(words));
    ASSERT_EQ(page().filter().rowCount(), 1) << words;
    EXPECT_EQ(topRun(), first.string());
  }
  openRuns(3);
  EXPECT_EQ(text(first, "run"), QStringLiteral("Narrow one")) << "after a new start";
  clickRow(last);
  EXPECT_NE(part<QLineEdit>("runName")->text(), QStringLiteral("Narrow one"));
  EXPECT_EQ(part<QPlainTextEdit>("runNotes")->toPlainText(), QString()) << "of the other run";
}

/// The row stays the current one, as after Ctrl+click (found by tests/monkey: the notes were saved without end).
TEST_F(RunsJourney, NotesBeingTypedAreKeptOnceWhenTheSelectionGoes) {
  addThree();
  openRuns(3);
  clickRow(first);
  hand.click(part<QPlainTextEdit>("runNotes"));
  hand.type(QStringLiteral("half a sent"));
  page().table().selectionModel()->clearSelection();
  ASSERT_TRUE(test::wait_for([&] {
    const auto notes = read_run_notes(first);
    return notes && notes->notes == "half a sent";
  }));
  EXPECT_EQ(part<QPlainTextEdit>("runNotes")->toPlainText(), QString()) << "no run is chosen";
}

/// The table's model was changed inside the filter's removal of a row, which broke the filter's memory.
TEST_F(RunsJourney, NotesBeingTypedAreKeptAfterTheFilterHasRemovedTheirRun) {
  addThree();
  openRuns(3);
  clickRow(first);
  hand.click(part<QPlainTextEdit>("runNotes"));
  hand.type(QStringLiteral("half a sent"));
  bool removing = false, changed = false;
  QObject::connect(&page().filter(), &QAbstractItemModel::layoutAboutToBeChanged, &page(), [&] { removing = true; });
  QObject::connect(&page().filter(), &QAbstractItemModel::layoutChanged, &page(), [&] { removing = false; });
  const auto seen = QObject::connect(&page().model(), &QAbstractItemModel::dataChanged, &page(),
                                     [&] { changed = changed || removing; });
  page().filter().setWords(QStringLiteral("no such run"));
  ASSERT_TRUE(test::wait_for([&] {
    const auto notes = read_run_notes(first);
    return notes && notes->notes == "half a sent";
  }));
  QObject::disconnect(seen);
  EXPECT_FALSE(changed);
  page().filter().setWords({});
  EXPECT_EQ(text(first, "notes"), QStringLiteral("half a sent"));
}

TEST_F(RunsJourney, F2RenamesInTheTableAndAnEmptyNameIsTheFoldersAgain) {
  addThree();
  openRuns(3);
  clickRow(best);
  const QString usual = text(best, "run");
  const auto rename = [&](const QString& name) {
    clickRow(best);
    hand.key(Qt::Key_F2);
    hand.key(Qt::Key_A, Qt::ControlModifier);
    if (name.isEmpty()) hand.key(Qt::Key_Delete);
    hand.type(name);
    hand.key(Qt::Key_Return);
  };
  rename(QStringLiteral("winner"));
  EXPECT_TRUE(test::wait_for([&] { return text(best, "run") == QLatin1String("winner"); }));
  EXPECT_TRUE(test::wait_for([&] { return read_run_notes(best)->name == "winner"; }));
  EXPECT_EQ(part<QLineEdit>("runName")->text(), QStringLiteral("winner"));
  bool inLegend = false;
  for (int i = 0; i < page().chart().curves(); ++i)
    inLegend = inLegend || page().chart().style(i).name == QLatin1String("winner");
  EXPECT_TRUE(inLegend);
  rename(QString());
  EXPECT_TRUE(test::wait_for([&] { return text(best, "run") == usual; }));
  EXPECT_EQ(window().currentPage(), QStringLiteral("runs")) << "Return ends the editing and opens nothing";
}

TEST_F(RunsJourney, AConditionIsTypedWhereRunsAreSearched) {
  addThree();
  openRuns(3);
  QLineEdit* search = page().findChild<SearchField*>();
  ASSERT_NE(search, nullptr);
  hand.click(search);
  hand.type(QStringLiteral("epochs_done > 1000000"));
  EXPECT_EQ(page().table().model()->rowCount(), 0);
  search->clear();
  hand.type(QStringLiteral("created > 1"));
  EXPECT_EQ(page().table().model()->rowCount(), 3);
  hand.type(QStringLiteral(" and acuracy < 1"));
  bool said = false;
  for (const QLabel* label : page().findChildren<QLabel*>())
    said = said || (label->isVisible() && label->text().contains(QStringLiteral("acuracy")));
  EXPECT_TRUE(said) << "what is wrong with it is shown";
}

TEST_F(RunsJourney, F2WithoutACurrentRunDoesNothing) {
  addThree();
  openRuns(3);
  page().table().setFocus();
  page().table().setCurrentIndex({});
  testing::internal::CaptureStderr();
  QTest::keyClick(&page().table(), Qt::Key_F2);
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("edit:"), std::string::npos) << "Qt warns";
}

TEST_F(RunsJourney, WhatIsTypedSurvivesARefusal) {
  addThree();
  openRuns(3);
  clickRow(first);
  const QString words(300, QLatin1Char('a'));
  hand.fill(part<QLineEdit>("runTags"), words);
  EXPECT_TRUE(says(QStringLiteral("may have")));
  EXPECT_EQ(part<QLineEdit>("runTags")->text(), words);
  EXPECT_FALSE(fs::exists(first / notes_file));
}

TEST_F(RunsJourney, DamagedNotesAreSaidAndNotOverwritten) {
  addThree();
  ASSERT_TRUE(save_file(first / notes_file, "{ not json"));
  openRuns(3);
  clickRow(first);
  EXPECT_TRUE(part<QLineEdit>("runName")->isReadOnly());
  const auto labels = page().details().findChildren<QLabel*>();
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const QLabel* l) {
    return l->isVisible() && l->text().contains(QLatin1String("notes.json"));
  })) << "the sentence says which file";
  EXPECT_EQ(*read_file(first / notes_file, 100), "{ not json");
}

TEST_F(RunsJourney, ColumnsAreChosenAndMovedAndStaySoAfterANewStart) {
  addThree();
  openRuns(3);
  const auto toggle = [&](const char* title) {
    pick(QLatin1String(title), [&] { hand.click(part<QPushButton>("columns")); });
  };
  const auto shown = [&](const char* column) { return page().columns().isShown(runColumn(column)); };
  ASSERT_TRUE(shown("optimizer"));
  ASSERT_FALSE(shown("validation_loss"));
  toggle("Optimizer");
  toggle("Best validation loss");
  QHeaderView* header = page().table().horizontalHeader();
  const auto middle = [&](const char* column) {
    const int i = runColumn(column);
    return QPoint(header->sectionViewportPosition(i) + header->sectionSize(i) / 2, header->height() / 2);
  };
  hand.drag(header->viewport(), middle("status"), header->viewport(), middle("tags") - QPoint(20, 0));
  const int place = header->visualIndex(runColumn("status"));
  ASSERT_LT(place, header->visualIndex(runColumn("tags"))) << "dragged before it";
  openRuns(3);
  header = page().table().horizontalHeader();
  EXPECT_FALSE(shown("optimizer"));
  EXPECT_TRUE(shown("validation_loss"));
  EXPECT_EQ(header->visualIndex(runColumn("status")), place);
  pick(QStringLiteral("Usual columns"), [&] { hand.click(part<QPushButton>("columns")); });
  EXPECT_TRUE(shown("optimizer"));
  EXPECT_FALSE(shown("validation_loss"));
  EXPECT_EQ(header->visualIndex(runColumn("status")), runColumn("status"));
}

TEST_F(RunsJourney, TheChartComparesAnyQuantityAndTheBestRunComesFirst) {
  addThree();
  const fs::path empty = add("mlp", 4000, {.epochs_done = 0});
  openRuns(4);
  EXPECT_EQ(topRun(), empty.string()) << "newest first";
  const auto summary = summarize_run(last);
  ASSERT_TRUE(summary);
  auto* chooser = part<QComboBox>("runMetric");
  auto* order = part<QPushButton>("bestFirst");
  const auto curveOfLast = [&] { return page().chart().curveY(0); };
  ASSERT_EQ(page().chart().style(0).name, text(last, "run"));
  hand.click(order);
  EXPECT_EQ(topRun(), best.string());
  hand.choose(chooser, QStringLiteral("Validation loss"));
  ASSERT_EQ(curveOfLast().size(), 5);
  EXPECT_DOUBLE_EQ(curveOfLast()[4], summary->history[4].validation_loss);
  EXPECT_EQ(page().chart().options().title, QStringLiteral("Validation loss"));
  hand.click(order);
  EXPECT_EQ(topRun(), best.string()) << "the lowest loss is the best, and a run without one is not";
  EXPECT_EQ(page().filter().rowAt(page().filter().index(3, 0)).summary.folder, empty);
  hand.choose(chooser, QStringLiteral("Training loss"));
  EXPECT_DOUBLE_EQ(curveOfLast()[0], summary->history[0].train_loss);
  hand.choose(chooser, QStringLiteral("Training accuracy"));
  EXPECT_DOUBLE_EQ(curveOfLast()[0], 100 * summary->history[0].train_accuracy);
  hand.choose(chooser, QStringLiteral("Learning rate"));
  EXPECT_DOUBLE_EQ(curveOfLast()[4], summary->history[4].learning_rate);
  openRuns(4);
  EXPECT_EQ(part<QComboBox>("runMetric")->currentText(), QStringLiteral("Learning rate")) << "after a new start";
}

TEST_F(RunsJourney, SeveralRunsAreDeletedTogetherAndComeBackWithOneUndo) {
  addThree();
  openRuns(3);
  clickRow(first);
  clickRow(last, Qt::ControlModifier);
  EXPECT_EQ(page().selectedRuns().size(), 2);
  hand.key(Qt::Key_Delete);
  ASSERT_TRUE(test::wait_for([&] { return page().model().rowCount() == 1; }));
  EXPECT_FALSE(fs::exists(first));
  EXPECT_FALSE(fs::exists(last));
  EXPECT_TRUE(fs::exists(best / "run.json"));
  ASSERT_TRUE(says(QStringLiteral("2 run")));
  hand.click(button(QStringLiteral("Undo"), &window().banner()));
  ASSERT_TRUE(test::wait_for([&] { return page().model().rowCount() == 3; }));
  EXPECT_TRUE(fs::exists(first / "run.json"));
  EXPECT_TRUE(fs::exists(last / "run.json"));
}

TEST_F(RunsJourney, AFinishedRunIsTrainedFurther) {
  openSmallProject(2, 300);
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  ASSERT_TRUE(isState(RunController::State::idle));
  const fs::path run = trained.toStdString();
  showRuns(1);
  ASSERT_TRUE(test::wait_for([&] { return page().model().row(0).summary.status == RunStatus::finished; }));
  clickRow(run);
  inDialog([&] { hand.click(button(QStringLiteral("Train further…"), &page())); },
           [&](QDialog& dialog) {
             hand.fill(dialog.findChild<QSpinBox*>(), QStringLiteral("3"));
             hand.click(dialog.findChild<QPushButton*>(QStringLiteral("start")));
           });
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  ASSERT_TRUE(test::wait_for([&] { return feed().started().epochs == 5; })) << "the charts span the new total";
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished && feed().epochs().size() == 5; }));
  ASSERT_TRUE(isState(RunController::State::idle));
  const auto summary = summarize_run(run);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->epochs, 5);
  EXPECT_EQ(summary->epochs_done, 5);
  EXPECT_EQ(read_run_definition(run)->doc.settings().epochs, 2) << "the recorded settings stay";
}

TEST_F(RunsJourney, AnExportedChartOffersToOpenItAndItsFolder) {
  addThree();
  openRuns(3);
  const QString file = folder.filePath(QStringLiteral("runs.csv"));
  const auto exportTo = [&](const QString& path) {
    hand.answerFile(path, [&] {
      pick(QStringLiteral("Export as CSV…"),
           [&] { hand.click(button(QStringLiteral("Options of chart Validation accuracy"), &page().chart())); });
    });
  };
  exportTo(file);
  ASSERT_TRUE(says(QStringLiteral("runs.csv")));
  EXPECT_TRUE(button(QStringLiteral("Open"), &window().banner()));
  EXPECT_TRUE(button(QStringLiteral("Show folder"), &window().banner()));
  EXPECT_TRUE(QFile::exists(file));
}

TEST_F(RunsJourney, SmoothingIsInEveryChartsTitleRowAndRemembered) {
  addThree();
  openRuns(3);
  const auto smoothing = [&] { return page().chart().findChild<QPushButton*>(QStringLiteral("smoothing")); };
  const QVector<double> sharp = page().chart().curveY(0);
  pick(QStringLiteral("0.9"), [&] { hand.click(smoothing()); });
  EXPECT_EQ(page().chart().curveY(0), sharp) << "the values stay, behind";
  EXPECT_NE(page().chart().curveY(1), sharp);
  EXPECT_TRUE(smoothing()->toolTip().contains(QLatin1String("0.9")));
  openRuns(3);
  EXPECT_EQ(page().chart().options().smoothing, 0.9) << "after a new start";
  window().openRun(QString::fromStdString(best.string()), QStringLiteral("train"));
  for (const MetricChart* chart : train().findChildren<MetricChart*>())
    EXPECT_TRUE(chart->findChild<QPushButton*>(QStringLiteral("smoothing"))) << chart->options().title.toStdString();
  EXPECT_NE(train().findChild<MetricChart*>(QStringLiteral("loss"))->options().smoothing, 0.9) << "each has its own";
}

}  // namespace
}  // namespace nw::ui
