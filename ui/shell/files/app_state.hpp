// SPDX-License-Identifier: GPL-3.0-or-later
// Objects with the lifetime of the program; windows are rebuilt for another language.
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
