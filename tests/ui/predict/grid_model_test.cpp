// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/images/grid_model.hpp"
#include <QKeyEvent>

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/images/grid_view.hpp"

namespace nw::ui {
namespace {

using Show = GridModel::Show;
using Order = GridModel::Order;

std::shared_ptr<EvaluationView> seventy() {
  return std::make_shared<EvaluationView>(*evaluation_from(packed(fake_evaluation(70)), class_names({}, 10)));
}

TEST(GridModel, KeepsTheRulesOfItemModelsWhileFiltersChange) {
  GridModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setView(seventy());
  for (const Show show : {Show::wrong, Show::unsure, Show::all}) model.setShow(show);
  model.setCell(GridModel::Cell{0, 1});
  model.setView(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(GridModel, WrongOnlyShowsMisclassifiedImagesAndThenUncertainOnes) {
  GridModel model;
  model.setView(seventy());
  EXPECT_EQ(model.rowCount(), 70);
  model.setShow(Show::wrong);
  ASSERT_EQ(model.sections().size(), 2u);
  EXPECT_EQ(model.sections()[0].count, 10);
  for (int row = 0; row < 10; ++row) EXPECT_TRUE(model.sample(row).wrong());
  for (int row = 10; row < model.rowCount(); ++row) {
    EXPECT_FALSE(model.sample(row).wrong());
    if (row > 10) {
      EXPECT_LE(model.sample(row - 1).confidence, model.sample(row).confidence) << "least confident first";
    }
  }
}

TEST(GridModel, UnsureShowsConfidencesUnderSixtyPercent) {
  GridModel model;
  model.setView(seventy());
  model.setShow(Show::unsure);
  EXPECT_EQ(model.rowCount(), 13);
  for (int row = 0; row < model.rowCount(); ++row) EXPECT_LT(model.sample(row).confidence, 0.6f);
}

TEST(GridModel, ACellShowsExactlyItsImages) {
  GridModel model;
  model.setView(seventy());
  model.setCell(GridModel::Cell{7, 8});  // i = 7: label 7, predicted 8; i = 27, 47, 67 are not multiples of 7
  ASSERT_EQ(model.rowCount(), 1);
  EXPECT_EQ(model.sample(0).index, 1007);
  EXPECT_EQ(model.rowOf(1007), 0);
  EXPECT_EQ(model.rowOf(1000), -1);
  model.setCell({});
  EXPECT_EQ(model.rowCount(), 70);
}

TEST(GridModel, SortsByConfidenceLossAndIndex) {
  GridModel model;
  model.setView(seventy());
  const auto ordered = [&](auto key) {
    for (int row = 1; row < model.rowCount(); ++row)
      if (key(model.sample(row - 1)) > key(model.sample(row))) return false;
    return true;
  };
  EXPECT_TRUE(ordered([](const Sample& s) { return -s.confidence; }));
  model.setOrder(Order::least_confident);
  EXPECT_TRUE(ordered([](const Sample& s) { return s.confidence; }));
  model.setOrder(Order::largest_loss);
  EXPECT_TRUE(ordered([](const Sample& s) { return -s.loss; }));
  model.setOrder(Order::index);
  EXPECT_TRUE(ordered([](const Sample& s) { return static_cast<double>(s.index); }));
}

TEST(GridModel, TheAccessibleNameHasTheTrueLabelAndThePrediction) {
  GridModel model;
  model.setView(seventy());
  model.setCell(GridModel::Cell{7, 8});
  EXPECT_EQ(model.index(0).data(Qt::DisplayRole).toString(), QStringLiteral("7 › 8"));
  EXPECT_TRUE(
      model.index(0).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("true class 7, predicted as 8")));
}

TEST(GridView, ArrowKeysMoveAndOnlyVisibleImagesAreFetched) {
  FakeHelper helper(fake_response);
  HelperClient client(helper.launcher());
  PredictSource source(client);
  ThumbnailStore thumbnails(source);
  GridModel model(&thumbnails);
  source.setWeights(QStringLiteral("/run"), QStringLiteral("best"));
  ASSERT_TRUE(eventually([&] { return source.view() != nullptr; }));
  GridView view(model);
  view.resize(320, 240);
  model.setView(source.view());
  view.show();
  ASSERT_TRUE(eventually(
      [&] { return !helper.requests("thumbnails").empty() && !thumbnails.image(model.sample(0).index).isNull(); }));
  std::size_t fetched = 0;
  for (const Json& request : helper.requests("thumbnails")) fetched += request["samples"].size();
  EXPECT_LT(fetched, 40u) << "70 images, but only a few lines are visible";
  const auto press = [&](int key) {
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
    QCoreApplication::sendEvent(&view, &event);
  };
  view.setCurrentIndex(model.index(0));
  press(Qt::Key_Right);
  EXPECT_EQ(view.currentIndex().row(), 1);
  press(Qt::Key_Down);
  EXPECT_EQ(view.currentIndex().row(), 1 + view.columns());
  press(Qt::Key_End);
  EXPECT_EQ(view.currentIndex().row(), 69);
  EXPECT_TRUE(view.viewport()->rect().contains(view.visualRect(view.currentIndex()).center())) << "scrolled into view";
  EXPECT_EQ(view.indexAt(view.visualRect(model.index(69)).center()).row(), 69);
}

/// The window crashed here: a listener of the model asked the view for positions before the view's own reset().
TEST(GridView, PositionsAreOfTheModelsPresentRowsForEveryListener) {
  GridModel model;
  GridView* view = nullptr;
  int asked = 0;
  QObject::connect(&model, &QAbstractItemModel::modelReset, &model, [&] {
    if (!view) return;
    ++asked;
    for (int y = 0; y < 4000; y += 40) {
      const QModelIndex at = view->indexAt({60, y});
      EXPECT_TRUE(!at.isValid() || at.row() < model.rowCount());
    }
    for (int row = 0; row < model.rowCount(); ++row) EXPECT_FALSE(view->visualRect(model.index(row)).isEmpty());
  });
  view = new GridView(model);
  const std::unique_ptr<GridView> owner(view);
  view->resize(320, 240);
  model.setView(seventy());
  model.setShow(Show::wrong);
  ASSERT_EQ(model.sections().size(), 2u);
  model.setShow(Show::all);
  model.setView(nullptr);
  model.setView(seventy());
  EXPECT_EQ(asked, 5);
}

}  // namespace
}  // namespace nw::ui
