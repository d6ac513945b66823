// SPDX-License-Identifier: GPL-3.0-or-later
// Branches in the table of runs: below their parent in every order, indented by the runs that are shown above them.
#include <gtest/gtest.h>

#include "ui/runs/run_filter.hpp"

namespace nw::ui {
namespace {

RunRow run(const std::string& name, double best, const std::string& parent = {}, std::int64_t step = -1) {
  RunRow row;
  row.summary.folder = "/runs/" + name;
  row.summary.name = name;
  row.summary.best_accuracy = best;
  auto record = std::make_shared<RunRecord>();
  record->summary = row.summary;
  record->parent = parent;
  record->parent_step = parent.empty() ? -1 : step;
  row.record = record;
  return row;
}

struct Tree : testing::Test {
  RunModel model;
  RunFilter filter{model};
  std::string order(Qt::SortOrder by) {
    filter.sort(runColumn("best"), by);
    std::string names;
    for (int i = 0; i < filter.rowCount(); ++i) {
      const QModelIndex at = filter.index(i, 1);
      names += std::string(static_cast<std::size_t>(filter.depth(at)), '>') + filter.rowAt(at).summary.name + " ";
    }
    return names;
  }
};

TEST_F(Tree, BranchesStandBelowTheirParentInBothOrders) {
  model.setRows({run("a", 0.5), run("b", 0.9, "a", 10), run("c", 0.7), run("d", 0.6, "a", 20), run("e", 0.1, "b", 30)});
  EXPECT_EQ(order(Qt::AscendingOrder), "a >d >b >>e c ");
  EXPECT_EQ(order(Qt::DescendingOrder), "c a >b >>e >d ");
  filter.setTree(false);
  EXPECT_EQ(order(Qt::DescendingOrder), "b c d a e ");
}

TEST_F(Tree, ARunWhoseParentIsNotShownIsIndentedLess) {
  model.setRows({run("a", 0.5), run("b", 0.9, "a", 10), run("zz", 0.1, "b", 30)});
  filter.setWords(QStringLiteral("zz"));
  EXPECT_EQ(order(Qt::AscendingOrder), "zz ");
  EXPECT_EQ(model.tree().family(2, 16), (QVector<int>{0, 1, 2}));
  EXPECT_EQ(model.tree().family(0, 2).size(), 2);
}

TEST_F(Tree, WeightsOfAnotherRunMakeNoBranchAndCirclesAreCut) {
  model.setRows({run("a", 0.5, "b", 1), run("b", 0.9, "a", 1), run("c", 0.4, "a"), run("d", 0.2, "d", 4)});
  const std::string all = order(Qt::DescendingOrder);
  for (const char* name : {"a ", "b ", "c ", "d "}) EXPECT_NE(all.find(name), std::string::npos) << all;
  EXPECT_EQ(model.tree().parent(2), -1);
  EXPECT_EQ(model.tree().parent(3), -1);
}

TEST_F(Tree, AVeryLongChainIsCut) {
  QVector<RunRow> rows{run("0", 0.5)};
  for (int i = 1; i < 300; ++i) rows += run(std::to_string(i), 0.5, std::to_string(i - 1), i);
  model.setRows(rows);
  for (int i = 0; i < 300; ++i) EXPECT_LE(model.tree().depth(i), RunTree::most_deep);
  EXPECT_EQ(filter.rowCount(), 300);
}

}  // namespace
}  // namespace nw::ui
