// SPDX-License-Identifier: GPL-3.0-or-later
// The tour "Train your first network".
#include <QCoreApplication>

#include "ui/canvas/scene/node_item.hpp"
#include "ui/design/design_page.hpp"
#include "ui/design/inspector.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/shell/window/tour.hpp"

namespace nw::ui {
namespace {

/// The first convolution; without one, the first layer.
NodeId layerOf(const Now& now) {
  const auto& nodes = now.design().canvas().scene().graph().nodes;
  for (const auto& [id, node] : nodes)
    if (node.type == "Conv2d") return id;
  return nodes.empty() ? 0 : nodes.begin()->first;
}

QRect cardOf(const Now& now) {
  const GraphView& view = now.design().canvas().view();
  const NodeItem* item = view.graph().elements().node(layerOf(now));
  if (!item) return {};
  const QRect inView = view.mapFromScene(item->outline()).boundingRect() & view.viewport()->rect();
  return inView.isEmpty() ? QRect() : QRect(view.viewport()->mapTo(&now.window, inView.topLeft()), inView.size());
}

const TourStep firstNetworkSteps[] = {
    steps::openNetwork,
    {"design", QT_TRANSLATE_NOOP("Guide", "Choose a layer"),
     QT_TRANSLATE_NOOP(
         "Guide",
         "Every node is a layer; images enter at the top. Click this convolution, or go there with the arrow keys."),
     cardOf,
     [](const Now& n) {
       return n.design().canvas().scene().selection().current() != 0 &&
              n.design().canvas().scene().selection().current() == layerOf(n);
     },
     [](const Now& n) { n.design().canvas().scene().selection().setCurrent(layerOf(n)); }},
    {"design", QT_TRANSLATE_NOOP("Guide", "Change a setting"),
     QT_TRANSLATE_NOOP("Guide",
                       "Type another number of filters, such as 12, and press Enter. The shapes along the connections "
                       "follow; Ctrl+Z undoes it."),
     [](const Now& n) { return n.of(n.design().inspector().editorOf(QStringLiteral("out_channels"))); },
     [](const Now& n) { return n.session.undoStack().index() != n.edits; }},
    steps::startTraining,
    steps::waitForTraining,
    steps::seePredictions,
    {"predict", QT_TRANSLATE_NOOP("Guide", "Try it yourself"),
     QT_TRANSLATE_NOOP("Guide",
                       "Draw a digit on this pad and watch the class probabilities change. Without a mouse: choose a "
                       "cell of the confusion matrix with the arrow keys and Enter."),
     [](const Now& n) { return n.of(&n.predict().ownImagePanel().pad()); },
     [](const Now& n) {
       return n.isOn("predict") && (n.predict().ownImagePanel().pad().strokes() > 0 || n.predict().grid().cell());
     }},
};

}  // namespace

const Tour firstNetworkTour{
    "guide", firstNetworkSteps, QT_TRANSLATE_NOOP("Guide", "You have trained a network"),
    QT_TRANSLATE_NOOP("Guide",
                      "Next: change the network and compare both runs on the Runs page, open another "
                      "template, or draw your own network. F1 opens the user guide.")};

}  // namespace nw::ui
