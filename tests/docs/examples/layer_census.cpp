// SPDX-License-Identifier: GPL-3.0-or-later
// The number of layers of each type in the network; a page of a dock. In docs/adding.md.
#include <map>
#include <string>

#include "tests/docs/examples/window.hpp"

namespace nw::ui {

LayerCensus::LayerCensus(Session& session, QWidget* parent) : QListWidget(parent), session_(session) {
  setObjectName(QStringLiteral("layerCensus"));
  setAccessibleName(tr("Layers by type"));
  setFrameShape(QFrame::NoFrame);
  connect(&session, &Session::documentChanged, this, &LayerCensus::refresh);
  connect(&session, &Session::documentReplaced, this, &LayerCensus::refresh);
  refresh();
}

void LayerCensus::refresh() {
  std::map<std::string, int> counts;
  for (const auto& [id, node] : session_.doc().graph().nodes) ++counts[node.type];
  clear();
  for (const auto& [type, count] : counts) addItem(tr("%1: %2").arg(QString::fromStdString(type)).arg(count));
}

}  // namespace nw::ui
