// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/workplace.hpp"

#include "engine/core/files.hpp"

namespace nw::ui {

Workplace::Workplace() : recovery(session, QString::fromStdString((state_folder() / "recovery").string())) {}

}  // namespace nw::ui
