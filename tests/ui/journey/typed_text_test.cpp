// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that was typed is lost by a refusal, in the whole window: names in the inspector and on the canvas, names of
// blocks, and the network as text.
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <algorithm>

#include "engine/design/project_file.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/design/tabbed_panel.hpp"
#include "ui/design/text_pane.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

class TypedTexts : public Journey {
 protected:
  void open(const char* network = "lenet5") {
    openWindow({{}, QLatin1String(network)});
    analysed();
  }
  void select(const char* name) { hand.click(view().viewport(), nodePosition(view(), find(name))); }
  template <class W>
  W* visible(const char* name) {
    const auto all = window().findChildren<W*>(QLatin1String(name));
    const auto found = std::find_if(all.begin(), all.end(), [](const QWidget* w) { return w->isVisible(); });
    return found == all.end() ? nullptr : *found;
  }
  /// Replaces the text of the field that has the focus.
  void replace(const char* text) {
    hand.key(Qt::Key_A, Qt::ControlModifier);
    hand.type(QLatin1String(text));
  }
  std::string nameOf(NodeId id) { return graph().nodes.at(id).name; }
  QString reason() {
    const auto* note = visible<RefusalNote>("refusalNote");
    return note ? note->sentence() : QString();
  }
  /// Clicks "Use NAME" and returns the name.
  std::string useNearest() {
    auto* use = visible<QPushButton>("useNearest");
    if (!use) return "no button";
    const QString name = use->text().section(u' ', 1);
    hand.click(use);
    return name.toStdString();
  }
};

TEST_F(TypedTexts, ARefusedNameStaysInTheInspectorWithAFreeOne) {
  open();
  const NodeId conv = find("conv1");
  select("conv1");
  hand.click(visible<QLineEdit>("layerName"));
  replace("relu1");
  hand.key(Qt::Key_Return);
  EXPECT_EQ(nameOf(conv), "conv1");
  EXPECT_EQ(visible<QLineEdit>("layerName")->text(), QStringLiteral("relu1"));
  EXPECT_TRUE(reason().contains(QStringLiteral("relu1"))) << reason().toStdString();
  const std::string used = useNearest();
  EXPECT_EQ(nameOf(conv), used);
  EXPECT_EQ(used.rfind("relu", 0), 0u) << used;
  EXPECT_TRUE(reason().isEmpty()) << reason().toStdString();
}

TEST_F(TypedTexts, ANameInAnotherScriptIsTakenEverywhere) {
  open();
  const NodeId conv = find("conv1"), pool = find("pool1");
  select("conv1");
  hand.click(visible<QLineEdit>("layerName"));
  QApplication::clipboard()->setText(QStringLiteral("卷积一"));
  hand.key(Qt::Key_A, Qt::ControlModifier);
  hand.key(Qt::Key_V, Qt::ControlModifier);
  hand.key(Qt::Key_Return);
  EXPECT_EQ(nameOf(conv), "卷积一");
  EXPECT_TRUE(reason().isEmpty()) << reason().toStdString();
  select("pool1");
  view().setFocus();
  hand.key(Qt::Key_F2);
  QApplication::clipboard()->setText(QStringLiteral("слой"));
  hand.key(Qt::Key_A, Qt::ControlModifier);
  hand.key(Qt::Key_V, Qt::ControlModifier);
  hand.key(Qt::Key_Return);
  EXPECT_EQ(nameOf(pool), "слой");
  analysed();
  EXPECT_TRUE(session().analysis().ok());
}

TEST_F(TypedTexts, ARefusedNameComesBackWithItsLayerUntilEscape) {
  open();
  const NodeId conv = find("conv1");
  select("conv1");
  hand.click(visible<QLineEdit>("layerName"));
  replace("my conv");
  select("pool1");
  EXPECT_EQ(visible<QLineEdit>("layerName")->text(), QStringLiteral("pool1"));
  EXPECT_TRUE(window().banner().text().contains(QStringLiteral("my conv"))) << "it is said where the field went away";
  select("conv1");
  EXPECT_EQ(visible<QLineEdit>("layerName")->text(), QStringLiteral("my conv"));
  EXPECT_TRUE(reason().contains(QStringLiteral("my conv")));
  hand.click(visible<QLineEdit>("layerName"));
  hand.key(Qt::Key_Escape);
  EXPECT_EQ(visible<QLineEdit>("layerName")->text(), QStringLiteral("conv1"));
  EXPECT_TRUE(reason().isEmpty());
  EXPECT_EQ(nameOf(conv), "conv1");
}

TEST_F(TypedTexts, ARefusedNameOnTheCanvasStaysOpenWithTheReason) {
  open();
  const NodeId conv = find("conv1");
  select("conv1");
  hand.key(Qt::Key_F2);
  replace("pool1");
  hand.key(Qt::Key_Return);
  auto* editor = visible<QLineEdit>("inlineEdit");
  ASSERT_NE(editor, nullptr);
  EXPECT_EQ(editor->text(), QStringLiteral("pool1"));
  EXPECT_TRUE(reason().contains(QStringLiteral("pool1"))) << reason().toStdString();
  auto* box = visible<QFrame>("inlineReason");
  ASSERT_NE(box, nullptr);
  EXPECT_TRUE(box->parentWidget()->rect().contains(box->geometry())) << "the whole reason is visible";
  EXPECT_FALSE(box->geometry().intersects(editor->geometry()));
  hand.click(view().viewport(), QPoint(30, view().viewport()->height() / 2));
  editor = visible<QLineEdit>("inlineEdit");
  ASSERT_NE(editor, nullptr) << "a click elsewhere does not discard it either";
  EXPECT_EQ(editor->text(), QStringLiteral("pool1"));
  const auto onItsCard = [&] { return editor->pos() - nodePosition(view(), conv); };
  const QPoint before = onItsCard();
  view().camera().zoomStep(-2);
  view().camera().zoomStep(2);
  view().camera().scrollBy({0, 40});
  EXPECT_LE((onItsCard() - before).manhattanLength(), 3) << "it stays on its layer";
  const std::string used = useNearest();
  EXPECT_EQ(nameOf(conv), used);
  QCoreApplication::processEvents();
  EXPECT_EQ(visible<QLineEdit>("inlineEdit"), nullptr);
  EXPECT_EQ(visible<QFrame>("inlineReason"), nullptr);
}

TEST_F(TypedTexts, ARefusedNameOnTheCanvasEndsWithItsLayerOrEscape) {
  open();
  const NodeId conv = find("conv1");
  select("conv1");
  hand.key(Qt::Key_F2);
  replace("1 2");
  hand.key(Qt::Key_Return);
  ASSERT_NE(visible<QLineEdit>("inlineEdit"), nullptr);
  hand.key(Qt::Key_Escape);
  EXPECT_EQ(visible<QLineEdit>("inlineEdit"), nullptr);
  EXPECT_EQ(visible<QFrame>("inlineReason"), nullptr);
  EXPECT_EQ(nameOf(conv), "conv1");
  EXPECT_TRUE(view().hasFocus());
  hand.key(Qt::Key_F2);
  replace("1 2");
  hand.key(Qt::Key_Return);
  session().push(remove_nodes(session().doc(), "", {conv}), QStringLiteral("Delete"));
  EXPECT_EQ(visible<QLineEdit>("inlineEdit"), nullptr);
  EXPECT_EQ(visible<QFrame>("inlineReason"), nullptr);
}

TEST_F(TypedTexts, ARefusedNameOfABlockStays) {
  open("resnet18-cifar");
  select("layer1");
  hand.click(visible<QLineEdit>("blockName"));
  replace("Basic Block");
  hand.key(Qt::Key_Return);
  EXPECT_TRUE(session().doc().blocks().contains("BasicBlock"));
  EXPECT_EQ(visible<QLineEdit>("blockName")->text(), QStringLiteral("Basic Block"));
  EXPECT_TRUE(reason().contains(QStringLiteral("Basic Block")));
  EXPECT_EQ(useNearest(), "Basic_Block");
  EXPECT_TRUE(session().doc().blocks().contains("Basic_Block"));
  EXPECT_FALSE(session().doc().blocks().contains("BasicBlock"));
}

class TypedNetwork : public TypedTexts {
 protected:
  void SetUp() override {
    TypedTexts::SetUp();
    open();
    child<TabbedPanel>(QStringLiteral("problemsPanel"))->showPage(3);
    pane = window().findChild<TextPane*>();
    hand.click(pane->editor().viewport());
  }
  QString text() { return pane->editor().toPlainText(); }
  void typeAtTheEndOf(const char* begin, const char* words) {
    QTextCursor at = pane->editor().document()->find(QLatin1String(begin));
    at.clearSelection();
    at.movePosition(QTextCursor::EndOfBlock);
    pane->editor().setTextCursor(at);
    hand.type(QLatin1String(words));
  }
  void typeFaultAndEditOnTheCanvas() {
    typeAtTheEndOf("conv1:", " loud");
    ASSERT_TRUE(test::wait_for([&] { return !pane->faults().empty(); }));
    select("conv2");
    hand.click(visible<QLineEdit>("layerName"));
    replace("second");
    hand.key(Qt::Key_Return);
    ASSERT_EQ(session().doc().graph().nodes.at(scene().selection().current()).name, "second");
  }
  TextPane* pane = nullptr;
};

TEST_F(TypedNetwork, IsNotOverwrittenByAnEditAndKeepMineMakesItTheNetwork) {
  typeFaultAndEditOnTheCanvas();
  EXPECT_TRUE(text().contains(QStringLiteral(" loud"))) << "what was typed is still there";
  EXPECT_TRUE(text().contains(QStringLiteral("conv2:"))) << "and nothing else came in between";
  ASSERT_NE(visible<QWidget>("textChoice"), nullptr);
  hand.click(pane->editor().viewport());
  typeAtTheEndOf("conv1:", "");
  for (int i = 0; i < 4; ++i) hand.key(Qt::Key_Left, Qt::ShiftModifier);
  hand.type(QStringLiteral("frozen"));
  ASSERT_TRUE(test::wait_for([&] { return pane->faults().empty(); }));
  EXPECT_NE(find("second"), 0) << "not applied before the user chose";
  hand.click(visible<QPushButton>("keepMyText"));
  EXPECT_EQ(visible<QWidget>("textChoice"), nullptr);
  EXPECT_TRUE(graph().nodes.at(find("conv1")).frozen);
  EXPECT_NE(find("conv2"), 0) << "the text is the network";
  EXPECT_TRUE(pane->editor().hasFocus());
}

TEST_F(TypedNetwork, IsReplacedByTheNetworksTextIfTheUserWantsAndUndoBringsItBack) {
  typeFaultAndEditOnTheCanvas();
  const QString mine = text();
  hand.click(visible<QPushButton>("takeNetworkText"));
  EXPECT_EQ(visible<QWidget>("textChoice"), nullptr);
  EXPECT_FALSE(text().contains(QStringLiteral(" loud")));
  EXPECT_TRUE(text().contains(QStringLiteral("second:")));
  EXPECT_TRUE(pane->faults().empty());
  const GraphDoc now = session().doc();
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(text(), mine);
  EXPECT_EQ(session().doc(), now) << "the network is not undone";
}

TEST_F(TypedNetwork, FollowsTheNetworkAgainOnceItIsUndone) {
  typeFaultAndEditOnTheCanvas();
  ASSERT_NE(visible<QWidget>("textChoice"), nullptr);
  hand.click(pane->editor().viewport());
  for (int i = 0; i < 10 && text().contains(QStringLiteral("loud")); ++i) hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(test::wait_for([&] { return text().contains(QStringLiteral("second:")); }, 5000)) << text().toStdString();
  EXPECT_EQ(visible<QWidget>("textChoice"), nullptr);
  EXPECT_FALSE(pane->isPending());
}

TEST_F(TypedNetwork, WaitsInItsScopeAndLeavesWithItsProject) {
  typeAtTheEndOf("conv1:", " loud");
  ASSERT_TRUE(test::wait_for([&] { return !pane->faults().empty(); }));
  session().replace(find_template("resnet18-cifar")->make(), {}, QStringLiteral("other"));
  EXPECT_FALSE(text().contains(QStringLiteral("loud"))) << "it belonged to another project";
  EXPECT_EQ(visible<QWidget>("textChoice"), nullptr);
  typeAtTheEndOf("layer1:", " loud");
  ASSERT_TRUE(test::wait_for([&] { return !pane->faults().empty(); }));
  scene().setScope("BasicBlock");
  EXPECT_TRUE(text().contains(QStringLiteral("BlockInput")));
  EXPECT_FALSE(text().contains(QStringLiteral("loud")));
  scene().setScope("");
  EXPECT_TRUE(text().contains(QStringLiteral(" loud")));
  EXPECT_TRUE(test::wait_for([&] { return !pane->faults().empty(); }));
}

}  // namespace
}  // namespace nw::ui
