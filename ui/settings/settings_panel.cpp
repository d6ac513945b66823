// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/page.hpp"

namespace nw::ui {

QWidget* makeSettingsPanel(Session&) { return new QWidget; }

}  // namespace nw::ui
