// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/commands/clipboard_commands.hpp"

#include <QApplication>
#include <QClipboard>
#include <QMimeData>
#include <algorithm>
#include <cmath>

#include "ui/canvas/edits/scene_edits.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// Text of another format is ignored. `inputs`: the copied layers' connections from outside are copied too.
void pasteText(GraphView& view, const QByteArray& text, QPointF at, const char* name,
               const std::vector<Connection>& inputs = {}, std::vector<NodeId> copied = {}) {
  GraphScene& scene = view.graph();
  std::vector<NodeId> made;
  Result<Edit> edit =
      paste_text(scene.doc(), scene.scope(), text.toStdString(), {std::round(at.x()), std::round(at.y())}, &made);
  if (!edit) return;
  std::sort(copied.begin(), copied.end());  // the order in the clipboard text
  for (const Connection& c : inputs) {
    const auto index = static_cast<std::size_t>(std::lower_bound(copied.begin(), copied.end(), c.to) - copied.begin());
    edit->push_back(PutConnection{scene.scope(), {c.from, c.from_port, made.at(index), c.to_port}, true});
  }
  if (scene.session().push(*edit, canvasText(name))) scene.selection().selectOnly(made);
}

}  // namespace

void removeSelected(GraphView& view, bool heal) {
  GraphScene& scene = view.graph();
  EditChain chain(scene.doc());
  const std::vector<NodeId> nodes = scene.selection().nodes();
  chain.add(remove_nodes(chain.doc(), scene.scope(), nodes, heal));
  for (const Connection& c : scene.selection().connections())
    if (std::find(nodes.begin(), nodes.end(), c.from) == nodes.end() &&
        std::find(nodes.begin(), nodes.end(), c.to) == nodes.end())
      chain.add(disconnect(chain.doc(), scene.scope(), c));
  for (const ItemId id : scene.selection().frames()) chain.add({PutFrame{scene.scope(), id, std::nullopt}});
  for (const ItemId id : scene.selection().notes()) chain.add({PutNote{scene.scope(), id, std::nullopt}});
  push(scene, chain, QT_TRANSLATE_NOOP("canvas", "Delete"));
}

void copySelected(GraphView& view) {
  const std::vector<NodeId> nodes = view.graph().selection().nodes();
  if (nodes.empty()) return;
  const QByteArray text = QByteArray::fromStdString(copy_text(view.graph().doc(), view.graph().scope(), nodes));
  auto* data = new QMimeData;
  data->setData(graphMime, text);
  data->setText(QString::fromUtf8(text));
  QApplication::clipboard()->setMimeData(data);
}

void pasteClipboard(GraphView& view) {
  const QMimeData* data = QApplication::clipboard()->mimeData();
  if (!data) return;
  const QByteArray text = data->hasFormat(graphMime) ? data->data(graphMime) : data->text().toUtf8();
  pasteText(view, text, view.cursorScene(), QT_TRANSLATE_NOOP("canvas", "Paste"));
}

void duplicateSelected(GraphView& view, bool inputs) {
  const GraphScene& scene = view.graph();
  const std::vector<NodeId> nodes = scene.selection().nodes();
  if (nodes.empty()) return;
  QRectF centres(QPointF(scene.elements().node(nodes[0])->pos()), QSizeF(0, 0));
  for (const NodeId id : nodes) {
    const QPointF p = scene.elements().node(id)->pos();
    centres = QRectF(QPointF(std::min(centres.left(), p.x()), std::min(centres.top(), p.y())),
                     QPointF(std::max(centres.right(), p.x()), std::max(centres.bottom(), p.y())));
  }
  const QByteArray text = QByteArray::fromStdString(copy_text(scene.doc(), scene.scope(), nodes));
  std::vector<Connection> kept;
  const auto chosen = [&nodes](NodeId id) { return std::find(nodes.begin(), nodes.end(), id) != nodes.end(); };
  for (const Connection& c : scene.graph().connections)
    if (inputs && chosen(c.to) && !chosen(c.from)) kept.push_back(c);
  pasteText(view, text, centres.center() + QPointF(40, 40), QT_TRANSLATE_NOOP("canvas", "Duplicate"), kept, nodes);
}

}  // namespace nw::ui
