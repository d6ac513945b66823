// SPDX-License-Identifier: Apache-2.0
// In a sanitizer's build the program's longer list of optimizers stands in for that of a shared library. Two lists of
// one name are what the test wants, and no fault.
extern "C" const char* __asan_default_options() { return "detect_odr_violation=0"; }
