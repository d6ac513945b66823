// SPDX-License-Identifier: GPL-3.0-or-later
// Where people were when they quit: project, page, block, chosen layer, and the piece of the drawing that was in view.
#pragma once
#include <QPointF>
#include <QString>
#include <optional>

namespace nw::ui {

class MainWindow;
class Session;

struct LastView {
  QString path, page;
  QString scope, layer;  // the block that was open, "" the network; the name of the chosen layer, "" none
  double zoom = 0;       // 0: not known
  QPointF centre;
};

/// At a normal quit. A project without a file leaves nothing.
void rememberView(MainWindow& window, const Session& session);
/// Of the last quit, where the project is still there.
std::optional<LastView> lastView();
/// The window, with that project open, as it was.
void restoreView(MainWindow& window, const LastView& view);

}  // namespace nw::ui
