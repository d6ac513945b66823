// SPDX-License-Identifier: GPL-3.0-or-later
// What lives as long as the program, while windows are built again for another language.
#pragma once
#include "ui/session/machine_watch.hpp"
#include "ui/session/recovery.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

struct AppState {
  AppState();
  Session session;
  MachineWatch machine;
  Recovery recovery;
};

}  // namespace nw::ui
