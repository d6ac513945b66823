// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_tree.hpp"

#include <QHash>

#include "ui/runs/run_table.hpp"

namespace nw::ui {

RunTree::RunTree(const QVector<RunRow>& rows) : parents_(rows.size(), -1), depths_(rows.size(), 0) {
  QHash<QString, int> byName;
  for (int i = 0; i < rows.size(); ++i)
    byName.insert(QString::fromStdString(rows[i].summary.folder.filename().string()), i);
  for (int i = 0; i < rows.size(); ++i)
    if (rows[i].record && rows[i].record->parent_step >= 0)
      parents_[i] = byName.value(QString::fromStdString(rows[i].record->parent), -1);
  for (int i = 0; i < rows.size(); ++i) {
    int depth = 0, up = parents_[i];
    while (up >= 0 && up != i && depth < most_deep) up = parents_[up], ++depth;
    if (up >= 0) parents_[i] = -1;  // a circle, or too deep
  }
  for (int i = 0; i < rows.size(); ++i)
    for (int up = parents_[i]; up >= 0; up = parents_[up]) ++depths_[i];
}

int RunTree::ancestor(int row, int depth) const {
  while (row >= 0 && this->depth(row) > depth) row = parents_[row];
  return row;
}

QVector<int> RunTree::family(int row, int most) const {
  QVector<int> out{ancestor(row, 0)};
  for (int at = 0; at < out.size(); ++at)  // every run's branches right behind it
    for (int i = 0; i < parents_.size() && out.size() < most; ++i)
      if (parents_[i] == out[at]) out.insert(at + 1, i);
  return out;
}

}  // namespace nw::ui
