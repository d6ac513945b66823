// SPDX-License-Identifier: GPL-3.0-or-later
// Training settings as a table: one row each. The panel, its undo texts and its tests are made from it.
#pragma once
#include <QString>
#include <functional>
#include <vector>

#include "engine/design/settings.hpp"

namespace nw::ui {

struct SettingChoice {
  QString text;
  QString whyNot;                                           // the reason shown where it cannot be chosen
  std::function<bool(const TrainSettings&)> possible = {};  // empty: it always can
};

struct SettingRow {
  enum class Kind { integer, real, toggle, choice };
  QString id, section, label, help;
  Kind kind = Kind::integer;
  double lo = 0, hi = 1;  // integer, real
  double step = 0;        // integer, real; 0: 1-2-5 steps (real), doubling (integer)
  QString zero;           // text shown instead of 0; empty: the number
  QString unit, unitOne;  // behind the number; behind 1 when that differs
  std::vector<SettingChoice> choices;
  std::function<double(const TrainSettings&)> get;  // a choice's position, 0 or 1, or the number
  std::function<void(TrainSettings&, double)> set;
  std::function<bool(const TrainSettings&)> applies;  // empty: always
};

/// In the order they are shown; rows of a section stand together. Texts are in the window's language at the time of the
/// call.
std::vector<SettingRow> settingRows();

}  // namespace nw::ui
