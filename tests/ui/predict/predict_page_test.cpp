// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include "ui/predict/predict_page.hpp"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QMouseEvent>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/class_bars.hpp"
#include "ui/predict/confusion_matrix.hpp"
#include "ui/predict/drawing_pad.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/layer_view.hpp"
#include "ui/predict/try_panel.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

void mouse(QWidget& w, QEvent::Type type, const QPointF& at) {
  const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
  QMouseEvent event(type, at, w.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, held, Qt::NoModifier);
  QApplication::sendEvent(&w, &event);
}
void click(QWidget& w, const QPointF& at) {
  mouse(w, QEvent::MouseButtonPress, at);
  mouse(w, QEvent::MouseButtonRelease, at);
}
void key(QWidget& w, int code) {
  QKeyEvent event(QEvent::KeyPress, code, Qt::NoModifier);
  QApplication::sendEvent(&w, &event);
}

class PredictPageTest : public testing::Test {
 protected:
  PredictPageTest() : helper(fake_answer) { HelperClient::setDefaultLauncher(helper.launcher()); }
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

TEST_F(PredictPageTest, AClickedCellOfTheMatrixFiltersTheGridAndASecondClickTakesItBack) {
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

TEST_F(PredictPageTest, TheMatrixIsReachableByKeyboard) {
  open();
  ConfusionMatrix& matrix = page->matrix();
  key(matrix, Qt::Key_Right);
  key(matrix, Qt::Key_Return);
  EXPECT_EQ(page->grid().cell(), (GridModel::Cell{0, 1}));
  key(matrix, Qt::Key_Down);
  EXPECT_TRUE(matrix.accessibleDescription().contains(QStringLiteral("True 1, read as 1"))) << matrix.accessibleDescription().toStdString();
  key(matrix, Qt::Key_Escape);
  EXPECT_FALSE(page->grid().cell().has_value());
}

TEST_F(PredictPageTest, WithoutImageLayersPixelsAreExplainedForTheClassThatIsChosen) {
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
  EXPECT_FALSE(asked.contains("layer"));
}

TEST_F(PredictPageTest, WhatCannotBeExplainedSaysWhyAndAnotherWayCanBeChosen) {
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

TEST(Overlays, AreDrawnFromWhatTheHelperSays) {
  const std::vector<float> floats{-1, 0, 2, 4, 1, 0};
  std::vector<std::uint8_t> bytes(floats.size() * sizeof(float));
  std::memcpy(bytes.data(), floats.data(), bytes.size());
  const QImage heat = support_of(Json{{"height", 2}, {"width", 3}}, bytes);
  ASSERT_EQ(heat.size(), QSize(3, 2));
  EXPECT_EQ(heat.constScanLine(0)[0], 0) << "what speaks against the class is dark";
  EXPECT_EQ(heat.constScanLine(0)[2], 128);
  EXPECT_EQ(heat.constScanLine(1)[0], 255);
  for (const Json& lie : {Json{{"height", 3}, {"width", 3}}, Json{{"height", -2}, {"width", -3}}, Json{{"height", "2"}, {"width", 3}}, Json::object()})
    EXPECT_TRUE(support_of(lie, bytes).isNull()) << lie.dump();
  QImage image(2, 2, QImage::Format_RGB32);
  image.fill(Qt::white);
  EXPECT_NE(over_image(image, heat, 8), over_image(image, heat, 8, 0));
  EXPECT_EQ(over_image(image, heat, 8, 0).pixelColor(4, 4), QColor(Qt::white));
}

TEST_F(PredictPageTest, AStrokeOnThePadAsksForItsClassesWithWhiteInkOnBlack) {
  open();
  DrawingPad& pad = page->tryPanel().pad();
  const auto before = helper.requests("predict").size();
  mouse(pad, QEvent::MouseButtonPress, {40, 40});
  for (int i = 0; i < 30; ++i) mouse(pad, QEvent::MouseMove, QPointF(40 + 2 * i, 40 + 3 * i));
  mouse(pad, QEvent::MouseButtonRelease, {100, 130});
  ASSERT_TRUE(eventually([&] { return page->tryPanel().bars().rows().size() == 10 && page->tryPanel().bars().rows()[4].predicted; }));
  const auto asked = helper.requests("predict");
  ASSERT_GT(asked.size(), before);
  EXPECT_EQ(asked.back()["height"], 28);
  EXPECT_EQ(asked.back()["width"], 28);
  EXPECT_EQ(asked.back()["channels"], 1);
  EXPECT_FLOAT_EQ(page->tryPanel().bars().rows()[4].share, 0.75f);
}

TEST_F(PredictPageTest, WhileOneDrawingIsAskedOnlyTheNewestOfTheOthersFollows) {
  open();
  ASSERT_TRUE(eventually([&] { return !helper.requests("predict").empty(); }));  // the chosen image's own
  QCoreApplication::processEvents();
  const auto before = helper.requests("predict").size();
  DrawingPad& pad = page->tryPanel().pad();
  mouse(pad, QEvent::MouseButtonPress, {30, 30});
  for (int i = 0; i < 200; ++i) mouse(pad, QEvent::MouseMove, QPointF(30 + i / 2.0, 60));   // no event loop in between
  mouse(pad, QEvent::MouseButtonRelease, {130, 60});
  ASSERT_TRUE(eventually([&] { return helper.requests("predict").size() >= before + 2; }));
  ASSERT_TRUE(eventually([&] { return page->tryPanel().bars().rows()[4].predicted; }));
  EXPECT_EQ(helper.requests("predict").size(), before + 2) << "the first and the newest, not 200";
}

TEST_F(PredictPageTest, ADroppedImageIsPredictedAsAFile) {
  open();
  const QString picture = QDir::temp().filePath(QStringLiteral("nw-predict-page-test.png"));
  ASSERT_TRUE(QImage(4, 4, QImage::Format_RGB32).save(picture));
  page->openPaths({picture});
  ASSERT_TRUE(eventually([&] { return !helper.requests("predict_file").empty(); }));
  EXPECT_EQ(helper.requests("predict_file")[0]["path"], picture.toStdString());
  ASSERT_TRUE(eventually([&] { return page->tryPanel().bars().rows()[4].share > 0.89f; }));
  QFile::remove(picture);
}

TEST_F(PredictPageTest, AFolderOfOwnImagesTakesTheClassesFromTheNamesOfItsFolders) {
  open();
  const QDir folder(QDir::temp().filePath(QStringLiteral("nw-predict-page-folder")));
  for (const char* name : {"4", "9"}) {
    ASSERT_TRUE(folder.mkpath(QLatin1String(name)));
    ASSERT_TRUE(QImage(4, 4, QImage::Format_RGB32).save(folder.filePath(QLatin1String(name) + QStringLiteral("/a.png"))));
  }
  page->openPaths({folder.path()});
  ASSERT_TRUE(eventually([&] { return page->source().view() && page->source().view()->samples.size() == 2; }));
  const auto view = page->source().view();
  EXPECT_DOUBLE_EQ(view->accuracy, 0.5);       // both are read as 4
  EXPECT_EQ(view->at(9, 4), 1);
  QDir(folder).removeRecursively();
}

TEST_F(PredictPageTest, WithoutAnyRunItSaysWhatWouldBeHere) {
  session = std::make_unique<Session>();
  page = std::make_unique<PredictPage>(*session);
  EXPECT_TRUE(page->header().isHidden());
  EXPECT_TRUE(helper.requests().empty());
}

TEST(DrawingPad, PutsTheDrawingIntoTheMiddleAsMnistDoes) {
  DrawingPad pad;
  pad.resize(200, 200);
  pad.setInputSize(28, 28);
  EXPECT_TRUE(pad.isEmpty());
  mouse(pad, QEvent::MouseButtonPress, {10, 10});       // a small mark in a corner
  mouse(pad, QEvent::MouseMove, {10, 40});
  mouse(pad, QEvent::MouseButtonRelease, {10, 40});
  const QImage input = pad.input();
  ASSERT_EQ(input.size(), QSize(28, 28));
  ASSERT_EQ(input.format(), QImage::Format_Grayscale8);
  double sum = 0, sx = 0, sy = 0;
  int top = 28, bottom = -1;
  for (int y = 0; y < 28; ++y)
    for (int x = 0; x < 28; ++x)
      if (const int v = input.constScanLine(y)[x]; v > 0) { sum += v; sx += v * (x + 0.5); sy += v * (y + 0.5); top = std::min(top, y); bottom = std::max(bottom, y); }
  ASSERT_GT(sum, 0);
  EXPECT_NEAR(sx / sum, 14, 1);
  EXPECT_NEAR(sy / sum, 14, 1);
  EXPECT_EQ(bottom - top + 1, 20) << "twenty of twenty-eight pixels high";
}

TEST(DrawingPad, TakesStrokesBackOneByOne) {
  DrawingPad pad;
  pad.resize(200, 200);
  int changes = 0;
  QObject::connect(&pad, &DrawingPad::changed, [&] { ++changes; });
  click(pad, {50, 50});
  click(pad, {90, 90});
  EXPECT_EQ(pad.strokes(), 2);
  pad.undo();
  EXPECT_EQ(pad.strokes(), 1);
  key(pad, Qt::Key_Delete);
  EXPECT_TRUE(pad.isEmpty());
  EXPECT_EQ(changes, 4);
  pad.clear();
  EXPECT_EQ(changes, 4) << "nothing to clear, nothing to say";
}

}  // namespace
}  // namespace nw::ui
