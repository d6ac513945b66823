// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs on the nodes, the heat overlay, and the preview of a quick fix.
#include <QTemporaryDir>
#include <algorithm>
#include <fstream>

#include "engine/design/graph_diff.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/ui/canvas/bench.hpp"
#include "ui/canvas/overlays/heatmap.hpp"
#include "ui/session/run_controller.hpp"

namespace nw::ui {
namespace {

class PicturesTest : public CanvasTest {
 protected:
  PicturesTest() { session.run().setRunsFolder(folder.filePath(QStringLiteral("runs"))); }
  void openSmall() {
    GraphDoc doc = find_template("lenet5")->make();
    DataChoice data = doc.data();
    data.kind = SourceKind::synthetic;
    data.synthetic_train = 100;
    data.synthetic_test = 20;
    ASSERT_TRUE(doc.apply({PutData{data}}));
    session.replace(doc, {}, QStringLiteral("lenet5"));
    analysed();
    QCoreApplication::processEvents();
  }
  NodeOutputs& outputs() { return canvas.outputs(); }
  void settled() {
    QCoreApplication::processEvents();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.analysisCurrent() && outputs().settled(); }, 30000))
        << outputs().error().toStdString();
  }
  QTemporaryDir folder;
};

TEST_F(PicturesTest, EveryLayerShowsItsOutputForASample) {
  openSmall();
  outputs().setOn(true);
  settled();
  ASSERT_TRUE(outputs().error().isEmpty()) << outputs().error().toStdString();
  for (const char* name : {"conv1", "relu1", "pool1", "fc1"}) {
    const QImage* picture = scene().display().output(find(name));
    ASSERT_NE(picture, nullptr) << name;
    EXPECT_FALSE(picture->isNull());
  }
  EXPECT_GT(outputs().of(find("conv1"))->deviation, 0);
  EXPECT_EQ(outputs().of(find("relu1"))->least, 0) << "a ReLU cuts at zero";
  outputs().setOn(false);
  QCoreApplication::processEvents();
  EXPECT_EQ(scene().display().output(find("conv1")), nullptr);
}

TEST_F(PicturesTest, OnlyLayersAfterAChangeAreRequestedAgain) {
  openSmall();
  outputs().setOn(true);
  settled();
  const int before = outputs().asked();
  session.push(move_nodes(session.doc(), "", {{find("conv1"), {300, 300}}}), QStringLiteral("Move"));
  settled();
  EXPECT_EQ(outputs().asked(), before) << "a place changes nothing";
  session.push(set_attr(session.doc(), "", find("fc3"), "bias", false), QStringLiteral("Bias"));
  settled();
  EXPECT_GT(outputs().asked(), before);
  EXPECT_LE(outputs().asked() - before, 2) << "the last layer and the loss";
}

TEST_F(PicturesTest, TheKeyShowsTheSelectedLayerAlone) {
  openSmall();
  scene().selection().setCurrent(find("conv2"));
  key(Qt::Key_O);
  settled();
  EXPECT_NE(scene().display().output(find("conv2")), nullptr);
  EXPECT_EQ(scene().display().output(find("conv1")), nullptr);
  key(Qt::Key_O);
  settled();
  EXPECT_EQ(scene().display().output(find("conv2")), nullptr);
}

TEST_F(PicturesTest, HashesFollowTheConnections) {
  GraphDoc doc = find_template("lenet5")->make();
  const auto id = [&](const char* name) {
    for (const auto& [node, n] : doc.graph().nodes)
      if (n.name == name) return node;
    return NodeId{0};
  };
  const auto before = outputHashes(doc, "", 1);
  ASSERT_TRUE(doc.apply(set_attr(doc, "", id("conv2"), "out_channels", std::int64_t{3})));
  const auto after = outputHashes(doc, "", 1), elsewhere = outputHashes(doc, "", 2);
  EXPECT_EQ(before.at(id("pool1")), after.at(id("pool1")));
  EXPECT_NE(before.at(id("conv2")), after.at(id("conv2")));
  EXPECT_NE(before.at(id("fc1")), after.at(id("fc1")));
  EXPECT_NE(after.at(id("pool1")), elsewhere.at(id("pool1"))) << "other data, another picture";
}

TEST_F(PicturesTest, HeatmapByMemoryNamesTheBytesOfABatch) {
  open("lenet5");
  canvas.heat().setBy(HeatmapQuantity::memory);
  const NodeId conv1 = find("conv1");
  ASSERT_TRUE(canvas.heat().value(conv1));
  EXPECT_EQ(*canvas.heat().value(conv1),
            static_cast<double>(scene().facts(conv1)->activation_bytes * session.doc().settings().batch));
  ASSERT_NE(scene().display().heat(conv1), nullptr);
  EXPECT_GT(scene().display().heat(conv1)->share, scene().display().heat(find("fc3"))->share);
  canvas.heat().setBy(HeatmapQuantity::none);
  EXPECT_EQ(scene().display().heat(conv1), nullptr);
}

TEST_F(PicturesTest, TheLegendOfTheHeatmapCoversNoNode) {
  open("lenet5");
  canvas.heat().setBy(HeatmapQuantity::memory);
  const auto covered = [&] {
    const std::vector<QRect> cards = canvas.shownNodes();
    return std::any_of(cards.begin(), cards.end(),
                       [&](const QRect& r) { return r.intersects(canvas.heat().geometry()); });
  };
  const QRectF all = scene().elements().contentRect();
  for (const double zoom : {0.3, 0.7, 1.0, 1.6, 3.0, 4.0})
    for (const double down : {0.0, 0.2, 0.5, 0.8, 1.0}) {
      view().camera().setZoom(zoom, QPointF(0, 0));
      view().centerOn(all.center().x() + 150 / zoom, all.top() + down * all.height());
      Q_EMIT view().camera().moved();
      EXPECT_TRUE(canvas.rect().contains(canvas.heat().geometry()));
      EXPECT_EQ(covered(), canvas.heat().faded()) << zoom << " " << down;
      EXPECT_FALSE(zoom <= 1 && canvas.heat().faded())
          << zoom << " " << down << ": columns of cards leave some place free";
    }
  const QRect corner = canvas.heat().geometry();  // a node will cover this corner
  for (int i = 0; i < 400; ++i)
    add("ReLU", ("wall" + std::to_string(i)).c_str(), QPointF(i % 20 * 220 - 2200, i / 20 * 90 - 900));
  view().camera().setZoom(1, QPointF(0, 0));
  view().centerOn(0, 0);
  Q_EMIT view().camera().moved();
  EXPECT_TRUE(canvas.heat().faded()) << "cards everywhere: it lets them through";
  EXPECT_TRUE(canvas.rect().contains(corner));
}

TEST_F(PicturesTest, HeatmapByTimeShowsTheProfileOfTheLastRunOrReportsItsAbsence) {
  open("lenet5");
  canvas.heat().setBy(HeatmapQuantity::time);
  ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.heat().sentence().contains(QStringLiteral("--profile")); }, 10000));
  RunDefinition run{.name = "lenet5", .doc = session.doc()};
  const auto made = create_run_folder(folder.filePath(QStringLiteral("runs")).toStdString(), run);
  ASSERT_TRUE(made);
  std::ofstream(*made / "profile.json")
      << R"({"schema":1,"layers":[{"layer":"conv1","forward_s":0.001,"backward_s":0.002,"update_s":0.0005,"kernels":[]},{"layer":"fc1","forward_s":0.007,"kernels":[]}]})";
  canvas.heat().setBy(HeatmapQuantity::time);
  ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.heat().value(find("conv1")).has_value(); }, 10000));
  EXPECT_DOUBLE_EQ(*canvas.heat().value(find("conv1")), 0.0035);
  EXPECT_DOUBLE_EQ(scene().display().heat(find("fc1"))->share, 1);
  EXPECT_TRUE(canvas.heat().sentence().isEmpty());
}

TEST_F(PicturesTest, HeatmapByGradientsAndUpdatesShowsTheLastRecordOfTheLastRun) {
  open("lenet5");
  canvas.heat().setBy(HeatmapQuantity::gradients);
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return canvas.heat().sentence().contains(QStringLiteral("end of each epoch")); }, 10000));
  EXPECT_EQ(scene().display().heat(find("conv1")), nullptr);
  RunDefinition run{.name = "lenet5", .doc = session.doc()};
  const auto made = create_run_folder(folder.filePath(QStringLiteral("runs")).toStdString(), run);
  ASSERT_TRUE(made);
  const auto layer = [](const char* name, double gradient, double ratio) {
    LayerState l{.layer = name, .update_ratio = ratio};
    l.weights = l.gradients = {.count = 4, .norm = gradient, .bins = std::vector<std::int64_t>(histogram_bins)};
    return l;
  };
  const Event first{1, LayerStatistics{.step = 1, .layers = {layer("conv1", 9, 9)}}};
  const Event last{2, LayerStatistics{.step = 1234, .layers = {layer("conv1", 0.5, 0.004), layer("fc1", 2, 0.001)}}};
  std::ofstream(*made / statistics_file) << event_line(first) << "\n" << event_line(last) << "\n{\"torn";
  canvas.heat().setBy(HeatmapQuantity::gradients);
  ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.heat().value(find("conv1")).has_value(); }, 10000));
  EXPECT_DOUBLE_EQ(*canvas.heat().value(find("conv1")), 0.5);
  EXPECT_DOUBLE_EQ(scene().display().heat(find("conv1"))->share, 0.25);
  EXPECT_DOUBLE_EQ(scene().display().heat(find("fc1"))->share, 1);
  EXPECT_EQ(scene().display().heat(find("fc1"))->text, QStringLiteral("2"));
  EXPECT_EQ(scene().display().heat(find("relu1")), nullptr) << "it has no weights";
  canvas.heat().setBy(HeatmapQuantity::updates);
  ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.heat().value(find("conv1")).has_value(); }, 10000));
  EXPECT_DOUBLE_EQ(*canvas.heat().value(find("conv1")), 0.004);
  EXPECT_DOUBLE_EQ(scene().display().heat(find("fc1"))->share, 0.25);
}

TEST_F(PicturesTest, TheGradientOfABlockCombinesThoseOfItsLayers) {
  LayerState a{.layer = "layer1.0.conv1", .update_ratio = 0.1}, b{.layer = "layer1.1.conv1", .update_ratio = 0.2},
      other{.layer = "layer10.conv1"};
  a.gradients = a.weights = {.count = 1, .norm = 3};
  b.gradients = b.weights = {.count = 1, .norm = 4};
  other.gradients = {.count = 1, .norm = 100};
  const LayerStatistics s{.step = 1, .layers = {a, b, other}};
  EXPECT_DOUBLE_EQ(*gradientNorm(s, "layer1", true), 5);
  EXPECT_DOUBLE_EQ(*updateRatio(s, "layer1", true), std::sqrt(0.09 + 0.64) / 5);
  EXPECT_FALSE(gradientNorm(s, "layer1", false));
  EXPECT_DOUBLE_EQ(*gradientNorm(s, "layer1.1.conv1", false), 4);
}

TEST_F(PicturesTest, HeatmapByZerosIsMeasuredWithoutShowingImages) {
  openSmall();
  canvas.heat().setBy(HeatmapQuantity::zeros);
  ASSERT_TRUE(QTest::qWaitFor([&] { return canvas.heat().value(find("relu1")).has_value(); }, 30000))
      << outputs().error().toStdString();
  EXPECT_GT(*canvas.heat().value(find("relu1")), 0.1);
  EXPECT_EQ(scene().display().output(find("relu1")), nullptr);
}

TEST_F(PicturesTest, AQuickFixUnderTheMouseShowsTheLayerItWouldInsert) {
  open("lenet5");
  NodeId flatten = 0;
  for (const auto& [id, node] : graph().nodes)
    if (node.type == "Flatten") flatten = id;
  session.push(remove_nodes(session.doc(), "", {flatten}, true), QStringLiteral("Delete"));
  analysed();
  QCoreApplication::processEvents();
  NodeId broken = 0;
  for (const auto& [id, item] : scene().elements().nodes())
    if (item->look().state == NodeState::error && !item->look().fixes.isEmpty()) broken = id;
  ASSERT_NE(broken, 0);
  view().camera().setZoom(1, QPointF(0, 0));
  view().centerOn(scene().elements().node(broken)->pos());
  const std::string before = text();
  move(fixPosition(view(), broken), {}, Qt::NoButton);
  ASSERT_TRUE(scene().ghost());
  ASSERT_EQ(scene().ghost()->cards.size(), 1);
  EXPECT_EQ(scene().ghost()->cards[0].title, QStringLiteral("Flatten"));
  EXPECT_EQ(scene().ghost()->wires.size(), 2);
  EXPECT_EQ(scene().ghost()->gone.size(), 1);
  EXPECT_EQ(text(), before) << "a preview changes nothing";
  move(fixPosition(view(), broken) + QPoint(0, -400), {}, Qt::NoButton);
  EXPECT_FALSE(scene().ghost());
  const int steps = session.undoStack().count();
  click(fixPosition(view(), broken));
  EXPECT_EQ(session.undoStack().count(), steps + 1);
  expectUndoable(before);
}

TEST_F(PicturesTest, AQuickFixOfASettingShowsBothValues) {
  openSmall();
  const auto ghost =
      editPreviewOf(scene(), set_attr(session.doc(), "", find("conv1"), "padding", std::vector<std::int64_t>{0, 0}));
  ASSERT_TRUE(ghost);
  ASSERT_EQ(ghost->changes.size(), 1);
  EXPECT_EQ(ghost->changes[0].text, QStringLiteral("padding: 2×2 → 0×0"));
}

}  // namespace
}  // namespace nw::ui
