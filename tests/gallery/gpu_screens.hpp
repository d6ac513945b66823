// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of GPUs in each state: one, several, busy, lost in mid-run, out of memory, a driver that is too
// old, a library that cannot be used. The GPUs are fake (tests/support/fake_machine.hpp); everything else is real.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "tests/gallery/screens.hpp"

namespace nw::ui {

/// The fake GPUs of a screen and the variables of tests/gpu/library; nullopt: the screen has none.
struct GpuSetup {
  int gpus = 1;
  std::map<std::string, std::string> variables{};
};
std::optional<GpuSetup> gpuSetup(const char* screen);

/// The screens, as those of screens().
const std::vector<Screen>& gpuScreens();

}  // namespace nw::ui
