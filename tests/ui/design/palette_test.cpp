// SPDX-License-Identifier: GPL-3.0-or-later
// Adding layers from the palette: by drag, double click and search.
#include <QWindow>

#include "tests/support/canvas_positions.hpp"
#include "tests/ui/design/bench.hpp"
#include "ui/design/layer_rows.hpp"
#include "ui/design/tabbed_panel.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

class Palette : public DesignTest {
 protected:
  QWidget* rows() { return page.palette().viewport(); }
  /// Sends the events to the window, so that Qt itself selects the receiving widget.
  void dragOut(const char* layer, QPoint canvasPoint) {
    QWindow* window = page.window()->windowHandle();
    const QPoint from = rows()->mapTo(page.window(), page.palette().rowPosition(QLatin1String(layer)));
    const QPoint to = view().viewport()->mapTo(page.window(), canvasPoint);
    QTest::mousePress(window, Qt::LeftButton, {}, from);
    for (const double share : {0.2, 0.6, 1.0}) QTest::mouseMove(window, from + (to - from) * share);
    QTest::mouseRelease(window, Qt::LeftButton, {}, to);
  }
};

TEST_F(Palette, ALayerDraggedOntoTheCanvasLandsWhereItWasDropped) {
  const std::string before = text();
  dragOut("Conv2d", {300, 250});
  ASSERT_EQ(graph().nodes.size(), 1u);
  const auto& [id, node] = *graph().nodes.begin();
  EXPECT_EQ(node.type, "Conv2d");
  EXPECT_LT((nodePosition(view(), id) - QPoint(300, 250)).manhattanLength(), 4);
  EXPECT_EQ(scene().selection().current(), id);
  expectUndoable(before);
}

TEST_F(Palette, ALayerDroppedBesideTheCanvasIsNotAdded) {
  dragOut("Conv2d", {-100, 250});
  EXPECT_TRUE(graph().nodes.empty());
  EXPECT_EQ(page.window()->findChild<QWidget*>(QStringLiteral("draggedLayer")) == nullptr ||
                !page.window()->findChild<QWidget*>(QStringLiteral("draggedLayer"))->isVisible(),
            true);
}

TEST_F(Palette, EventsSentToTheWidgetsDragToo) {
  const QPoint from = page.palette().rowPosition(QStringLiteral("ReLU")),
               to = rows()->mapFromGlobal(view().viewport()->mapToGlobal(QPoint(200, 200)));
  const auto send = [&](QEvent::Type type, QPoint p, Qt::MouseButton button, Qt::MouseButtons held) {
    QMouseEvent event(type, p, rows()->mapToGlobal(p), button, held, {});
    QCoreApplication::sendEvent(rows(), &event);
  };
  send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
  send(QEvent::MouseMove, from + QPoint(40, 5), Qt::NoButton, Qt::LeftButton);
  send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
  send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
  ASSERT_EQ(graph().nodes.size(), 1u);
  EXPECT_EQ(graph().nodes.begin()->second.type, "ReLU");
}

TEST_F(Palette, DoubleClicksBuildAConnectedChain) {
  for (const char* layer : {"Input", "Conv2d", "ReLU", "MaxPool2d"}) {
    const QPoint row = page.palette().rowPosition(QLatin1String(layer));
    QTest::mouseDClick(rows(), Qt::LeftButton, {}, row);
  }
  EXPECT_EQ(graph().nodes.size(), 4u);
  EXPECT_EQ(graph().connections.size(), 3u);
  analysed();
  EXPECT_EQ(scene().elements().node(find("pool1"))->look().inputs, 1);
}

TEST_F(Palette, SlashSearchesAndEnterAdds) {
  view().setFocus();
  QTest::keyClick(&view(), Qt::Key_Slash);
  auto* search = child<QLineEdit>(QStringLiteral("paletteSearch"));
  EXPECT_TRUE(search->hasFocus());
  QTest::keyClicks(search, QStringLiteral("batch"));
  EXPECT_EQ(page.palette().rowPosition(QStringLiteral("Conv2d")), QPoint(-1, -1));
  EXPECT_NE(page.palette().rowPosition(QStringLiteral("BatchNorm2d")), QPoint(-1, -1));
  QTest::keyClick(search, Qt::Key_Return);
  ASSERT_EQ(graph().nodes.size(), 1u);
  EXPECT_EQ(graph().nodes.begin()->second.type, "BatchNorm2d");
}

TEST_F(Palette, EnterAddsTheBestMatchAndTheNextNameCanBeTypedAtOnce) {
  view().setFocus();
  QTest::keyClick(&view(), Qt::Key_Slash);
  auto* search = child<QLineEdit>(QStringLiteral("paletteSearch"));
  for (const char* layer : {"ReLU", "Linear"}) {
    QTest::keyClicks(search, QLatin1String(layer));
    QTest::keyClick(search, Qt::Key_Return);
  }
  EXPECT_NE(find("relu1"), 0) << "and not the LeakyReLU above it";
  EXPECT_NE(find("fc1"), 0);
  EXPECT_EQ(graph().connections.size(), 1u);
}

TEST_F(Palette, BlockInputsAndOutputsAreOfferedInsideBlocksOnly) {
  open("resnet18-cifar");
  EXPECT_EQ(page.palette().rowPosition(QStringLiteral("BlockInput")), QPoint(-1, -1));
  scene().setScope("BasicBlock");
  EXPECT_NE(page.palette().rowPosition(QStringLiteral("BlockInput")), QPoint(-1, -1));
  EXPECT_EQ(page.palette().rowPosition(QStringLiteral("Input")), QPoint(-1, -1));
}

TEST_F(Palette, TheOutlineListsAndSelects) {
  open("lenet5");
  child<TabbedPanel>(QStringLiteral("palettePanel"))->showPage(2);  // the outline is filled only while it is visible
  auto* outline = child<QTreeWidget>(QStringLiteral("outline"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return outline->topLevelItemCount() == static_cast<int>(graph().nodes.size()); }));
  EXPECT_EQ(outline->topLevelItem(0)->text(0), QStringLiteral("images"));
  outline->setCurrentItem(outline->topLevelItem(1));
  EXPECT_EQ(scene().selection().current(), find("conv1"));
  scene().selection().setCurrent(find("fc3"));
  ASSERT_EQ(outline->selectedItems().size(), 1);
  EXPECT_EQ(outline->selectedItems()[0]->text(0), QStringLiteral("fc3"));
}

TEST(PaletteRow, LongTextsEndInAnEllipsis) {
  const QString name = QStringLiteral("AdaptiveAvgPool2d"), note = QStringLiteral("自适应平均池化层");
  const LayerWords roomy = layerWords(name, note, 600);
  EXPECT_EQ(roomy.name, name);
  EXPECT_EQ(roomy.note, note);
  const LayerWords tight = layerWords(name, note, roomy.nameWidth + 70);
  EXPECT_EQ(tight.name, name);
  EXPECT_TRUE(tight.note.endsWith(u'…')) << tight.note.toStdString();
  EXPECT_LE(tight.nameWidth + QFontMetricsF(font(TextRole::secondary)).horizontalAdvance(tight.note),
            roomy.nameWidth + 70);
  EXPECT_TRUE(layerWords(name, note, roomy.nameWidth + 20).note.isEmpty()) << "no room for a letter";
  EXPECT_TRUE(layerWords(name, note, 60).name.endsWith(u'…'));
}

}  // namespace
}  // namespace nw::ui
