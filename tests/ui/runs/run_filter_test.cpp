// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of runs and pinned runs: which lines there are, in which order, what the headers say; how long 10,000 take.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QItemSelectionModel>
#include <cmath>

#include "ui/runs/run_filter.hpp"

namespace nw::ui {
namespace {

RunRow runOf(const std::string& name, double best, const std::string& optimizer, const std::string& momentum = "0.9",
             const std::string& parent = {}) {
  RunRow row;
  auto record = std::make_shared<RunRecord>();
  record->summary.folder = "/runs/" + name;
  record->summary.name = name;
  record->summary.best_accuracy = best;
  record->settings = {{"batch", "64"}, {"momentum", momentum}, {"optimizer", optimizer}};
  record->parent = parent;
  record->parent_step = parent.empty() ? -1 : 1;
  row.summary = record->summary;
  row.optimizer = QString::fromStdString(optimizer);
  row.record = record;
  return row;
}

struct Groups : testing::Test {
  RunModel model;
  RunFilter filter{model};
  void SetUp() override {
    filter.setTree(false);
    filter.sort(runColumn("best"), Qt::DescendingOrder);
    filter.setMeasure(runColumn("best"), QStringLiteral("Accuracy"));
    model.setRows({runOf("a", 0.5, "SGD"), runOf("b", 0.9, "Adam"), runOf("c", 0.7, "SGD", "0.5"),
                   runOf("d", NAN, "Adam"), runOf("e", 0.6, "SGD")});
  }
  /// "[Adam] b d [SGD] c e a"
  QString lines() const {
    QStringList all;
    for (int i = 0; i < filter.rowCount(); ++i) {
      const QModelIndex at = filter.index(i, 0);
      const RunGroup* group = filter.groupAt(at);
      all += group ? QStringLiteral("[%1]").arg(group->title)
                   : QString(filter.depth(at), u'>') + QString::fromStdString(filter.rowAt(at).summary.name);
    }
    return all.join(u' ');
  }
  QModelIndex header(const QString& title) const {
    for (int i = 0; i < filter.rowCount(); ++i)
      if (const RunGroup* group = filter.groupAt(filter.index(i, 0)); group && group->title == title)
        return filter.index(i, 0);
    return {};
  }
};

TEST_F(Groups, StandInTheOrderOfTheirFirstRunsUnderHeadersWithCountBestAndMean) {
  filter.setGrouping(QStringLiteral("column/optimizer"));
  EXPECT_EQ(lines(), QStringLiteral("[Adam] b d [SGD] c e a"));
  const RunGroup* sgd = filter.groupAt(header(QStringLiteral("SGD")));
  EXPECT_EQ(sgd->count, 3);
  EXPECT_DOUBLE_EQ(sgd->best, 0.7);
  EXPECT_NEAR(sgd->mean, 0.6, 1e-12);
  const RunGroup* adam = filter.groupAt(header(QStringLiteral("Adam")));
  EXPECT_EQ(adam->count, 2);
  EXPECT_EQ(adam->known, 1) << "a run without the figure is not in the mean";
  EXPECT_DOUBLE_EQ(adam->mean, 0.9);
  const QString said = header(QStringLiteral("SGD")).data(Qt::AccessibleTextRole).toString();
  for (const char* words : {"SGD", "3", "Accuracy", "70.00", "60.00", "Expanded"})
    EXPECT_TRUE(said.contains(QLatin1String(words))) << words << " in " << said.toStdString();
  filter.sort(runColumn("best"), Qt::AscendingOrder);
  EXPECT_EQ(lines(), QStringLiteral("[SGD] a e c [Adam] b d"));
}

TEST_F(Groups, OfALossTheLowestIsTheBest) {
  QVector<RunRow> rows{runOf("a", 0.5, "SGD"), runOf("b", 0.9, "SGD")};
  rows[0].bestValidationLoss = 0.25;
  rows[1].bestValidationLoss = 0.75;
  model.setRows(rows);
  filter.setMeasure(runColumn("validation_loss"), QStringLiteral("Loss"));
  filter.setGrouping(QStringLiteral("column/optimizer"));
  EXPECT_DOUBLE_EQ(filter.groups()[0].best, 0.25);
  EXPECT_DOUBLE_EQ(filter.groups()[0].mean, 0.5);
}

TEST_F(Groups, AreOfSettingsNetworksAndDataTooAndOnlyDifferingSettingsAreOffered) {
  filter.setGrouping(QStringLiteral("setting/momentum"));
  EXPECT_EQ(lines(), QStringLiteral("[0.9] b e a d [0.5] c"));
  QStringList offered;
  for (const RunGrouping& g : settingGroupings(model)) offered += g.id;
  offered.sort();
  EXPECT_EQ(offered, (QStringList{QStringLiteral("setting/momentum"), QStringLiteral("setting/optimizer")}));
  for (const RunGrouping& g : usualGroupings() + columnGroupings()) {
    filter.setGrouping(g.id);
    EXPECT_EQ(filter.grouping(), g.id);
    EXPECT_GE(filter.groups().size(), 1) << g.id.toStdString();
    EXPECT_FALSE(filter.groups()[0].title.isEmpty()) << g.id.toStdString();
  }
  filter.setGrouping(QStringLiteral("column/none such"));
  EXPECT_EQ(lines(), QStringLiteral("b c e a d")) << "no groups";
}

TEST_F(Groups, ACollapsedOneKeepsItsHeaderAndItsRunsCountAsShown) {
  filter.setGrouping(QStringLiteral("column/optimizer"));
  filter.setOpen(header(QStringLiteral("SGD")), false);
  EXPECT_EQ(lines(), QStringLiteral("[Adam] b d [SGD]"));
  EXPECT_EQ(filter.runs().size(), 5) << "what is exported";
  EXPECT_FALSE(filter.mapFromSource(model.index(model.find(QStringLiteral("/runs/a")), 0)).isValid());
  filter.setWords(QStringLiteral("b"));
  EXPECT_EQ(lines(), QStringLiteral("[Adam] b"));
  filter.setWords({});
  EXPECT_EQ(lines(), QStringLiteral("[Adam] b d [SGD]")) << "collapsed still";
  filter.setAllCollapsed(true);
  EXPECT_EQ(lines(), QStringLiteral("[Adam] [SGD]"));
  filter.setAllCollapsed(false);
  EXPECT_EQ(lines(), QStringLiteral("[Adam] b d [SGD] c e a"));
}

TEST_F(Groups, SelectionAndCurrentLineStayWithTheirRunsAndHeaders) {
  QItemSelectionModel selection(&filter);
  const auto runLine = [&](const char* id) {
    return filter.mapFromSource(model.index(model.find(QLatin1String(id)), 1));
  };
  selection.setCurrentIndex(runLine("/runs/e"), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  filter.setGrouping(QStringLiteral("column/optimizer"));
  ASSERT_EQ(selection.selectedRows().size(), 1);
  EXPECT_EQ(filter.rowAt(selection.selectedRows().front()).summary.name, "e");
  EXPECT_EQ(selection.currentIndex(), runLine("/runs/e"));
  selection.setCurrentIndex(header(QStringLiteral("SGD")),
                            QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  EXPECT_TRUE(selection.selectedRows().isEmpty()) << "a header is no run";
  filter.setOpen(header(QStringLiteral("Adam")), false);
  EXPECT_EQ(selection.currentIndex(), header(QStringLiteral("SGD")));
}

TEST_F(Groups, APinnedRunStandsAboveWhateverTheOrderAndCountsInItsGroup) {
  EXPECT_TRUE(filter.setPinned(QStringLiteral("/runs/a"), true));
  EXPECT_EQ(lines(), QStringLiteral("a b c e d"));
  filter.sort(runColumn("run"), Qt::DescendingOrder);
  EXPECT_EQ(lines(), QStringLiteral("a e d c b"));
  filter.setGrouping(QStringLiteral("column/optimizer"));
  EXPECT_EQ(lines(), QStringLiteral("a [SGD] e c [Adam] d b"));
  const RunGroup* sgd = filter.groupAt(header(QStringLiteral("SGD")));
  EXPECT_EQ(sgd->count, 3);
  EXPECT_EQ(sgd->pinned, 1);
  EXPECT_NEAR(sgd->mean, 0.6, 1e-12);
  model.setRows({runOf("b", 0.9, "Adam")});
  EXPECT_EQ(lines(), QStringLiteral("[Adam] b"));
  EXPECT_TRUE(filter.isPinned(QStringLiteral("/runs/a"))) << "its folder may come back";
  for (int i = 1; i < RunFilter::most_pins; ++i) EXPECT_TRUE(filter.setPinned(QString::number(i), true));
  EXPECT_FALSE(filter.setPinned(QStringLiteral("one more"), true));
  EXPECT_EQ(filter.pins().size(), RunFilter::most_pins);
}

TEST_F(Groups, BranchesStandBelowTheirParentWithinTheGroupAndFreeOfAPinnedParent) {
  filter.setTree(true);
  model.setRows({runOf("a", 0.5, "SGD"), runOf("b", 0.9, "SGD", "0.9", "a"), runOf("c", 0.7, "Adam", "0.9", "a"),
                 runOf("d", 0.6, "SGD", "0.9", "b")});
  EXPECT_EQ(lines(), QStringLiteral("a >b >>d >c"));
  filter.setGrouping(QStringLiteral("column/optimizer"));
  EXPECT_EQ(lines(), QStringLiteral("[SGD] a >b >>d [Adam] c"));
  filter.setPinned(QStringLiteral("/runs/b"), true);
  EXPECT_EQ(lines(), QStringLiteral("b [Adam] c [SGD] a >d"));
}

TEST_F(Groups, TenThousandRunsAreFilteredAndGroupedWithin50Ms) {
  QVector<RunRow> rows;
  for (int i = 0; i < 10'000; ++i) {
    rows += runOf("run" + std::to_string(i), 0.5 + (i * 7919 % 10'000) / 20'000.0, i % 3 == 0 ? "SGD" : "Adam",
                  std::to_string(i % 10));
    rows.last().summary.created = i;
  }
  model.setRows(rows);
  const auto milliseconds = [](const auto& work) {
    qint64 least = std::numeric_limits<qint64>::max();
    for (int i = 0; i < 5; ++i) {
      QElapsedTimer clock;
      clock.start();
      work();
      least = std::min(least, clock.nsecsElapsed());
    }
    return static_cast<double>(least) / 1e6;
  };
  const auto typed = [&](const char* words) {
    return milliseconds([&] {
      filter.setWords({});
      filter.setWords(QLatin1String(words));
    });
  };
  QElapsedTimer clock;
  clock.start();
  filter.setWords(QStringLiteral("s"));
  const double first = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  const double words = typed("sgd"), condition = typed("momentum = 3 and best_accuracy > 60%");
  EXPECT_EQ(filter.runs().size(), 800);
  filter.setWords({});
  const double grouped = milliseconds([&] {
    filter.setGrouping({});
    filter.setGrouping(QStringLiteral("setting/momentum"));
  });
  EXPECT_EQ(filter.rowCount(), 10'010);
  const double sorted = milliseconds([&] {
    filter.sort(runColumn("best"), Qt::AscendingOrder);
    filter.sort(runColumn("best"), Qt::DescendingOrder);
  });
  for (const auto& [name, ms] : {std::pair("first letter", first),
                                 {"words", words},
                                 {"condition", condition},
                                 {"grouped", grouped},
                                 {"sorted", sorted}}) {
    RecordProperty(name, std::to_string(ms));
    std::printf("%s: %.1f ms\n", name, ms);
    EXPECT_LT(ms, 2 * 50) << name << ", there and back";
  }
}

}  // namespace
}  // namespace nw::ui
