// SPDX-License-Identifier: GPL-3.0-or-later
// The Predict page: its figures, images, confusion matrix, explanations and the pad for own images.
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMouseEvent>
#include <QScopeGuard>
#include <QTableWidget>
#include <algorithm>
#include <new>

#include "tests/support/run_writer.hpp"
#include "tests/ui/predict/predict_page_fixture.hpp"
#include "ui/predict/explain/layer_view.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/images/grid_view.hpp"
#include "ui/predict/images/image_view.hpp"
#include "ui/predict/metrics/class_table.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/predict/try/playground.hpp"
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

TEST_F(PredictPageTest, ThePlaygroundNamesItsNetworksOnceTheRunsAreRead) {
  const test::TemporaryFolder runs;
  const test::RunWriter run(runs.path(), test::definition_of());
  write_empty_checkpoint(run.folder() / "checkpoints" / "step-00000100");
  const QString folder = QString::fromStdString(run.folder().string());
  session = std::make_unique<Session>();
  PredictSource source(session->helper());
  Playground play(source);
  source.setWeights(folder, QStringLiteral("best"));
  ASSERT_TRUE(eventually([&] { return source.view() != nullptr; }));
  play.compareWith(folder, QStringLiteral("latest"));
  const auto names = [&] {
    return QStringList{play.findChild<QLabel*>(QStringLiteral("playgroundWeights"))->text(),
                       play.findChild<ChooserButton*>()->value()};
  };
  EXPECT_FALSE(names().join(u' ').contains(QStringLiteral("lenet5 · "))) << "the project is not known yet";
  play.show();  // reads the runs
  ASSERT_TRUE(eventually([&] { return play.settled(); }));
  for (const QString& name : names()) EXPECT_TRUE(name.startsWith(QStringLiteral("lenet5 · "))) << name.toStdString();
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

TEST_F(PredictPageTest, AnEvaluationThatThereIsNoMemoryForIsSaidAndTheNextOneIsShown) {
  const auto restore = qScopeGuard([] { PredictSource::setEvaluationReader({}); });
  PredictSource::setEvaluationReader(
      [](const Message&, const QStringList&) -> Result<EvaluationView> { throw std::bad_alloc(); });
  session = std::make_unique<Session>();
  page = std::make_unique<PredictPage>(*session);
  page->show();
  QString said;
  QObject::connect(&page->source(), &PredictSource::failed, page.get(), [&](const QString& why) { said = why; });
  page->source().setWeights(QStringLiteral("/tmp/runs/2026-lenet5-a7"), QStringLiteral("best"));
  ASSERT_TRUE(page->source().busy());
  ASSERT_TRUE(eventually([&] { return !page->source().busy(); })) << "the page waits for ever";
  EXPECT_TRUE(said.contains(QStringLiteral("not enough memory"))) << said.toStdString();
  const auto labels = page->findChildren<QLabel*>();
  EXPECT_TRUE(
      std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->isVisible() && l->text() == said; }));
  PredictSource::setEvaluationReader({});
  page->source().setSplit(QStringLiteral("train"));
  EXPECT_TRUE(eventually([&] { return page->source().view() != nullptr; }));
  EXPECT_FALSE(page->source().busy());
}

TEST_F(PredictPageTest, WithoutARunThePageSaysWhatItShows) {
  session = std::make_unique<Session>();
  page = std::make_unique<PredictPage>(*session);
  EXPECT_TRUE(page->header().isHidden());
  EXPECT_TRUE(helper.requests().empty());
}

}  // namespace
}  // namespace nw::ui
