// SPDX-License-Identifier: GPL-3.0-or-later
// Which run is a branch of which, from the rows of a table. What run.json says is untrusted: circles are cut, and a
// chain deeper than most_deep begins again as a run of its own.
#pragma once
#include <QVector>

namespace nw::ui {

struct RunRow;

class RunTree {
 public:
  static constexpr int most_deep = 32;
  RunTree() = default;
  explicit RunTree(const QVector<RunRow>& rows);
  int parent(int row) const { return row < parents_.size() ? parents_[row] : -1; }  // -1: none
  int depth(int row) const { return row < depths_.size() ? depths_[row] : 0; }
  /// The whole tree of a row, each run before its branches; at most `most` rows.
  QVector<int> family(int row, int most) const;

 private:
  int ancestor(int row, int depth) const;
  QVector<int> parents_, depths_;
};

}  // namespace nw::ui
