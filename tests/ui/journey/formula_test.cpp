// SPDX-License-Identifier: GPL-3.0-or-later
// A formula typed in the inspector, and the end of the frozen trunk chosen on the canvas.
#include <QLineEdit>
#include <QMenu>

#include "engine/design/layer_type.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/settings/stage_list.hpp"

namespace nw::ui {
namespace {

class FormulaJourney : public Journey {
 protected:
  void openLeNet() {
    openWindow({{}, QStringLiteral("lenet5")});
    analysed();
  }
  void clickOn(const char* name) { hand.click(view().viewport(), nodePosition(view(), find(name))); }
  /// Clicks on the layer and takes the entry of its menu.
  void freezeUpTo(const char* name) {
    clickOn(name);
    QMenu menu;
    fillContextMenu(view(), menu, view().mapToScene(nodePosition(view(), find(name))));
    QStringList entries;
    for (QAction* entry : menu.actions()) {
      entries << entry->text();
      if (entry->text().section(u'\t', 0, 0) == QStringLiteral("Freeze up to here")) return entry->trigger();
    }
    ADD_FAILURE() << entries.join(u'\n').toStdString();
  }
  bool isFrozen(const char* name) { return graph().nodes.at(find(name)).frozen; }
  QString expression(const char* name) {
    const Node& node = graph().nodes.at(find(name));
    const auto at = node.attrs.find("expression");
    return at == node.attrs.end() ? QString() : QString::fromStdString(std::get<std::string>(at->second));
  }
};

TEST_F(FormulaJourney, AnExpressionIsCheckedWhileItIsTyped) {
  openLeNet();
  Node relu = graph().nodes.at(find("relu1"));
  relu.type = "Formula";
  relu.attrs.clear();
  session().push({PutNode{"", find("relu1"), relu}}, QStringLiteral("Formula"));
  analysed();
  clickOn("relu1");
  auto* line = child<QLineEdit>(QStringLiteral("field-expression"));
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->text(), QStringLiteral("x * sigmoid(a * x)"));
  auto* note = line->parentWidget()->findChild<RefusalNote*>();
  ASSERT_NE(note, nullptr);
  hand.fill(line, QStringLiteral("x + sin(b * x"));
  EXPECT_EQ(note->sentence(), QStringLiteral("column 14: \")\" is missing"));
  hand.key(Qt::Key_Return);
  EXPECT_EQ(expression("relu1"), QString()) << "what is refused is not taken";
  EXPECT_EQ(line->text(), QStringLiteral("x + sin(b * x")) << "it stays where it was typed";
  hand.fill(line, QStringLiteral("x + sin(b * x)"));
  EXPECT_EQ(note->sentence(), QString());
  hand.key(Qt::Key_Return);
  EXPECT_EQ(expression("relu1"), QStringLiteral("x + sin(b * x)"));
  analysed();
  EXPECT_TRUE(session().analysis().ok());
  session().undoStack().undo();
  EXPECT_EQ(expression("relu1"), QString()) << "one step of undo";
}

TEST_F(FormulaJourney, TheTrunkIsFrozenUpToTheLayerUnderThePointer) {
  openLeNet();
  const int steps = session().undoStack().count();
  freezeUpTo("pool2");
  EXPECT_TRUE(isFrozen("conv1") && isFrozen("conv2"));
  EXPECT_FALSE(isFrozen("fc1") || isFrozen("pool2")) << "layers behind it, and those without weights, stay";
  EXPECT_TRUE(scene().elements().node(find("conv1"))->look().frozen) << "its card is shaded";
  EXPECT_FALSE(scene().elements().node(find("fc1"))->look().frozen);
  EXPECT_EQ(session().undoStack().count(), steps + 1);
  freezeUpTo("conv1");
  EXPECT_TRUE(isFrozen("conv1"));
  EXPECT_FALSE(isFrozen("conv2")) << "the end of the trunk moved";
  freezeUpTo("conv1");
  EXPECT_FALSE(isFrozen("conv1")) << "a second time nothing is frozen";
}

TEST_F(FormulaJourney, TheTrainingSettingsShowWhereTheTrunkEnds) {
  openLeNet();
  freezeUpTo("conv2");
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  auto* stages = child<StageList>(QStringLiteral("stages"));
  ASSERT_NE(stages, nullptr);
  auto* first = stages->findChild<NumberSpin*>(QStringLiteral("stage.0.epoch"));
  auto* second = stages->findChild<NumberSpin*>(QStringLiteral("stage.1.epoch"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->value(), 0) << "never";
  EXPECT_EQ(second->value(), 1);
}

}  // namespace
}  // namespace nw::ui
