// SPDX-License-Identifier: GPL-3.0-or-later
// Where the last exception was thrown: this file takes the place of the C++ library's __cxa_throw, notes the call stack
// and goes on there. The sanitizers have a __cxa_throw of their own; their reports name the place.
#include "tests/monkey/throw_place.hpp"

#if defined(NW_SANITIZED)

namespace nw::ui {
void printThrowPlace() {}
}  // namespace nw::ui

#else
#include <dlfcn.h>
#include <execinfo.h>

#include <typeinfo>

namespace {
constexpr int most_frames = 24;
thread_local void* frames[most_frames];
thread_local int frame_count = 0;
}  // namespace

extern "C" [[noreturn]] void __cxa_throw(void* exception, std::type_info* type, void (*destroy)(void*)) {
  frame_count = ::backtrace(frames, most_frames);
  using Throw = void (*)(void*, std::type_info*, void (*)(void*));
  static const auto next = reinterpret_cast<Throw>(::dlsym(RTLD_NEXT, "__cxa_throw"));
  next(exception, type, destroy);
  __builtin_unreachable();
}

namespace nw::ui {
void printThrowPlace() { ::backtrace_symbols_fd(frames, frame_count, 1); }
}  // namespace nw::ui

#endif
