// SPDX-License-Identifier: GPL-3.0-or-later
// Work on threads of the window's own. An exception there would end the program without a word.
#pragma once
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace nw::ui {

/// The GUI thread's event loop throws it again, where GuardedApplication saves the work and shows the sentence.
void throwOnGuiThread(std::exception_ptr exception);

template <class R>
using Guarded = std::conditional_t<std::is_void_v<R>, void, std::optional<R>>;

/// Wraps work of another thread: it returns what `work` returned, or nothing where that threw, which is then reported
/// as throwOnGuiThread() says.
template <class Work>
auto guarded(Work work) {
  return
      [work = std::move(work)]<class... Args>(Args&&... args) mutable -> Guarded<std::invoke_result_t<Work&, Args...>> {
        try {
          if constexpr (std::is_void_v<std::invoke_result_t<Work&, Args...>>)
            work(std::forward<Args>(args)...);
          else
            return work(std::forward<Args>(args)...);
        } catch (...) { throwOnGuiThread(std::current_exception()); }
        if constexpr (!std::is_void_v<std::invoke_result_t<Work&, Args...>>) return std::nullopt;
      };
}

}  // namespace nw::ui
