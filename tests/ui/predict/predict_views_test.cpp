// SPDX-License-Identifier: GPL-3.0-or-later
// The views of the Predict page beside its images: metrics, label issues, similar images, map, playground.
#include <QLabel>
#include <QSlider>
#include <QTableView>

#include <algorithm>

#include "tests/ui/predict/predict_page_fixture.hpp"
#include "ui/predict/explain/map_view.hpp"
#include "ui/predict/explain/neighbor_strip.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/images/grid_view.hpp"
#include "ui/predict/images/image_view.hpp"
#include "ui/predict/images/label_issues_view.hpp"
#include "ui/predict/metrics/class_table.hpp"
#include "ui/predict/metrics/metrics_view.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/try/playground.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

TEST_F(PredictPageTest, MetricsShowEveryClassAndTheCurvesOfTheChosenOne) {
  open();
  page->header().views().setCurrent(1);
  MetricsView& metrics = page->metrics();
  ASSERT_TRUE(eventually([&] { return metrics.isVisible() && !metrics.chart("roc")->curveX(1).isEmpty(); }));
  QTableView& table = metrics.table();
  ASSERT_EQ(table.model()->rowCount(), 12) << "ten classes and two means";
  EXPECT_EQ(table.model()->index(3, 1).data().toString(), QStringLiteral("0.620"));
  EXPECT_EQ(metrics.chart("calibration")->curveY(2).size(), 5) << "bins without images are left out";
  table.sortByColumn(2, Qt::AscendingOrder);  // lowest recall first: class 9
  EXPECT_EQ(table.model()->index(0, 0).data().toString(), QStringLiteral("9"));
  EXPECT_EQ(table.model()->index(11, 0).data(ClassTableModel::ClassRole).toInt(), -1) << "the means stay at the end";
  table.sortByColumn(2, Qt::DescendingOrder);
  EXPECT_EQ(table.model()->index(11, 0).data(ClassTableModel::ClassRole).toInt(), -1);
  table.sortByColumn(0, Qt::AscendingOrder);
  table.setCurrentIndex(table.model()->index(3, 0));
  ASSERT_TRUE(eventually([&] { return helper.requests("curves").back()["class"] == 3 && metrics.settled(); }));
  EXPECT_NEAR(metrics.chart("roc")->curveX(1)[1], 30, 1e-9);
  metrics.threshold().setValue(90);
  EXPECT_EQ(metrics.chart("threshold")->marks().front().x, 90);
  EXPECT_TRUE(metrics.sentence().contains(QStringLiteral("5 false negatives"))) << metrics.sentence().toStdString();
}

TEST(LabelIssues, OfANetworkAtChanceComeWithAWarning) {
  FakeHelper helper([](const Message& request) {
    Message answer = fake_response(request);
    if (request.json.value("do", "") != "evaluate") return answer;
    for (int i = 0; i < 100; ++i) answer.json["confusion"][static_cast<std::size_t>(i)] = i % 10 == 3 ? 7 : 0;
    return answer;
  });
  HelperClient::setDefaultLauncher(helper.launcher());
  Session session;
  PredictPage page(session);
  page.resize(1400, 860);
  page.source().setWeights(QStringLiteral("/tmp/runs/2026-lenet5-a7"), QStringLiteral("best"));
  page.show();
  ASSERT_TRUE(eventually([&] { return page.source().view() != nullptr; }));
  page.header().views().setCurrent(2);
  ASSERT_TRUE(eventually([&] { return page.suspects().list().model().rowCount() == 12; }));
  const auto labels = page.suspects().findChildren<QLabel*>();
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->isVisible() && label->text().contains(QStringLiteral("train further first"));
  }));
  HelperClient::setDefaultLauncher({});
}

TEST_F(PredictPageTest, LabelIssuesAreListedAndXExcludesThem) {
  open();
  page->header().views().setCurrent(2);
  ASSERT_TRUE(eventually([&] { return page->suspects().list().model().rowCount() == 12; }));
  EXPECT_EQ(helper.requests("suspects").back()["split"], "train");
  ASSERT_TRUE(eventually([&] { return page->suspects().settled() && !page->suspects().large().image().isNull(); }))
      << "the first is shown large";
  EXPECT_EQ(page->suspects().bars().rows().size(), 10u) << "with what the weights say";
  page->suspects().list().toggleChosen();
  EXPECT_EQ(session->doc().data().excluded, std::vector<std::string>{"train: 200"});
  session->undoStack().undo();
  EXPECT_TRUE(session->doc().data().excluded.empty());
}

TEST_F(PredictPageTest, TheChosenImageIsExcludedOnlyWhereTheProjectTrainsOnTheSameData) {
  open();
  ASSERT_TRUE(eventually([&] { return !page->sample().name().isEmpty(); }));
  const std::string name = page->sample().name().toStdString();
  key(*page, Qt::Key_X);
  EXPECT_EQ(session->doc().data().excluded, std::vector<std::string>{name});
  key(*page, Qt::Key_X);
  EXPECT_TRUE(session->doc().data().excluded.empty());
  DataChoice other = session->doc().data();
  other.path = "/elsewhere";
  session->push({PutData{other}}, QStringLiteral("other data"));
  key(*page, Qt::Key_X);
  EXPECT_TRUE(session->doc().data().excluded.empty());
}

TEST_F(PredictPageTest, SimilarTrainingImagesFollowTheChosenOne) {
  open();
  ASSERT_TRUE(eventually([&] { return page->settled(); }));
  EXPECT_TRUE(helper.requests("neighbours").empty()) << "nobody asked";
  page->sample().similarButton().click();
  ASSERT_TRUE(eventually([&] { return page->sample().neighbours().images().size() == 2; }));
  EXPECT_EQ(page->sample().neighbours().images()[1].label, 8);
  page->gridView().setCurrentIndex(page->grid().index(1));
  ASSERT_TRUE(eventually([&] { return helper.requests("neighbours").size() == 2; }));
  EXPECT_EQ(helper.requests("neighbours")[1]["sample"], page->grid().sample(1).index);
}

TEST_F(PredictPageTest, ArrowKeysMoveThroughTheMapAndEnterShowsTheImage) {
  open();
  page->header().views().setCurrent(4);
  MapCanvas& map = page->map().canvas();
  ASSERT_TRUE(eventually([&] { return map.map().points.size() == 3; }));
  EXPECT_EQ(map.map().points[1].y, 0) << "up is more";
  click(map, map.place(0));
  EXPECT_EQ(page->header().views().current(), 0);
  EXPECT_EQ(page->grid().sample(page->gridView().currentIndex().row()).index, 1000);
  page->header().views().setCurrent(4);
  key(map, Qt::Key_Right);
  EXPECT_EQ(map.current(), 1) << "the nearest that way";
  key(map, Qt::Key_Plus);
  EXPECT_GT(map.zoom(), 1);
  key(map, Qt::Key_Return);
  EXPECT_EQ(page->grid().sample(page->gridView().currentIndex().row()).index, 1007);
  page->header().views().setCurrent(4);
  page->map().kinds().setCurrent(1);
  ASSERT_TRUE(eventually([&] { return map.map().points.size() == 3; }));
  EXPECT_EQ(helper.requests("map").back()["method"], "tsne");
  const std::size_t asked = helper.requests("map").size();
  page->map().kinds().setCurrent(0);
  EXPECT_EQ(map.map().points.size(), 3U) << "what was drawn is kept";
  EXPECT_EQ(helper.requests("map").size(), asked);
  for (const Json& lie :
       {Json(), Json{{"sample", {1}}, {"x", Json::array()}, {"y", {1}}, {"label", {1}}, {"share", {1, 0}}}})
    EXPECT_FALSE(map_from(packed(lie)));
}

TEST_F(PredictPageTest, SlidersChangeTheInputOfBothNetworksOfThePlayground) {
  open();
  ASSERT_TRUE(eventually([&] { return page->settled(); }));
  page->header().views().setCurrent(3);
  Playground& play = page->playground();
  ASSERT_TRUE(eventually([&] { return play.mine().bars().rows().size() == 10; }))
      << "the image chosen in the grid is taken";
  const QImage before = play.input();
  const auto asked = helper.requests("predict").size();
  play.slider(0).setValue(45);
  play.slider(2).setValue(20);
  EXPECT_NE(play.input(), before);
  ASSERT_TRUE(eventually([&] { return play.settled() && helper.requests("predict").size() > asked; }));
  EXPECT_TRUE(play.other().bars().rows().empty());
  play.compareWith(QStringLiteral("/tmp/runs/other"), QStringLiteral("latest"));
  ASSERT_TRUE(eventually([&] { return play.other().bars().rows().size() == 10; }));
  EXPECT_EQ(helper.requests("predict").back()["run"], "/tmp/runs/other");
  EXPECT_EQ(helper.requests("predict").back()["checkpoint"], "latest");
  for (int i = 0; i < 3; ++i) play.slider(i).setValue(0);
  EXPECT_EQ(play.input(), before) << "nothing was lost";
}

}  // namespace
}  // namespace nw::ui
