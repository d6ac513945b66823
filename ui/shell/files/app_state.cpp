// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/app_state.hpp"

#include "engine/core/files.hpp"

namespace nw::ui {

AppState::AppState() : recovery(session, QString::fromStdString((state_folder() / "recovery").string())) {}

}  // namespace nw::ui
