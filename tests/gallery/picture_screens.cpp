// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/picture_screens.hpp"

#include <QCoreApplication>

#include "engine/design/project_file.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/overlays/heatmap.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/design/compare_dialog.hpp"
#include "ui/design/design_page.hpp"
#include "ui/design/design_status.hpp"
#include "ui/session/fit_estimator.hpp"

namespace nw::ui {
namespace {

DesignPage& pageOf(Stage& s) { return *static_cast<DesignPage*>(s.window->page(QStringLiteral("design"))); }

QWidget* lenet(Stage& s) {
  s.open("lenet5");
  return s.show(QStringLiteral("design"));
}

}  // namespace

QWidget* designFit(Stage& s) {
  FitEstimator::setProgram({});
  return lenet(s);
}

bool fitKnown(Stage& s) {
  const auto* status = s.window->findChild<FitEstimator*>();
  const bool known =
      status && (status->state() == FitEstimator::State::done || status->state() == FitEstimator::State::failed);
  if (known) FitEstimator::setProgram(QStringLiteral("/bin/true"));
  return known;
}

QWidget* designOutputs(Stage& s) {
  QWidget* shown = lenet(s);
  pageOf(s).canvas().outputs().setOn(true);
  return shown;
}

bool outputsShown(Stage& s) {
  NodeOutputs& outputs = pageOf(s).canvas().outputs();
  return analysed(s) && outputs.settled() && (outputs.asked() > 0 || !outputs.error().isEmpty());
}

QWidget* designHeatmap(Stage& s) {
  QWidget* shown = lenet(s);
  pageOf(s).canvas().heat().setBy(HeatmapQuantity::memory);
  return shown;
}

QWidget* designGradients(Stage& s) {
  QWidget* shown = lenet(s);
  pageOf(s).canvas().heat().setBy(HeatmapQuantity::gradients);
  return shown;
}

bool gradientsShown(Stage& s) {
  Heatmap& heat = pageOf(s).canvas().heat();
  for (const auto& [id, node] : s.work.session.doc().graph().nodes)
    if (analysed(s) && node.name == "conv1" && heat.value(id)) return true;
  return s.run.isEmpty() && analysed(s);
}

/// LeNet-5 without its Flatten, with the pointer over the quick fix.
QWidget* designRepair(Stage& s) {
  QWidget* shown = lenet(s);
  for (const auto& [id, node] : s.work.session.doc().graph().nodes)
    if (node.type == "Flatten") {
      s.work.session.push(remove_nodes(s.work.session.doc(), "", {id}, true),
                          QCoreApplication::translate("canvas", "Delete"));
      break;
    }
  return shown;
}

bool repairShown(Stage& s) {
  GraphScene& scene = pageOf(s).canvas().scene();
  if (!analysed(s)) return false;
  if (scene.ghost()) return true;
  for (const auto& [id, item] : scene.elements().nodes())
    if (!item->look().fixes.isEmpty() && item->look().state == NodeState::error)
      scene.preview(repairEdit(scene, id, 0));
  return scene.ghost().has_value();
}

QWidget* compareScreen(Stage& s) {
  const GraphDoc before = find_template("lenet5")->make();
  GraphDoc after = before;
  const auto find = [&](const char* name) {
    for (const auto& [id, node] : after.graph().nodes)
      if (node.name == name) return id;
    return NodeId{0};
  };
  TrainSettings settings = after.settings();
  settings.batch *= 2;
  (void)after.apply(set_attr(after, "", find("conv2"), "out_channels", std::int64_t{32}));
  (void)after.apply(remove_nodes(after, "", {find("relu3")}, true));
  (void)after.apply(add_node(after, "", Node{.type = "Dropout", .name = "drop1"}));
  (void)after.apply({PutSettings{settings}});
  auto* made = new CompareDialog({QStringLiteral("lenet5"), before}, {QStringLiteral("lenet5-wider"), after});
  s.extra.reset(made);
  made->show();
  return made;
}

}  // namespace nw::ui
