// SPDX-License-Identifier: GPL-3.0-or-later
// The low-detail view caches its picture from frame to frame: after any change, the picture must equal a newly
// painted one.
#include "ui/canvas/view/low_detail_view.hpp"
#include "tests/ui/canvas/bench.hpp"
#include "ui/canvas/scene/node_geometry.hpp"
#include "ui/canvas/scene/node_grid.hpp"
#include "ui/canvas/scene/paint_cache.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

class LowDetailView : public CanvasTest, public testing::WithParamInterface<double> {
 protected:
  LowDetailView() {
    applyTheme(ThemeMode::dark);
    open("lenet5");
    isLowDetail();
  }
  ~LowDetailView() override { applyTheme(ThemeMode::dark); }
  void isLowDetail() {
    view().camera().setZoom(GetParam(), QPointF(600, 450));
    view().centerOn(scene().elements().contentRect().center());
    QCoreApplication::processEvents();
  }
  QImage kept() { return view().grab().toImage(); }
  QImage anew() {
    view().lowDetailCache().change({});
    return kept();
  }
  /// Makes a visible change, and expects that the cached picture changes and equals a newly painted one.
  void expectSeen(const char* what, const std::function<void()>& happens) {
    const QImage before = kept();
    happens();
    const QImage after = kept();
    EXPECT_NE(after, before) << what << " is not seen";
    EXPECT_EQ(after, anew()) << what;
  }
};

INSTANTIATE_TEST_SUITE_P(Zooms, LowDetailView, testing::Values(0.33, 0.15),
                         [](const auto& zoom) { return zoom.param > 0.2 ? "Cards" : "Blocks"; });

TEST_P(LowDetailView, RepaintsAfterEveryEdit) {
  const NodeId conv = find("conv1"), fc = find("fc1");
  expectSeen("a move", [&] {
    session.push(move_nodes(session.doc(), "", {{conv, {-400, 30}}}), QStringLiteral("Move"));
  });
  expectSeen("a bypass", [&] {
    Node node = graph().nodes.at(fc);
    node.bypassed = true;
    session.push({PutNode{"", fc, node}}, QStringLiteral("Bypass"));
  });
  expectSeen("a problem", [&] {
    session.push(remove_nodes(session.doc(), "", {find("flatten")}, true), QStringLiteral("Delete"));
    analysed();
  });
  expectSeen("a new layer", [&] { add("Dropout", "late", {-420, 300}); });
  expectSeen("a connection", [&] { wire(conv, find("late")); });
  expectSeen("a frame", [&] {
    session.push({PutFrame{"", session.doc().next_id(), Frame{"Extra", {-700, 200, 400, 300}}}},
                 QStringLiteral("Frame"));
  });
  expectSeen("a note", [&] {
    session.push({PutNote{"", session.doc().next_id(), Note{"Look", {-700, 560, 300, 100}}}}, QStringLiteral("Note"));
  });
  for (int i = 0; i < 4; ++i) expectSeen("an undo", [&] { session.undoStack().undo(); });
}

TEST_P(LowDetailView, ShowsSelectionAndHover) {
  const NodeId conv = find("conv1"), relu = find("relu1");
  expectSeen("a selection", [&] { scene().selection().selectOnly({conv}); });
  expectSeen("another one", [&] { scene().selection().selectOnly({conv, relu}); });
  expectSeen("all of it", [&] {
    QTest::keyClick(&view(), Qt::Key_A, Qt::ControlModifier);
    scene().selection().choose([](const QGraphicsItem&) { return true; });
  });
  expectSeen("none", [&] { scene().clearSelection(); });
  expectSeen("a connection", [&] { scene().elements().connection({conv, 0, relu, 0})->setSelected(true); });
  expectSeen("a connection that is about to be cut", [&] {
    scene().elements().connection({conv, 0, relu, 0})->setCut(true);
  });
  expectSeen("a pale one", [&] { scene().elements().connection({conv, 0, relu, 0})->setOpacity(0.25); });
  expectSeen("a card that is lifted", [&] {
    scene().elements().node(conv)->setEditPreview(true);
    scene().elements().node(conv)->setPos(-500, 100);
    scene().elements().reroute({conv});
  });
  expectSeen("ports that fit", [&] { scene().elements().node(relu)->setHints(false, {PortHint::fits}); });
  expectSeen("no ports", [&] { scene().elements().node(relu)->clearHints(); });
  if (GetParam() > card::blocksBelow) expectSeen("the mouse", [&] { scene().elements().node(relu)->setHovered(true); });
}

TEST_P(LowDetailView, ShowsHeatmapThemesAndBlocks) {
  expectSeen("heat", [&] {
    std::map<NodeId, HeatmapValue> heat;
    for (const auto& [id, item] : scene().elements().nodes())
      heat[id] = {static_cast<double>(id % 5) / 4, QStringLiteral("1")};
    scene().display().setHeatmap(heat);
  });
  expectSeen("no heat", [&] { scene().display().setHeatmap({}); });
  expectSeen("light", [&] { applyTheme(ThemeMode::light); });
  expectSeen("high contrast", [&] { applyTheme(ThemeMode::contrast); });
  expectSeen("another network", [&] {
    open("resnet18-cifar");
    isLowDetail();
  });
  expectSeen("a block from inside", [&] {
    scene().setScope("BasicBlock");
    isLowDetail();
  });
}

TEST_P(LowDetailView, PanRepaintsOnlyTheNewlyVisibleArea) {
  kept();
  EXPECT_EQ(kept(), anew());
  kept();
  EXPECT_EQ(view().lowDetailCache().painted(), 0) << "nothing changed";
  for (const QPointF by : {QPointF(7, 5), QPointF(-31, 0), QPointF(0, 44), QPointF(60, -80), QPointF(-13, -9)}) {
    view().camera().scrollBy(by);
    const QImage shown = kept();
    EXPECT_GT(view().lowDetailCache().painted(), 0);
    EXPECT_LT(view().lowDetailCache().painted(), 0.2);
    EXPECT_EQ(shown, anew()) << by.x() << " " << by.y();
  }
  view().camera().scrollBy({5000, 0});
  EXPECT_EQ(kept(), anew());
}

TEST_P(LowDetailView, ChangeRepaintsOnlyTheAffectedArea) {
  kept();
  scene().elements().node(find("conv1"))->setHovered(true);
  kept();
  EXPECT_GT(view().lowDetailCache().painted(), 0);
  EXPECT_LT(view().lowDetailCache().painted(), 0.1);
}

using NearView = CanvasTest;

TEST_F(NearView, ReusesCachedRenderingsWhenPanning) {
  open("lenet5");
  view().camera().setZoom(0.5, QPointF(600, 450));
  view().centerOn(scene().elements().contentRect().center());
  const QImage first = view().grab().toImage();
  const qint64 made = cachedRenderings();
  EXPECT_EQ(view().grab().toImage(), first);
  view().camera().scrollBy({20, 10});
  view().grab();
  EXPECT_EQ(cachedRenderings(), made) << "a pan paints no card anew";
  scene().selection().selectOnly({find("conv1")});
  EXPECT_NE(view().grab().toImage(), first);
  EXPECT_GT(cachedRenderings(), made);
}

TEST_F(NearView, CachedRenderingsDependOnKeyAndTheme) {
  QImage image(40, 40, QImage::Format_RGB32);
  const auto painted = [&](const char* key, const QColor& colour, ThemeMode mode) {
    applyTheme(mode);
    QPainter p(&image);
    p.scale(2, 2);
    paintCached(p, QString::fromLatin1(key), {2, 2, 10, 10},
                [&](QPainter& q) { q.fillRect(QRectF(2, 2, 10, 10), colour); });
    p.end();
    return QColor(image.pixel(10, 10));
  };
  EXPECT_EQ(painted("test/a", Qt::red, ThemeMode::dark), QColor(Qt::red));
  EXPECT_EQ(painted("test/a", Qt::green, ThemeMode::dark), QColor(Qt::red)) << "a copy";
  EXPECT_EQ(painted("test/a", Qt::green, ThemeMode::light), QColor(Qt::green)) << "another theme";
  EXPECT_EQ(painted("test/b", Qt::blue, ThemeMode::dark), QColor(Qt::blue)) << "another key";
  applyTheme(ThemeMode::dark);
}

TEST_F(NearView, SelectionSignalsOnceAndHighlightsItsConnections) {
  open("lenet5");
  QSignalSpy updates(&scene(), &GraphScene::selectionUpdated);
  std::vector<NodeId> all;
  for (const auto& [id, item] : scene().elements().nodes()) all.push_back(id);
  scene().selection().selectOnly(all);
  EXPECT_EQ(updates.count(), 1);
  EXPECT_EQ(scene().selection().nodes().size(), all.size());
  for (const auto& [c, item] : scene().elements().connections()) EXPECT_EQ(item->colour(), theme().ring);
  scene().selection().selectOnly({find("conv1")});
  EXPECT_EQ(updates.count(), 2);
  EXPECT_EQ(scene().selection().current(), find("conv1"));
  for (const auto& [c, item] : scene().elements().connections())
    EXPECT_EQ(item->colour() == theme().ring, item->touches(find("conv1")));
}

TEST_F(NearView, ConnectionIsReroutedWhenANodeMoves) {
  add("Input", "in", {0, 0});
  const NodeId far = add("ReLU", "far", {0, 600}), card = add("Conv2d", "card", {900, 300});
  wire(find("in"), far);
  const auto straight = [&] { return scene().elements().connection({find("in"), 0, far, 0})->corners().size() == 2; };
  EXPECT_TRUE(straight());
  session.push(move_nodes(session.doc(), "", {{card, {0, 300}}}), QStringLiteral("Move"));
  EXPECT_FALSE(straight());
  session.push(move_nodes(session.doc(), "", {{card, {900, 300}}, {far, {0, 610}}}), QStringLiteral("Move"));
  EXPECT_TRUE(straight());
  session.push(move_nodes(session.doc(), "", {{card, {0, 300}}}), QStringLiteral("Move"));
  session.push(remove_nodes(session.doc(), "", {card}, false), QStringLiteral("Delete"));
  session.push(move_nodes(session.doc(), "", {{far, {0, 620}}}), QStringLiteral("Move"));
  EXPECT_TRUE(straight()) << "nothing stands there any more";
}

TEST_F(NearView, ToolStripHidesWhenItCoversAnEditPreview) {
  const QWidget* tools = canvas.findChild<QWidget*>(QStringLiteral("toolStrip"));
  ASSERT_TRUE(tools && tools->isVisible());
  const auto previewAt = [&](QPoint place) {
    const QPointF at = view().mapToScene(place);
    scene().preview(add_node(session.doc(), "", Node{.type = "Flatten", .name = "f", .position = {at.x(), at.y()}}));
  };
  previewAt({600, 200});
  EXPECT_TRUE(tools->isVisible());
  previewAt(tools->geometry().center());
  EXPECT_FALSE(tools->isVisible());
  scene().endPreview();
  EXPECT_TRUE(tools->isVisible());
  previewAt(tools->geometry().center());
  add("Flatten", "f", {0, 0});
  EXPECT_TRUE(tools->isVisible()) << "the repair is done";
}

TEST(NodeGrid, FindsNodesAtTheirCurrentPosition) {
  NodeGrid grid;
  grid.put(1, {0, 0, 260, 60});
  grid.put(2, {0, 100, 260, 60});
  EXPECT_EQ(grid.near({-10, -10, 300, 200}, 0, 0).size(), 2);
  EXPECT_EQ(grid.near({-10, -10, 300, 200}, 1, 0).size(), 1);
  grid.put(1, {5000, 0, 260, 60});
  EXPECT_EQ(grid.near({-10, -10, 300, 200}, 0, 0).size(), 1);
  EXPECT_EQ(grid.near({4990, -10, 300, 200}, 0, 0).size(), 1);
  grid.remove(2);
  grid.remove(2);
  EXPECT_TRUE(grid.near({-10, -10, 300, 200}, 0, 0).isEmpty());
}

TEST(Heatmap, TextContrastIsSufficientOnEveryFillColour) {
  for (const ThemeMode mode : {ThemeMode::dark, ThemeMode::light, ThemeMode::contrast}) {
    applyTheme(mode);
    const Theme& t = theme();
    const double least = t.highContrast ? 7 : 4.5;
    for (int step = 0; step <= 100; ++step) {
      const QColor ground = heatmapFill(t, step / 100.0);
      EXPECT_GE(contrastOf(t.text1, ground), least) << step << " of " << ground.name().toStdString();
      for (const QColor& ink : {t.text2, t.text3, t.warn})
        EXPECT_GE(contrastOf(inkOn(t, ground, ink), ground), least) << step << " of " << ground.name().toStdString();
    }
    EXPECT_GT(contrastOf(heatmapFill(t, 1), heatmapFill(t, 0)), 1.4) << "hot and cold can be distinguished";
  }
  applyTheme(ThemeMode::dark);
}

}  // namespace
}  // namespace nw::ui
