// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
class QWidget;

namespace nw::ui {

/// Every shared control in its states, and every icon.
QWidget* makeComponentSheet();

}  // namespace nw::ui
