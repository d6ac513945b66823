// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the window that random clicks seldom reach, because a tab, a dialog or a run must be opened first.
#pragma once
#include <QWidget>
#include <cstdint>

#include "ui/shell/window/application.hpp"

namespace nw::ui {

struct Place {
  const char* name;
  /// Shows the part; of several of its kind, number `which`. `project`: a file that opens without problems. Null: it
  /// opened a dialog, or there is none.
  QWidget* (*show)(WindowHost& host, std::uint32_t which, const QString& project);
};
/// A row of the table of places.
const Place& placeOf(std::uint32_t n);

}  // namespace nw::ui
