// SPDX-License-Identifier: GPL-3.0-or-later
// What the Runs page shows, under names: filter, order, columns, tree, and the chart's quantity and axis. Kept in the
// user's settings, whose file is replaced as a whole. GUI thread.
#pragma once
#include <QString>
#include <QVector>

#include "ui/runs/column_choice.hpp"

namespace nw::ui {

struct RunView {
  QString name, words;
  int status = 0;  // of the page's statuses; 0: all
  bool tree = true;
  TableState table;
  QString metric, axis;
  QStringList charted;            // folders of the runs in the chart
  QString grouping;               // RunGrouping::id; empty: no groups
  QStringList collapsed, pinned;  // keys of groups; folders of the runs that stand above all others
  bool operator==(const RunView&) const = default;
};

inline constexpr int most_views = 50;

/// In the order of their names; damaged ones are left out.
QVector<RunView> savedViews();
/// In place of the one of that name. False: there are too many.
bool saveView(const RunView& view);
void removeView(const QString& name);

}  // namespace nw::ui
