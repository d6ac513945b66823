// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace nw::ui {

/// Writes the call stack of this thread's last exception to standard output, a frame in a line as
/// `PROGRAM(+0xOFFSET)`: `addr2line -Cfe PROGRAM 0xOFFSET` names the function. Nothing under the sanitizers.
void printThrowPlace();

}  // namespace nw::ui
