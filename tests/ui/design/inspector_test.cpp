// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector is generated from the layer's record; every change made in it can be undone.
#include <QAbstractButton>
#include <QDoubleSpinBox>

#include "engine/design/layer_type.hpp"
#include "tests/ui/design/bench.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

using InspectorTest = DesignTest;

TEST_F(InspectorTest, HasAControlForEveryFieldOfEveryLayer) {
  for (const LayerType* type : all_layers()) {
    const QString name = QString::fromUtf8(type->name.data(), static_cast<int>(type->name.size()));
    NodeId id = 0;
    ASSERT_TRUE(
        session.push(add_node(session.doc(), "", Node{.type = std::string(type->name)}, &id), QStringLiteral("Add")));
    scene().selection().setCurrent(id);
    for (const Field& field : type->fields)
      EXPECT_NE(page.inspector().editorOf(QString::fromStdString(field.name)), nullptr)
          << name.toStdString() << "." << field.name;
  }
}

TEST_F(InspectorTest, ATypedNumberIsOneStepOfUndo) {
  open("lenet5");
  const NodeId conv = find("conv1");
  scene().selection().setCurrent(conv);
  const std::string before = text();
  const int steps = session.undoStack().count();
  auto* filters = editor<QDoubleSpinBox>("out_channels");
  ASSERT_NE(filters, nullptr);
  EXPECT_EQ(filters->value(), 6);
  filters->setFocus();
  filters->selectAll();
  QTest::keyClicks(filters, QStringLiteral("24"));
  QTest::keyClick(filters, Qt::Key_Return);
  EXPECT_EQ(graph().nodes.at(conv).attrs.at("out_channels"), Attr(std::int64_t{24}));
  EXPECT_EQ(session.undoStack().count(), steps + 1);
  expectUndoable(before);
}

TEST_F(InspectorTest, ShowsValuesRestoredByUndo) {
  open("lenet5");
  scene().selection().setCurrent(find("conv1"));
  editor<QDoubleSpinBox>("out_channels")->setValue(12);
  session.undoStack().undo();
  EXPECT_EQ(editor<QDoubleSpinBox>("out_channels")->value(), 6);
}

TEST_F(InspectorTest, APairKeepsItsSidesEqualWhileLinked) {
  open("lenet5");
  const NodeId conv = find("conv1");
  scene().selection().setCurrent(conv);
  editor<QDoubleSpinBox>("kernel_size")->setValue(3);
  EXPECT_EQ(graph().nodes.at(conv).attrs.contains("kernel_size")
                ? attrText(graph().nodes.at(conv).attrs.at("kernel_size"))
                : "3×3",
            QStringLiteral("3×3"));
  EXPECT_EQ(child<QDoubleSpinBox>(QStringLiteral("field-kernel_size-2"))->value(), 3);
}

TEST_F(InspectorTest, ADefaultLeavesNoAttributeBehind) {
  open("lenet5");
  const NodeId conv = find("conv1");
  scene().selection().setCurrent(conv);
  editor<QDoubleSpinBox>("padding")->setValue(0);
  EXPECT_FALSE(graph().nodes.at(conv).attrs.contains("padding"));
}

TEST_F(InspectorTest, EditsSeveralLayersOfOneTypeTogether) {
  open("lenet5");
  scene().selection().selectOnly({find("conv1"), find("conv2")});
  const std::string before = text();
  editor<QDoubleSpinBox>("out_channels")->setValue(32);
  for (const char* name : {"conv1", "conv2"})
    EXPECT_EQ(graph().nodes.at(find(name)).attrs.at("out_channels"), Attr(std::int64_t{32}));
  expectUndoable(before);
}

TEST_F(InspectorTest, OfSeveralTypesItNamesAndCountsEveryType) {
  open("lenet5");
  scene().selection().selectOnly({find("conv1"), find("conv2"), find("relu1")});
  const auto* kind = page.inspector().findChild<QLabel*>(QStringLiteral("layerKind"));
  ASSERT_NE(kind, nullptr);
  EXPECT_TRUE(kind->text().contains(QStringLiteral("2 × "))) << kind->text().toStdString();
  EXPECT_TRUE(kind->text().contains(QStringLiteral("1 × ReLU"))) << kind->text().toStdString();
  scene().selection().selectOnly({find("conv1")});
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_FALSE(page.inspector().findChild<QLabel*>(QStringLiteral("layerKind"))->text().contains(u'×'));
}

TEST_F(InspectorTest, ASwitchTurnsTheBiasOff) {
  open("lenet5");
  scene().selection().setCurrent(find("conv1"));
  auto* bias = editor<QAbstractButton>("bias");
  ASSERT_NE(bias, nullptr);
  EXPECT_TRUE(bias->isChecked());
  QTest::mouseClick(bias, Qt::LeftButton);
  EXPECT_EQ(graph().nodes.at(find("conv1")).attrs.at("bias"), Attr(false));
}

TEST_F(InspectorTest, FreezesALayer) {
  open("lenet5");
  const NodeId conv = find("conv1");
  scene().selection().setCurrent(conv);
  const std::string before = text();
  QTest::mouseClick(child<QAbstractButton>(QStringLiteral("updateWeights")), Qt::LeftButton);
  EXPECT_TRUE(graph().nodes.at(conv).frozen);
  expectUndoable(before);
}

TEST_F(InspectorTest, RenamesAndRejectsATakenName) {
  open("lenet5");
  const NodeId conv = find("conv1");
  scene().selection().setCurrent(conv);
  const auto type = [&](const char* name) {
    auto* line = child<QLineEdit>(QStringLiteral("layerName"));
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, QLatin1String(name));
    QTest::keyClick(line, Qt::Key_Return);
    return line;
  };
  type("stem");
  EXPECT_EQ(graph().nodes.at(conv).name, "stem");
  QSignalSpy messages(&session, &Session::message);
  QLineEdit* line = type("conv2");
  EXPECT_EQ(graph().nodes.at(conv).name, "stem");
  EXPECT_EQ(line->text(), QStringLiteral("conv2")) << "what was typed stays";
  QString reason;
  for (const RefusalNote* note : page.inspector().findChildren<RefusalNote*>()) reason += note->sentence();
  EXPECT_TRUE(reason.contains(QStringLiteral("conv2"))) << reason.toStdString();
  EXPECT_EQ(messages.count(), 0) << "it is said at the field";
  scene().selection().setCurrent(find("relu1"));
  EXPECT_EQ(messages.count(), 1) << "and where the field goes away";
}

/// An analysis that arrives between the selection and the first letter must not make "conv1stem" of it.
TEST_F(InspectorTest, ASelectedNameStaysSelectedWhenSomethingElseChanges) {
  open("lenet5");
  scene().selection().setCurrent(find("conv1"));
  auto* name = page.inspector().findChild<QLineEdit*>(QStringLiteral("layerName"));
  ASSERT_NE(name, nullptr);
  name->setFocus();
  name->selectAll();
  ASSERT_TRUE(session.push(set_attr(session.doc(), "", find("conv2"), "out_channels", std::int64_t{20}),
                           QStringLiteral("Filters")));
  analysed();
  EXPECT_EQ(name->selectedText(), QStringLiteral("conv1"));
  QTest::keyClicks(name, QStringLiteral("stem"));
  QTest::keyClick(name, Qt::Key_Return);
  EXPECT_NE(find("stem"), 0);
}

TEST_F(InspectorTest, ShowsParametersAndMemoryOfTheLayer) {
  open("lenet5");
  scene().selection().setCurrent(find("conv2"));
  EXPECT_EQ(child<QLabel>(QStringLiteral("cost-output"))->text(), QStringLiteral("16×10×10"));
  EXPECT_EQ(child<QLabel>(QStringLiteral("cost-parameters"))->text(), grouped(2416));
}

TEST_F(InspectorTest, TakesExpressionsInsideABlock) {
  open("resnet18-cifar");
  scene().setScope("BasicBlock");
  const NodeId conv = find("conv1");
  scene().selection().setCurrent(conv);
  auto* filters = editor<QLineEdit>("out_channels");
  ASSERT_NE(filters, nullptr);
  EXPECT_EQ(filters->text(), QStringLiteral("$filters"));
  filters->setFocus();
  filters->selectAll();
  QTest::keyClicks(filters, QStringLiteral("$filters*2"));
  QTest::keyClick(filters, Qt::Key_Return);
  EXPECT_EQ(graph().nodes.at(conv).attrs.at("out_channels"), Attr(std::string("$filters*2")));
}

TEST_F(InspectorTest, ChangesAnInstancesParametersAndRepeat) {
  open("resnet18-cifar");
  const NodeId block = find("layer1");
  scene().selection().setCurrent(block);
  const std::string before = text();
  editor<QDoubleSpinBox>("repeat")->setValue(3);
  EXPECT_EQ(graph().nodes.at(block).attrs.at("repeat"), Attr(std::int64_t{3}));
  expectUndoable(before);
  QTest::mouseClick(child<QPushButton>(QStringLiteral("openDefinition")), Qt::LeftButton);
  EXPECT_EQ(scene().scope(), "BasicBlock");
}

TEST_F(InspectorTest, RenamesADefinitionAndMakesAnInstanceUnique) {
  open("resnet18-cifar");
  const NodeId block = find("layer1");
  scene().selection().setCurrent(block);
  auto* name = child<QLineEdit>(QStringLiteral("blockName"));
  const std::string before = text();
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, QStringLiteral("Plain"));
  QTest::keyClick(name, Qt::Key_Return);
  EXPECT_TRUE(session.doc().blocks().contains("Plain"));
  expectUndoable(before);
  scene().selection().setCurrent(block);
  QTest::mouseClick(child<QPushButton>(QStringLiteral("makeUnique")), Qt::LeftButton);
  EXPECT_EQ(graph().nodes.at(block).attrs.at("block"), Attr(std::string("Plain2")));
  for (QPushButton* button : page.inspector().findChildren<QPushButton*>(QStringLiteral("makeUnique")))
    EXPECT_FALSE(button->isVisible());
}

TEST_F(InspectorTest, AnAttributeBecomesABlockParameterAndBack) {
  open("resnet18-cifar");
  scene().setScope("BasicBlock");
  const NodeId conv = find("conv1");
  scene().selection().setCurrent(conv);
  const std::string before = text();
  child<QAction>(QStringLiteral("expose-kernel_size"))->trigger();
  EXPECT_EQ(graph().nodes.at(conv).attrs.at("kernel_size"), Attr(std::string("$kernel_size")));
  expectUndoable(before);
  analysed();
  EXPECT_TRUE(session.analysis().ok());
  scene().clearSelection();
  ASSERT_NE(editor<QDoubleSpinBox>("kernel_size"), nullptr);
  QTest::mouseClick(child<QPushButton>(QStringLiteral("remove-kernel_size")), Qt::LeftButton);
  EXPECT_EQ(graph().nodes.at(conv).attrs.at("kernel_size"), Attr(std::int64_t{3}));
}

TEST_F(InspectorTest, ATypedNameBecomesANewParameter) {
  open("resnet18-cifar");
  scene().setScope("BasicBlock");
  auto* fresh = child<QLineEdit>(QStringLiteral("newParameter"));
  fresh->setFocus();
  QTest::keyClicks(fresh, QStringLiteral("width"));
  QTest::keyClick(fresh, Qt::Key_Return);
  const auto& all = session.doc().blocks().at("BasicBlock").parameters;
  EXPECT_EQ(all.back(), (BlockParameter{"width", 1}));
  EXPECT_NE(editor<QDoubleSpinBox>("width"), nullptr);
}

TEST_F(InspectorTest, GetsTheFocusByEnterOnTheCanvas) {
  open("lenet5");
  scene().selection().setCurrent(find("conv1"));
  view().setFocus();
  QTest::keyClick(&view(), Qt::Key_Return);
  EXPECT_TRUE(editor<QDoubleSpinBox>("out_channels")->hasFocus());
}

}  // namespace
}  // namespace nw::ui
