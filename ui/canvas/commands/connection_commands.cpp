// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/commands/connection_commands.hpp"

#include <QCoreApplication>
#include <cmath>

#include "engine/design/rewire.hpp"
#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/connection_item.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

void pushOne(GraphScene& scene, const Edit& edit, const char* text) {
  EditChain chain(scene.doc());
  push(scene, chain.add(edit), text);
}

}  // namespace

void connectSelected(GraphView& view) {
  GraphScene& scene = view.graph();
  const Result<Edit> edit = connect_in_order(scene.doc(), scene.scope(), scene.selection().nodes());
  if (edit)
    pushOne(scene, *edit, QT_TRANSLATE_NOOP("canvas", "Connect"));
  else
    Q_EMIT scene.session().message(translated(edit.error().what), 1);
}

void detachSelected(GraphView& view) {
  GraphScene& scene = view.graph();
  pushOne(scene, detach_nodes(scene.doc(), scene.scope(), scene.selection().nodes()),
          QT_TRANSLATE_NOOP("canvas", "Detach"));
}

void breakSelected(GraphView& view) {
  GraphScene& scene = view.graph();
  pushOne(scene, break_nodes(scene.doc(), scene.scope(), scene.selection().nodes()),
          QT_TRANSLATE_NOOP("canvas", "Disconnect"));
}

void breakPort(GraphView& view, const PortRef& port) {
  GraphScene& scene = view.graph();
  pushOne(scene, break_port(scene.doc(), scene.scope(), port.node, port.output, port.port),
          QT_TRANSLATE_NOOP("canvas", "Disconnect"));
}

void addDots(GraphView& view) {
  GraphScene& scene = view.graph();
  EditChain chain(scene.doc());
  for (const Connection& c : scene.selection().connections()) {
    const QPointF at = scene.elements().connection(c)->middle();
    chain.add(add_dot(chain.doc(), scene.scope(), c, {std::round(at.x()), std::round(at.y())}));
  }
  push(scene, chain, QT_TRANSLATE_NOOP("canvas", "Add bend point"));
}

void addDotAt(GraphView& view, const Connection& c, QPointF at) {
  GraphScene& scene = view.graph();
  EditChain chain(scene.doc());
  NodeId made = 0;
  chain.add(add_dot(chain.doc(), scene.scope(), c, {std::round(at.x()), std::round(at.y())}, &made));
  if (push(scene, chain, QT_TRANSLATE_NOOP("canvas", "Add bend point"))) scene.selection().setCurrent(made);
}

}  // namespace nw::ui
