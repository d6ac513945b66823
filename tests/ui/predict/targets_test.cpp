// SPDX-License-Identifier: GPL-3.0-or-later
// The Predict page for multi-label and regression networks.
#include <gtest/gtest.h>

#include <QTableView>

#include "engine/design/project_file.hpp"
#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/images/grid_view.hpp"
#include "ui/predict/metrics/csv_export.hpp"
#include "ui/predict/metrics/metrics_view.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/source/output_rows.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

Json run_of(const char* target) {
  DataChoice data;
  data.synthetic_set = "shapes";
  data.target = target;
  return {{"ok", true},  {"classes", {"circle", "square", "size"}}, {"channels", 3}, {"height", 32},
          {"width", 32}, {"checkpoint", "step-00000100"},           {"step", 100},   {"data", to_json(data)}};
}

/// Four images: the second lacks one label, the others are correct.
Json labels_response() {
  const auto one = [](const char* name) {
    return Json{{"name", name}, {"support", 2},   {"precision", 1},          {"recall", 0.5},
                {"f1", 0.67},   {"roc_auc", 0.9}, {"average_precision", 0.8}};
  };
  return {{"ok", true},
          {"kind", "labels"},
          {"classes", 3},
          {"names", {"none", "circle", "circle + square"}},
          {"sets", {Json::array(), {0}, {0, 1}}},
          {"groups", {"circle", "square", "size", "none"}},
          {"loss", 0.3},
          {"accuracy", 0.75},
          {"sample", {0, 1, 2, 3}},
          {"label", {1, 2, 0, 2}},
          {"predicted", {1, 1, 0, 2}},
          {"confidence", {0.9, 0.55, 0.8, 0.7}},
          {"loss_per_sample", {0.1, 0.9, 0.2, 0.3}},
          {"confusion", {1, 0, 0, 0, 1, 0, 0, 1, 1}},
          {"metrics",
           {{"classes", {one("circle"), one("square"), one("size")}},
            {"macro", one("")},
            {"weighted", one("")},
            {"top_k", Json::array()},
            {"calibration", {{"bins", Json::array()}, {"expected_error", 0.1}, {"largest_error", 0.2}}}}}};
}

Json values_response() {
  const auto one = [](const char* name, double r2) {
    return Json{{"name", name}, {"mae", 0.5}, {"rmse", 0.75}, {"r2", r2}, {"mean", 10}, {"deviation", 2}};
  };
  return {{"ok", true},
          {"kind", "values"},
          {"classes", 2},
          {"names", {"1 to 9", "10 to 20"}},
          {"groups", {"1 to 9", "10 to 20"}},
          {"loss", 0.6},
          {"accuracy", -0.25},
          {"sample", {0, 1, 2}},
          {"label", {0, 0, 1}},
          {"predicted", {0, 1, 1}},
          {"confidence", {-1, -1, -1}},
          {"loss_per_sample", {0.1, 0.9, 0.2}},
          {"confusion", {1, 1, 0, 1}},
          {"targets", {1, 2, 3, 4, 5, 6, 7, 8, 9}},
          {"values", {one("circle", 0.9), one("square", 0.8), one("size", -0.5)}}};
}

class TargetsPage : public testing::Test {
 protected:
  void open(const char* target, const Json& evaluation) {
    helper = std::make_unique<FakeHelper>([target, evaluation](const Message& request) -> Message {
      const std::string what = request.json["do"];
      if (request.json.value("run", "").find("lenet5") != std::string::npos) return fake_response(request);
      if (what == "open_run") return {run_of(target), {}};
      if (what == "evaluate") return {evaluation, {}};
      if (what == "predict") return {Json{{"ok", true}, {"probability", {0.8, 0.3, 0.6}}, {"predicted", 0}}, {}};
      if (what == "sample") {
        Message m = fake_response(request);
        m.json["probability"] = {0.8, 0.3, 0.6};
        return m;
      }
      if (what == "curves" && std::string(target) == "values")
        return {
            Json{
                {"ok", true}, {"class", request.json["class"]}, {"targets", {3, 1, 2}}, {"predictions", {3.5, 1.5, 1}}},
            {}};
      return fake_response(request);
    });
    HelperClient::setDefaultLauncher(helper->launcher());
    session = std::make_unique<Session>();
    page = std::make_unique<PredictPage>(*session);
    page->resize(1400, 860);
    page->source().setWeights(QStringLiteral("/tmp/runs/2026-shapes-a7"), QStringLiteral("best"));
    page->show();
    ASSERT_TRUE(eventually([&] { return page->source().view() != nullptr; }));
  }
  ~TargetsPage() override {
    page.reset();
    session.reset();
    HelperClient::setDefaultLauncher({});
  }
  Session* session_of(const Json& labels) {
    open("labels", labels);
    return session.get();
  }
  std::vector<ClassBars::Row> rowsOf(int image) {
    page->gridView().setCurrentIndex(page->grid().index(page->grid().rowOf(image)));
    EXPECT_TRUE(eventually(
        [&] { return page->sample().settled() && !page->sample().findChild<ClassBars*>()->rows().empty(); }));
    return page->sample().findChild<ClassBars*>()->rows();
  }
  std::unique_ptr<FakeHelper> helper;
  std::unique_ptr<Session> session;
  std::unique_ptr<PredictPage> page;
};

TEST_F(TargetsPage, OfLabelsShowsTheirSetsAsClasses) {
  open("labels", labels_response());
  EXPECT_EQ(page->header().figure("wrong"), QStringLiteral("1"));
  EXPECT_EQ(page->header().figure("unsure"), QStringLiteral("1"));
  EXPECT_EQ(page->source().view()->names, (QStringList{"no label", "circle", "circle + square"}));
  EXPECT_EQ(page->source().groupName(3), QStringLiteral("none"));
  const auto rows = rowsOf(1);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, QStringLiteral("circle"));
  EXPECT_TRUE(rows[0].predicted && rows[0].truth);
  EXPECT_EQ(rows[1].name, QStringLiteral("size"));
  EXPECT_TRUE(rows[1].predicted && !rows[1].truth);
  EXPECT_EQ(rows[2].name, QStringLiteral("square"));
  EXPECT_TRUE(!rows[2].predicted && rows[2].truth) << "what it missed";
  EXPECT_EQ(page->metrics().table().model()->rowCount(), 5) << "three labels, two means";
}

TEST_F(TargetsPage, OfNumbersShowsPredictedBesideTrueValues) {
  open("values", values_response());
  EXPECT_EQ(page->header().figure("accuracy"), QStringLiteral("-0.2500")) << "R² may be below 0";
  EXPECT_EQ(page->header().figure("unsure"), QStringLiteral("–"));
  const auto rows = rowsOf(1);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].text, QStringLiteral("0.8 (true: 4)"));
  EXPECT_EQ(rows[2].text, QStringLiteral("0.6 (true: 6)"));
  page->header().views().setCurrent(1);
  ASSERT_TRUE(eventually([&] {
    return page->metrics().settled() && !page->metrics().chart(QStringLiteral("numbers"))->curveX(1).isEmpty();
  }));
  EXPECT_EQ(page->metrics().chart(QStringLiteral("numbers"))->curveX(1), (QVector<double>{1, 2, 3}));
  EXPECT_EQ(page->metrics().chart(QStringLiteral("numbers"))->curveY(1), (QVector<double>{1.5, 1, 3.5}));
  EXPECT_TRUE(page->metrics().chart(QStringLiteral("numbers"))->isVisible());
  EXPECT_FALSE(page->metrics().chart(QStringLiteral("roc"))->isVisible());
  const QAbstractItemModel& table = *page->metrics().table().model();
  EXPECT_EQ(table.rowCount(), 3);
  EXPECT_EQ(table.index(2, 1).data().toString(), QStringLiteral("-0.5"));
}

TEST_F(TargetsPage, OfNumbersTheOneChartHasTheRoomOfAll) {
  open("values", values_response());
  page->header().views().setCurrent(1);
  const MetricChart* chart = page->metrics().chart("numbers");
  ASSERT_TRUE(eventually([&] { return chart->isVisible() && chart->height() > page->metrics().height() / 2; }))
      << chart->height() << " of " << page->metrics().height() << ": nothing is kept free for charts of classes";
}

TEST_F(TargetsPage, ShowsUndefinedFiguresAsADashAndSortsThemBelowTheOthers) {
  Json answer = labels_response();
  answer["metrics"]["classes"][0]["roc_auc"] = nullptr;
  answer["metrics"]["classes"][1]["average_precision"] = nullptr;
  open("labels", answer);
  page->header().views().setCurrent(1);
  ASSERT_TRUE(eventually([&] { return page->metrics().settled(); }));
  QTableView& table = page->metrics().table();
  EXPECT_EQ(table.model()->index(0, 4).data().toString(), QStringLiteral("–"));
  EXPECT_EQ(table.model()->index(1, 5).data().toString(), QStringLiteral("–"));
  EXPECT_EQ(table.model()->index(1, 4).data().toString(), QStringLiteral("0.900"));
  table.sortByColumn(4, Qt::DescendingOrder);
  EXPECT_EQ(table.model()->index(2, 0).data().toString(), QStringLiteral("circle"));
  Json values = values_response();
  values["accuracy"] = nullptr;
  values["values"][1]["r2"] = nullptr;
  open("values", values);
  EXPECT_EQ(page->header().figure("accuracy"), QStringLiteral("–"));
  EXPECT_EQ(page->metrics().table().model()->index(1, 1).data().toString(), QStringLiteral("–"));
}

TEST_F(TargetsPage, SaysThatNumbersAreNotFinite) {
  Json answer = labels_response();
  answer["loss"] = nullptr;
  answer["not_finite"] = 3;
  answer["loss_per_sample"] = {0.1, nullptr, nullptr, nullptr};
  answer["confidence"] = {0.9, -1, -1, -1};
  QStringList said;
  QObject::connect(session_of(answer), &Session::message, [&](const QString& sentence) { said << sentence; });
  page->source().reload();
  ASSERT_TRUE(eventually([&] { return !said.isEmpty(); }));
  EXPECT_TRUE(said.first().contains(QStringLiteral("not finite for 3 of 4 images"))) << said.first().toStdString();
  EXPECT_EQ(page->header().figure("loss"), QStringLiteral("–"));
  EXPECT_EQ(page->source().view()->samples[1].loss, -1);
  EXPECT_EQ(predictions_csv(*page->source().view()).find("-1"), std::string::npos);
}

TEST_F(TargetsPage, ShowsClassesAgainWithTheNextNetwork) {
  open("values", values_response());
  page->header().views().setCurrent(1);
  EXPECT_TRUE(page->metrics().chart(QStringLiteral("numbers"))->isVisible());
  page->source().setWeights(QStringLiteral("/tmp/runs/2026-lenet5-a7"), QStringLiteral("best"));
  ASSERT_TRUE(eventually([&] { return page->source().view() && page->source().view()->kind == TargetKind::classes; }));
  page->header().views().setCurrent(1);
  EXPECT_TRUE(page->metrics().chart(QStringLiteral("roc"))->isVisible());
  EXPECT_EQ(page->header().figure("unsure"), QStringLiteral("13"));
}

TEST(TargetAnswers, InconsistentOnesAreRejected) {
  const QStringList outputs{"circle", "square", "size"};
  EXPECT_TRUE(evaluation_from(labels_response(), outputs));
  EXPECT_TRUE(evaluation_from(values_response(), outputs));
  Json lie = labels_response();
  lie["names"].erase(0);
  EXPECT_FALSE(evaluation_from(lie, outputs));
  lie = values_response();
  lie["targets"].erase(0);
  EXPECT_FALSE(evaluation_from(lie, outputs));
  lie = values_response();
  lie["values"] = 3;
  EXPECT_FALSE(evaluation_from(lie, outputs));
  EXPECT_EQ(probabilities_from(Json{{"probability", {0.75}}}, TargetKind::labels)->size(), 1U)
      << "one label is no pair of classes";
}

TEST(TargetAnswers, OfNumbersHaveNoConfidenceInTheTable) {
  const auto view = evaluation_from(values_response(), {"circle", "square", "size"});
  ASSERT_TRUE(view);
  EXPECT_EQ(predictions_csv(*view).substr(0, 80),
            "index,true,predicted,confidence,loss,right\n0,1 to 9,1 to 9,,0.1,1\n1,1 to 9,10 to");
}

}  // namespace
}  // namespace nw::ui
