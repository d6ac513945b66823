// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs while runs come, go and change: model and filter stay consistent whatever the order of events.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>
#include <algorithm>
#include <random>

#include "ui/runs/run_filter.hpp"

namespace nw::ui {
namespace {

QStringList warnings;
void keepWarning(QtMsgType type, const QMessageLogContext&, const QString& text) {
  const bool refused = text.startsWith(QStringLiteral("edit: editing failed"));  // while an editor is open
  if (type != QtDebugMsg && type != QtInfoMsg && !refused) warnings += text;
}

RunRow run(int number, std::mt19937& random) {
  RunRow row;
  row.summary.folder = "/runs/" + std::to_string(number);
  row.summary.name = "run " + std::to_string(number);
  row.summary.created = number;
  row.summary.status = random() % 3 == 0 ? RunStatus::running : RunStatus::finished;
  if (random() % 2 == 0) row.summary.curve = {0.1, 0.2};
  row.bestValidationLoss = random() % 3 == 0 ? -1 : static_cast<double>(random() % 5);
  if (random() % 4 == 0) row.notes.name = "named " + std::to_string(random() % 3);
  return row;
}

QVector<RunRow> someRuns(std::mt19937& random) {
  QVector<RunRow> rows;
  for (int number = 0; number < 8; ++number)
    if (random() % 3 != 0) rows += run(number, random);
  if (random() % 2 == 0) std::shuffle(rows.begin(), rows.end(), random);
  return rows;
}

TEST(RunTable, StaysConsistentWhileRunsComeGoAndChange) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    RunModel model;
    RunFilter filter(model);
    QTableView table;
    table.setModel(&filter);
    table.setSortingEnabled(true);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.show();
    QObject::connect(&model, &RunModel::notesEdited, &model,  // as the page does
                     [&](const QString& id, const RunNotes& notes) { model.setNotes(id, notes); });
    const int name = runColumn("run");
    const QAbstractItemModelTester source(&model), proxy(&filter);
    warnings.clear();
    const QtMessageHandler before = qInstallMessageHandler(keepWarning);
    for (int step = 0; step < 60; ++step) {
      switch (random() % 13) {
        case 0:
        case 1:
          model.setRows(someRuns(random));
          break;
        case 2:
          filter.setWords(random() % 2 == 0 ? QString() : QString::number(random() % 8));
          break;
        case 3:
          filter.setStatus(random() % 2 == 0 ? std::optional<RunStatus>() : RunStatus::running);
          break;
        case 4:
          table.sortByColumn(static_cast<int>(random() % runColumns().size()),
                             random() % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
          break;
        case 5:
          if (filter.rowCount() > 0) table.selectRow(static_cast<int>(random() % filter.rowCount()));
          break;
        case 6:
          if (filter.rowCount() == 0) break;
          table.setCurrentIndex(filter.index(static_cast<int>(random() % filter.rowCount()), name));
          table.edit(table.currentIndex());
          if (auto* field = table.findChild<QLineEdit*>()) field->setText("typed " + QString::number(random() % 8));
          break;
        case 7:
          if (model.rowCount() > 0) {
            RunNotes notes;
            notes.name = "renamed " + std::to_string(random() % 4);
            model.setNotes(model.row(static_cast<int>(random() % model.rowCount())).id(), notes);
          }
          break;
        case 8: {  // the same runs, read again
          QVector<RunRow> rows;
          for (int i = 0; i < model.rowCount(); ++i) {
            const std::string folder = model.row(i).summary.folder.string();
            rows += run(std::stoi(folder.substr(folder.rfind('/') + 1)), random);
          }
          model.setRows(std::move(rows));
          break;
        }
        case 10: {
          static const char* const groupings[] = {"", "column/run", "column/status", "column/validation_loss"};
          filter.setGrouping(QLatin1String(groupings[random() % 4]));
          break;
        }
        case 11:
          filter.setPinned(QStringLiteral("/runs/%1").arg(random() % 8), random() % 2 == 0);
          break;
        case 12: {
          const auto& groups = filter.groups();
          if (random() % 3 == 0 || groups.isEmpty())
            filter.setAllCollapsed(random() % 2 == 0);
          else
            filter.setCollapsed({groups[random() % groups.size()].key});
          break;
        }
        case 9:
          QCoreApplication::processEvents();
          break;
      }
      for (const QModelIndex& at : table.selectionModel()->selectedRows()) {
        ASSERT_TRUE(at.isValid() && at.row() < filter.rowCount());
        ASSERT_GE(model.find(filter.rowAt(at).id()), 0);
      }
    }
    qInstallMessageHandler(before);
    ASSERT_EQ(warnings.join(QStringLiteral("; ")).toStdString(), std::string()) << "seed " << seed;
  }
}

TEST(RunTable, IsFilteredByWordsOrByAConditionOnFieldsAndSettings) {
  RunModel model;
  RunFilter filter(model);
  QVector<RunRow> rows;
  for (int number = 0; number < 4; ++number) {
    auto record = std::make_shared<RunRecord>();
    record->summary.folder = "/runs/" + std::to_string(number);
    record->summary.name = number < 2 ? "lenet" : "vgg";
    record->summary.best_accuracy = 0.9 + 0.02 * number;
    record->settings = {{"batch", std::to_string(32 << number)}};
    RunRow row;
    row.summary = record->summary;
    row.record = std::move(record);
    rows.append(row);
  }
  EXPECT_EQ(filter.setWords(QStringLiteral("anything > 3")), QString()) << "without runs nothing is known";
  filter.setWords({});
  model.setRows(rows);
  const auto shown = [&](const char* words) {
    EXPECT_EQ(filter.setWords(QString::fromUtf8(words)), QString()) << words;
    return filter.rowCount();
  };
  EXPECT_EQ(shown(""), 4);
  EXPECT_EQ(shown("lenet"), 2);
  EXPECT_EQ(shown("batch > 64"), 2);
  EXPECT_EQ(shown("best_accuracy >= 92% and batch < 256"), 2);
  EXPECT_EQ(shown("vgg batch = 256"), 1);
  EXPECT_NE(filter.setWords(QStringLiteral("batch >")), QString());
  EXPECT_EQ(filter.rowCount(), 1) << "an unfinished condition changes nothing";
  EXPECT_TRUE(filter.setWords(QStringLiteral("momentum = 0.9")).contains(QStringLiteral("momentum")));
  EXPECT_EQ(shown("vgg"), 2) << "words again";
}

}  // namespace
}  // namespace nw::ui
