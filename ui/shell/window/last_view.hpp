// SPDX-License-Identifier: GPL-3.0-or-later
// The view at the last quit: project, page, run, block, selected layer, and the visible part of the canvas.
#pragma once
#include <QPointF>
#include <QString>
#include <optional>

namespace nw::ui {

class MainWindow;
class Session;

struct LastView {
  QString path, page;
  QString scope, layer;  // the open block, "" for the network; the selected layer's name, "" for none
  double zoom = 0;       // 0: unknown
  QPointF centre;
  QString run;  // the folder of the run that was followed; "" for none
};

/// Stores the view at a normal quit; for a project without a file nothing is stored.
void rememberView(MainWindow& window, Session& session);
/// The view of the last quit; nullopt if the project file no longer exists.
std::optional<LastView> lastView();
/// Restores the view in a window that has the project open.
void restoreView(MainWindow& window, Session& session, const LastView& view);

}  // namespace nw::ui
