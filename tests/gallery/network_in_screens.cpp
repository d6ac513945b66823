// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/network_in_screens.hpp"

#include <QComboBox>

#include "engine/design/block_edits.hpp"
#include "engine/design/opaque.hpp"
#include "engine/design/project_file.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/editors/save_block_dialog.hpp"
#include "ui/canvas/edits/saved_blocks.hpp"
#include "ui/data/table_targets_dialog.hpp"
#include "ui/design/design_page.hpp"
#include "ui/design/tabbed_panel.hpp"
#include "ui/shell/files/weight_match_dialog.hpp"

namespace nw::ui {
namespace {

template <class W>
QWidget* dialogOn(Stage& stage, W* made) {
  stage.extra.reset(made);
  made->setVisible(true);
  return made;
}

DesignPage& designOf(Stage& s) { return *static_cast<DesignPage*>(s.window->page(QStringLiteral("design"))); }

NodeId nodeNamed(const GraphDoc& doc, const char* name) {
  for (const auto& [id, node] : doc.graph().nodes)
    if (node.name == name) return id;
  return 0;
}

}  // namespace

/// LeNet-5 whose first activation is an operator of another program.
QWidget* designOpaque(Stage& s) {
  GraphDoc doc = find_template("lenet5")->make();
  const NodeId id = nodeNamed(doc, "relu1");
  Node node = doc.graph().nodes.at(id);
  node.type = opaque_type;
  node.name = "fused_gelu";
  node.attrs = opaque_attributes(
      {.name = "FusedGelu",
       .domain = "com.example.vision",
       .version = 3,
       .inputs = 2,
       .output = 0,
       .out = {6, 28, 28},
       .reason = text("it belongs to {0}, not to ONNX, and has no published meaning", "com.example.vision")});
  (void)static_cast<bool>(doc.apply({PutNode{"", id, node}}));
  s.work.session.replace(std::move(doc), {}, QStringLiteral("vision-7"));
  QWidget* shown = s.show(QStringLiteral("design"));
  designOf(s).canvas().scene().selection().setCurrent(id);
  return shown;
}

/// The palette's page of blocks with two saved ones; the project has one of its own.
QWidget* designMyBlocks(Stage& s) {
  s.open("resnet18-cifar");
  const GraphDoc& doc = s.work.session.doc();
  const std::string block = doc.blocks().begin()->first;
  (void)static_cast<bool>(
      saveBlock(doc, block, "SqueezeExcitation", {"layer-multiply", "Weights channels by their means."}));
  (void)static_cast<bool>(saveBlock(doc, block, "WideStage", {"layer-conv2d", "Two wide convolutions."}));
  QWidget* shown = s.show(QStringLiteral("design"));
  for (auto* panel : shown->findChildren<TabbedPanel*>())
    if (panel->tabs().count() == 3) panel->showPage(1);
  return shown;
}

QWidget* weightMatches(Stage& s) {
  using exchange::WeightMatch;
  std::vector<exchange::WeightRow> rows;
  for (const char* name : {"conv1.weight", "bn1.weight", "bn1.bias", "layer1.0.conv1.weight", "layer1.0.bn1.weight",
                           "layer1.0.bn1.bias", "layer1.0.conv2.weight", "layer2.0.downsample.0.weight"})
    rows.push_back({name, {64, 64, 3, 3}, {64, 64, 3, 3}, WeightMatch::taken});
  rows.push_back({"fc.weight", {10, 512}, {1000, 512}, WeightMatch::other_shape});
  rows.push_back({"fc.bias", {10}, {1000}, WeightMatch::other_shape});
  rows.push_back({"scale.weight", {512}, {}, WeightMatch::not_in_file});
  rows.push_back({"aux.classifier.weight", {}, {1000, 1024}, WeightMatch::not_in_network});
  return dialogOn(s, new WeightMatchDialog(QStringLiteral("resnet18.safetensors"), std::move(rows), nullptr));
}

QWidget* tableTargets(Stage& s) {
  const TableHead head{
      {"file", "kind", "age", "height", "left, right"}, {"0001.png", "cat", "3.5", "0.31", "1"}, 0, -1};
  auto* made = new TableTargetsDialog(QStringLiteral("animals.csv"), head, nullptr);
  made->findChild<QComboBox*>()->setCurrentIndex(3);
  return dialogOn(s, made);
}

QWidget* saveBlockScreen(Stage& s) {
  return dialogOn(s, new SaveBlockDialog(QStringLiteral("SqueezeExcitation"),
                                         {"layer-multiply", "Weights channels by their means."}, {}, nullptr));
}

}  // namespace nw::ui
