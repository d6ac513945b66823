// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/predict_page.hpp"
#include <QDir>
#include <QFile>

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMouseEvent>
#include <QSlider>
#include <QTableView>
#include <QTableWidget>

#include "tests/support/run_writer.hpp"
#include "tests/ui/predict/fake_helper.hpp"
#include "tests/ui/predict/hands.hpp"
#include "ui/predict/explain/layer_view.hpp"
#include "ui/predict/explain/map_view.hpp"
#include "ui/predict/explain/neighbor_strip.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/images/grid_view.hpp"
#include "ui/predict/images/image_view.hpp"
#include "ui/predict/images/label_issues_view.hpp"
#include "ui/predict/metrics/class_table.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/metrics/metrics_view.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/speed_dialog.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/predict/try/playground.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// A checkpoint that is complete by its manifest; its files are empty.
void write_empty_checkpoint(const fs::path& folder) {
  fs::create_directories(folder);
  Json files = Json::object();
  for (const char* name : {"model.safetensors", "optimizer.safetensors", "state.json"}) {
    std::ofstream(folder / name).flush();
    files[name] = {{"bytes", 0}, {"xxh3", "0"}};
  }
  std::ofstream(folder / "manifest.json") << Json{{"schema", 1}, {"files", files}}.dump();
}

class PredictPageTest : public testing::Test {
 protected:
  PredictPageTest() : helper(fake_response) { HelperClient::setDefaultLauncher(helper.launcher()); }
  ~PredictPageTest() override { HelperClient::setDefaultLauncher({}); }
  void open() {
    session = std::make_unique<Session>();
    page = std::make_unique<PredictPage>(*session);
    page->resize(1400, 860);
    page->source().setWeights(QStringLiteral("/tmp/runs/2026-lenet5-a7"), QStringLiteral("best"));
    page->show();
    ASSERT_TRUE(eventually([&] { return page->source().view() != nullptr; }));
  }
  FakeHelper helper;
  std::unique_ptr<Session> session;
  std::unique_ptr<PredictPage> page;
};

TEST_F(PredictPageTest, TheHeaderShowsTheFiguresOfTheEvaluation) {
  open();
  EXPECT_EQ(page->header().figure("wrong"), QStringLiteral("10"));
  EXPECT_EQ(page->header().figure("unsure"), QStringLiteral("13"));
  EXPECT_TRUE(page->header().figure("accuracy").startsWith(QStringLiteral("85.71")));
  EXPECT_EQ(page->header().figure("loss"), QStringLiteral("0.25"));
}

TEST_F(PredictPageTest, AWarningNamesTheProjectOfTheRunWhereAnotherIsOpen) {
  const test::TemporaryFolder runs;
  const test::RunWriter run(runs.path(), test::definition_of());
  write_empty_checkpoint(run.folder() / "checkpoints" / "step-00000100");
  const QString folder = QString::fromStdString(run.folder().string());
  WeightsList weights;
  weights.refresh(folder);
  ASSERT_TRUE(eventually([&] { return weights.find(folder) != nullptr; }));
  session = std::make_unique<Session>();
  PredictSource source(session->helper());
  PredictHeader header(source, weights);
  header.resize(1400, 100);
  header.show();
  source.setWeights(folder, QStringLiteral("best"));
  ASSERT_TRUE(eventually([&] { return source.view() != nullptr; }));
  auto* line = header.findChild<QLabel*>(QStringLiteral("foreignRun"));
  const int height = header.height();
  header.setOpenProject(QStringLiteral("LeNet5"));
  EXPECT_TRUE(line->isHidden()) << "runs are named in small letters";
  header.setOpenProject(QStringLiteral("My cats"));
  EXPECT_EQ(line->text(), QStringLiteral("These predictions are of a run of lenet5. The open project is My cats."));
  EXPECT_FALSE(line->isHidden());
  EXPECT_GT(header.height(), height);
  EXPECT_TRUE(weights.describe(folder, QStringLiteral("best"), 100).startsWith(QStringLiteral("lenet5 · ")))
      << weights.describe(folder, QStringLiteral("best"), 100).toStdString();
  header.setOpenProject(QStringLiteral("lenet5"));
  EXPECT_EQ(header.height(), height);
}

TEST_F(PredictPageTest, AClickOnAMatrixCellFiltersTheGridAndASecondClickClearsIt) {
  open();
  ConfusionMatrix& matrix = page->matrix();
  click(matrix, matrix.cellRect(7, 8).center());
  ASSERT_EQ(page->grid().cell(), (GridModel::Cell{7, 8}));
  EXPECT_EQ(page->grid().sections()[0].count, 1);
  EXPECT_EQ(page->grid().sample(0).index, 1007);
  click(matrix, matrix.cellRect(7, 8).center());
  EXPECT_FALSE(page->grid().cell().has_value());
  EXPECT_GT(page->grid().rowCount(), 9);
}

TEST_F(PredictPageTest, ThePadKeepsItsPlaceWhileTheNextImageIsLoaded) {
  open();
  auto* explanation = page->findChild<LayerView*>();
  const auto arrived = [&] { return page->sample().settled() && !explanation->heat().isNull(); };
  ASSERT_TRUE(eventually(arrived));
  QWidget* column = page->sample().parentWidget();
  const auto place = [&] {
    for (int nested = 0; nested < 4; ++nested) QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    return page->ownImagePanel().pad().mapTo(column, QPoint(0, 0));
  };
  QCoreApplication::processEvents();
  const QPoint before = place();
  page->findChild<GridView*>()->setCurrentIndex(page->grid().index(2, 0));
  ASSERT_FALSE(page->sample().settled());
  EXPECT_EQ(place(), before);
  ASSERT_TRUE(eventually(arrived));
  EXPECT_TRUE(eventually([&] { return place() == before; }));
}

TEST_F(PredictPageTest, TheMatrixIsReachableByKeyboard) {
  open();
  ConfusionMatrix& matrix = page->matrix();
  key(matrix, Qt::Key_Right);
  key(matrix, Qt::Key_Return);
  EXPECT_EQ(page->grid().cell(), (GridModel::Cell{0, 1}));
  key(matrix, Qt::Key_Down);
  EXPECT_TRUE(matrix.accessibleDescription().contains(QStringLiteral("True class 1, predicted as 1")))
      << matrix.accessibleDescription().toStdString();
  key(matrix, Qt::Key_Escape);
  EXPECT_FALSE(page->grid().cell().has_value());
}

TEST_F(PredictPageTest, WithoutImageLayersPixelsAreExplainedForTheChosenClass) {
  open();
  auto* view = page->findChild<LayerView*>();
  ASSERT_TRUE(eventually([&] { return !helper.requests("explain").empty() && !view->heat().isNull(); }));
  EXPECT_EQ(helper.requests("explain").back()["method"], "saliency");
  EXPECT_EQ(helper.requests("explain").back()["target"], -1);
  view->choose(overlay_named(QStringLiteral("integrated-gradients")));
  view->chooseClass(3);
  ASSERT_TRUE(eventually([&] { return !view->heat().isNull(); }));
  const Json asked = helper.requests("explain").back();
  EXPECT_EQ(asked["method"], "integrated-gradients");
  EXPECT_EQ(asked["target"], 3);
  EXPECT_EQ(asked.value("layer", "?"), "") << "no layer is named";
}

TEST_F(PredictPageTest, AMethodThatCannotExplainSaysWhyAndAnotherCanBeChosen) {
  open();
  auto* view = page->findChild<LayerView*>();
  ASSERT_TRUE(eventually([&] { return !view->heat().isNull(); }));
  const auto says = [&](const char* sentence) {
    for (const QLabel* label : view->findChildren<QLabel*>())
      if (!label->isHidden() && label->text() == QLatin1String(sentence)) return true;
    return false;
  };
  view->choose(overlay_named(QStringLiteral("occlusion")));
  ASSERT_TRUE(eventually([&] { return says("A patch does not fit"); }));
  EXPECT_FALSE(view->isHidden());
  view->choose(overlay_named(QStringLiteral("saliency")));
  ASSERT_TRUE(eventually([&] { return !view->heat().isNull(); }));
  EXPECT_FALSE(says("A patch does not fit"));
}

TEST(Overlays, AreDrawnFromTheAnswerOfTheHelper) {
  const std::vector<float> floats{-1, 0, 2, 4, 1, 0};
  std::vector<std::uint8_t> bytes(floats.size() * sizeof(float));
  std::memcpy(bytes.data(), floats.data(), bytes.size());
  const QImage heat = support_of(Json{{"height", 2}, {"width", 3}}, bytes);
  ASSERT_EQ(heat.size(), QSize(3, 2));
  EXPECT_EQ(heat.constScanLine(0)[0], 0) << "what speaks against the class is dark";
  EXPECT_EQ(heat.constScanLine(0)[2], 128);
  EXPECT_EQ(heat.constScanLine(1)[0], 255);
  for (const Json& lie : {Json{{"height", 3}, {"width", 3}}, Json{{"height", -2}, {"width", -3}},
                          Json{{"height", "2"}, {"width", 3}}, Json::object()})
    EXPECT_TRUE(support_of(lie, bytes).isNull()) << lie.dump();
  QImage image(2, 2, QImage::Format_RGB32);
  image.fill(Qt::white);
  EXPECT_NE(over_image(image, heat, 8), over_image(image, heat, 8, 0));
  EXPECT_EQ(over_image(image, heat, 8, 0).pixelColor(4, 4), QColor(Qt::white));
}

TEST_F(PredictPageTest, AStrokeOnThePadIsClassifiedAsWhiteInkOnBlack) {
  open();
  DrawingPad& pad = page->ownImagePanel().pad();
  const auto before = helper.requests("predict").size();
  mouse(pad, QEvent::MouseButtonPress, {40, 40});
  for (int i = 0; i < 30; ++i) mouse(pad, QEvent::MouseMove, QPointF(40 + 2 * i, 40 + 3 * i));
  mouse(pad, QEvent::MouseButtonRelease, {100, 130});
  ASSERT_TRUE(eventually([&] {
    return page->ownImagePanel().bars().rows().size() == 10 && page->ownImagePanel().bars().rows()[4].predicted;
  }));
  const auto asked = helper.requests("predict");
  ASSERT_GT(asked.size(), before);
  EXPECT_EQ(asked.back()["height"], 28);
  EXPECT_EQ(asked.back()["width"], 28);
  EXPECT_EQ(asked.back()["channels"], 1);
  EXPECT_FLOAT_EQ(page->ownImagePanel().bars().rows()[4].share, 0.75f);
}

TEST_F(PredictPageTest, DuringARequestOnlyTheNewestDrawingIsQueued) {
  open();
  ASSERT_TRUE(eventually([&] { return !helper.requests("sample").empty(); }));  // the request for the selected sample
  QCoreApplication::processEvents();
  const auto before = helper.requests("predict").size();
  DrawingPad& pad = page->ownImagePanel().pad();
  mouse(pad, QEvent::MouseButtonPress, {30, 30});
  for (int i = 0; i < 200; ++i) mouse(pad, QEvent::MouseMove, QPointF(30 + i / 2.0, 60));  // no event loop in between
  mouse(pad, QEvent::MouseButtonRelease, {130, 60});
  ASSERT_TRUE(eventually([&] { return helper.requests("predict").size() >= before + 2; }));
  ASSERT_TRUE(eventually([&] { return page->ownImagePanel().bars().rows()[4].predicted; }));
  EXPECT_EQ(helper.requests("predict").size(), before + 2) << "the first and the newest, not 200";
}

TEST_F(PredictPageTest, ADroppedImageIsPredictedAsAFile) {
  open();
  const QString picture = QDir::temp().filePath(QStringLiteral("nw-predict-page-test.png"));
  ASSERT_TRUE(QImage(4, 4, QImage::Format_RGB32).save(picture));
  page->openPaths({picture});
  ASSERT_TRUE(eventually([&] { return !helper.requests("predict_file").empty(); }));
  EXPECT_EQ(helper.requests("predict_file")[0]["path"], picture.toStdString());
  ASSERT_TRUE(eventually([&] { return page->ownImagePanel().bars().rows()[4].share > 0.89f; }));
  QFile::remove(picture);
}

TEST_F(PredictPageTest, APastedImageIsResizedByTheHelper) {
  open();
  QImage image(40, 30, QImage::Format_RGB32);
  image.fill(Qt::white);
  QApplication::clipboard()->setImage(image);
  page->ownImagePanel().openClipboard();
  const auto asked = [&] {
    const std::vector<Json> all = helper.requests("predict");
    return !all.empty() && all.back()["height"] == 30 && all.back()["width"] == 40 && all.back()["channels"] == 3;
  };
  ASSERT_TRUE(eventually(asked));
  ASSERT_TRUE(eventually([&] { return page->ownImagePanel().pad().input().size() == QSize(28, 28); }))
      << "the pad shows what the network got";
  const auto predicted = [&] {
    const auto& rows = page->ownImagePanel().bars().rows();
    return rows.size() > 4 && qFuzzyCompare(static_cast<float>(rows[4].share), 0.75F);
  };
  EXPECT_TRUE(eventually(predicted)) << "the bars show the response, which may come after the pad's image";
}

TEST_F(PredictPageTest, AFolderOfOwnImagesTakesTheClassesFromTheNamesOfItsFolders) {
  open();
  const QDir folder(QDir::temp().filePath(QStringLiteral("nw-predict-page-folder")));
  for (const char* name : {"4", "9"}) {
    ASSERT_TRUE(folder.mkpath(QLatin1String(name)));
    ASSERT_TRUE(
        QImage(4, 4, QImage::Format_RGB32).save(folder.filePath(QLatin1String(name) + QStringLiteral("/a.png"))));
  }
  page->openPaths({folder.path()});
  ASSERT_TRUE(eventually([&] { return page->source().view() && page->source().view()->samples.size() == 2; }));
  const auto view = page->source().view();
  EXPECT_DOUBLE_EQ(view->accuracy, 0.5);  // both are predicted as 4
  EXPECT_EQ(view->at(9, 4), 1);
  QDir(folder).removeRecursively();
}

TEST_F(PredictPageTest, ACellOfClassesThatAreGoneIsNotKept) {
  open();
  ConfusionMatrix& matrix = page->matrix();
  page->filterCell(GridModel::Cell{7, 42});
  key(matrix, Qt::Key_Right);  // the cursor is where it was, not in column 42
  EXPECT_TRUE(matrix.accessibleDescription().contains(QStringLiteral("True class 0, predicted as 1")))
      << matrix.accessibleDescription().toStdString();
}

TEST_F(PredictPageTest, TheTableOfClassesAnswersForRowsThatAreGone) {
  open();
  ClassTableModel model;
  model.setView(page->source().view());
  const QModelIndex last = model.index(model.rowCount() - 1, 1);
  EXPECT_FALSE(last.data().toString().isEmpty());
  model.setView(nullptr);
  EXPECT_FALSE(model.data(last, Qt::DisplayRole).isValid());
  EXPECT_FALSE(model.headerData(99, Qt::Horizontal, Qt::DisplayRole).isValid());
}

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

TEST_F(PredictPageTest, WithoutARunThePageSaysWhatItShows) {
  session = std::make_unique<Session>();
  page = std::make_unique<PredictPage>(*session);
  EXPECT_TRUE(page->header().isHidden());
  EXPECT_TRUE(helper.requests().empty());
}

}  // namespace
}  // namespace nw::ui
