// SPDX-License-Identifier: GPL-3.0-or-later
// The appearance of the canvas: node states, routes, levels of detail.
#include <QElapsedTimer>
#include <QPainter>

#include "tests/ui/canvas/bench.hpp"
#include "ui/canvas/edits/fit.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/scene/connection_route.hpp"
#include "ui/canvas/scene/frame_item.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

using CanvasRendering = CanvasTest;

TEST_F(CanvasRendering, TheKeySettingsOfALayerInShort) {
  open("lenet5");
  const NodeText& conv = scene().elements().node(find("conv1"))->look();
  EXPECT_EQ(conv.settings, QStringLiteral("6 filters · 5×5 · pad 2"));
  EXPECT_EQ(conv.count, QStringLiteral("156"));
  EXPECT_EQ(conv.state, NodeState::fine);
  EXPECT_FALSE(conv.compact);
  EXPECT_TRUE(scene().elements().node(find("relu1"))->look().compact);
  EXPECT_EQ(scene().elements().node(find("images"))->look().settings, QStringLiteral("28 × 28, grey"));
  EXPECT_EQ(scene().elements().node(find("fc1"))->look().settings, QStringLiteral("120 units"));
}

TEST_F(CanvasRendering, TheShapeOnEachConnection) {
  open("lenet5");
  const ConnectionItem* wire = scene().elements().connection({find("conv1"), 0, find("relu1"), 0});
  ASSERT_NE(wire, nullptr);
  EXPECT_EQ(wire->label(), QStringLiteral("6×28×28"));
}

TEST_F(CanvasRendering, AnErrorWithItsFixesOnTheNode) {
  open("lenet5");
  const NodeId fc = find("fc1");
  session.push(remove_nodes(session.doc(), "", {find("flatten")}, true), QStringLiteral("Delete"));
  analysed();
  const NodeText& look = scene().elements().node(fc)->look();
  EXPECT_EQ(look.state, NodeState::error);
  EXPECT_EQ(look.count, QStringLiteral("?"));
  EXPECT_FALSE(look.problem.isEmpty());
  EXPECT_GE(look.fixes.size(), 1);
  EXPECT_FALSE(scene().elements().node(fc)->partRect(NodeItem::Part::fix).isEmpty());
  EXPECT_GT(scene().elements().node(fc)->outline().height(), 100);
}

TEST_F(CanvasRendering, EveryNodeBesideAnErrorStripAndBackWhereItWasOnceFixed) {
  open("lenet5");
  std::map<NodeId, QPointF> before;
  for (const auto& [id, item] : scene().elements().nodes()) before[id] = item->pos();
  const NodeId fc = find("fc1"), relu = find("relu3");
  session.push(remove_nodes(session.doc(), "", {find("flatten")}, true), QStringLiteral("Delete"));
  analysed();
  EXPECT_GT(scene().elements().node(relu)->pos().y(), before[relu].y());
  for (const auto& [a, first] : scene().elements().nodes())
    for (const auto& [b, second] : scene().elements().nodes())
      EXPECT_FALSE(a < b && first->outline().intersects(second->outline())) << a << " and " << b;
  ItemId frame = 0;
  for (const auto& [id, item] : scene().elements().frames())
    if (item->outline().contains(scene().elements().node(fc)->pos())) frame = id;
  ASSERT_NE(frame, 0);
  EXPECT_TRUE(scene().elements().frame(frame)->outline().contains(scene().elements().node(find("loss"))->outline()));
  session.undoStack().undo();
  analysed();
  for (const auto& [id, item] : scene().elements().nodes()) EXPECT_EQ(item->pos(), before[id]);
}

TEST_F(CanvasRendering, BlocksWithTheirRepeat) {
  open("resnet18-cifar");
  const NodeText& look = scene().elements().node(find("layer1"))->look();
  EXPECT_TRUE(look.block);
  EXPECT_EQ(look.title, QStringLiteral("BasicBlock"));
  EXPECT_EQ(look.repeat, 2);
}

TEST_F(CanvasRendering, EveryUndoAndRedoOfTheDocument) {
  open("lenet5");
  const NodeId conv = find("conv2");
  session.push(remove_nodes(session.doc(), "", {conv}, true), QStringLiteral("Delete"));
  EXPECT_EQ(scene().elements().node(conv), nullptr);
  session.undoStack().undo();
  ASSERT_NE(scene().elements().node(conv), nullptr);
  EXPECT_EQ(scene().elements().nodes().size(), graph().nodes.size());
  for (const Connection& c : graph().connections) EXPECT_NE(scene().elements().connection(c), nullptr);
}

TEST_F(CanvasRendering, SomethingAtEveryZoomInBothThemes) {
  open("resnet18-cifar");
  for (const ThemeMode mode : {ThemeMode::dark, ThemeMode::light}) {
    applyTheme(mode);
    for (const double zoom : {4.0, 1.0, 0.7, 0.5, 0.3, 0.15, 0.1}) {
      view().camera().setZoom(zoom, QPointF(600, 450));
      view().centerOn(scene().elements().contentRect().center());
      const QImage image = view().grab().toImage();
      QSet<QRgb> colours;
      for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2) colours.insert(image.pixel(x, y));
      EXPECT_GT(colours.size(), 4) << zoom;
    }
  }
}

TEST_F(CanvasRendering, AThousandNodesInAHandfulOfPaintCalls) {
  Edit edit;
  GraphDoc doc;
  NodeId before = 0;
  for (int i = 0; i < 1000; ++i) {
    NodeId id = doc.next_id();
    Edit step{PutNode{
        "", id,
        Node{.type = "Conv2d", .name = "conv" + std::to_string(i), .position = {300.0 * (i % 40), 110.0 * (i / 40)}}}};
    if (before && i % 40) step.push_back(PutConnection{"", {before, 0, id, 0}, true});
    ASSERT_TRUE(doc.apply(step));
    before = id;
  }
  session.replace(std::move(doc), {}, QStringLiteral("large"));
  EXPECT_EQ(scene().elements().nodes().size(), 1000u);
  view().camera().fitAll();
  EXPECT_FALSE(view().grab().isNull());
  // Only visible items are painted: at 100 % that is a small part of the scene.
  view().camera().setZoom(1, QPointF(0, 0));
  const auto seen = scene().items(view().mapToScene(port()->rect()).boundingRect(), Qt::IntersectsItemBoundingRect);
  EXPECT_LT(seen.size(), 200);
}

TEST(Routes, GoStraightDownWithoutAnObstacle) {
  const QVector<QPointF> route = routeConnection({{0, 0}, Side::bottom, {}}, {{0, 100}, Side::top, {}}, {});
  EXPECT_EQ(route.size(), 2);
}

TEST(Routes, GoAroundANodeInTheWay) {
  const QRectF card(-130, 40, 260, 60);
  const QVector<QPointF> route = routeConnection({{0, 0}, Side::bottom, {-130, -60, 260, 60}},
                                                 {{0, 200}, Side::top, {-130, 200, 260, 60}}, {card});
  for (int i = 1; i < route.size(); ++i)
    EXPECT_FALSE(QRectF(route[i - 1], route[i]).normalized().adjusted(-1, -1, 1, 1).intersects(card));
}

TEST(Routes, ClimbBetweenTwoColumns) {
  const QVector<QPointF> route =
      routeConnection({{0, 500}, Side::bottom, {-130, 440, 260, 60}}, {{328, 0}, Side::top, {198, 0, 260, 60}}, {});
  ASSERT_EQ(route.size(), 6);
  EXPECT_DOUBLE_EQ(route[2].x(), 164);
}

TEST_F(CanvasRendering, FittingPortsDuringAConnection) {
  open("lenet5");
  EXPECT_EQ(fitOf(scene(), Connection{find("conv1"), 0, find("pool1"), 0}).answer, Fit::Answer::fits);
  const Fit wrong = fitOf(scene(), Connection{find("conv1"), 0, find("fc1"), 0});
  EXPECT_EQ(wrong.answer, Fit::Answer::wrong);
  EXPECT_FALSE(wrong.why.isEmpty());
  EXPECT_EQ(fitOf(scene(), Connection{find("fc1"), 0, find("conv1"), 0}).answer, Fit::Answer::impossible);
}

TEST_F(CanvasRendering, FixesPlacedBetweenTheirNeighbors) {
  open("lenet5");
  session.push(remove_nodes(session.doc(), "", {find("flatten")}, true), QStringLiteral("Delete"));
  analysed();
  const Problem* problem = nullptr;
  for (const Problem& p : session.analysis().problems)
    if (!p.fixes.empty() && p.severity == Severity::error) problem = &p;
  ASSERT_NE(problem, nullptr);
  const Edit placed = withPlaces(session.doc(), problem->fixes[0].edit);
  ASSERT_TRUE(session.push(placed, QStringLiteral("Fix")));
  analysed();
  for (const auto& [a, first] : scene().elements().nodes())
    for (const auto& [b, second] : scene().elements().nodes())
      if (a < b) {
        EXPECT_FALSE(first->outline().intersects(second->outline()))
            << scene().graph().nodes.at(a).name << " and " << scene().graph().nodes.at(b).name;
      }
}

}  // namespace
}  // namespace nw::ui
