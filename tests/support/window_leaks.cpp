// SPDX-License-Identifier: GPL-3.0-or-later
// What Qt, its styles and fontconfig keep until a process ends is not ours: programs that show the window are not asked
// for leaks by the address sanitizer.

extern "C" const char* __asan_default_options() { return "detect_leaks=0:handle_abort=1"; }
