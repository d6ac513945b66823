// SPDX-License-Identifier: GPL-3.0-or-later
// netwright [FILE|RUN_DIR] [--template NAME]: the window.
#include "ui/shell/window/application.hpp"

int main(int argc, char** argv) { return nw::ui::runApplication(argc, argv); }
