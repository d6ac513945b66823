// SPDX-License-Identifier: GPL-3.0-or-later
// What `netwright-cli submit` checks and does, one line each, with what it found. GUI thread.
#pragma once
#include <QListWidget>

#include "engine/core/json.hpp"

namespace nw::ui {

class StepList : public QListWidget {
  Q_OBJECT
 public:
  explicit StepList(QWidget* parent = nullptr);
  /// Nothing has been done.
  void clearSteps();
  /// A line of the command: of another type than "step" nothing changes.
  void take(const Json& line);
  /// What was begun last has failed, or was stopped.
  void fail();
  /// "Copy: 12 MB of 96 MB, 7 s left"; empty: nothing is being copied.
  QString copyText() const { return copy_; }
  /// 0 … 1; < 0: nothing is being copied.
  double copied() const { return copied_; }

 private:
  enum class State { open, begun, done, failed };
  void put(int row, State state, const QString& found);
  void takeCopy(const Json& line, bool done);
  int last_ = -1;
  double copied_ = -1;
  QString copy_;
};

}  // namespace nw::ui
