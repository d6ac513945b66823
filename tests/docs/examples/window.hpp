// SPDX-License-Identifier: GPL-3.0-or-later
// The examples for the window: a chart, a page of a dock, a canvas command.
#pragma once
#include <QListWidget>

#include "ui/canvas/commands/commands.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/charts/chart_table.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

extern const ChartRow<RunFeed> gap_chart;
extern const CanvasCommand select_frozen;

class LayerCensus : public QListWidget {
  Q_OBJECT
 public:
  explicit LayerCensus(Session& session, QWidget* parent = nullptr);

 private:
  void refresh();
  Session& session_;
};

}  // namespace nw::ui
