// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/page.hpp"

namespace nw::ui {

QWidget* makeDataPanel(Session&) { return new QWidget; }

}  // namespace nw::ui
