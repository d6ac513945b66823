// SPDX-License-Identifier: GPL-3.0-or-later
// Work that must not hold up the window.
#pragma once
#include <QFutureWatcher>
#include <QtConcurrentRun>
#include <functional>
#include <new>
#include <type_traits>
#include <utility>

#include "kernels/result.hpp"
#include "ui/session/guarded.hpp"

namespace nw::ui {

/// Work that returns a Result or a Status returns an error where there is not enough memory for it.
template <class Work>
auto withinMemory(Work work) {
  using R = std::invoke_result_t<Work&>;
  return [work = std::move(work)]() mutable -> R {
    if constexpr (!std::is_convertible_v<Error, R>) {
      return work();
    } else {
      try {
        return work();
      } catch (const std::bad_alloc&) {
        return fail(Errc::out_of_memory,
                    NW_TR("There is not enough memory for this. Close other programs and try again."));
      }
    }
  };
}

/// Runs `work` on a thread of the global pool, then calls `use` with what it returned on the owner's thread; never
/// after the owner was destroyed, and not where `work` threw, which is reported: then `giveUp` is called, where an
/// owner that waits stops waiting. (QFuture::then with a context is not used: Qt 6.4 may access a context that is under
/// destruction.)
template <class Work, class Use>
void inBackground(QObject* owner, Work work, Use use, std::function<void()> giveUp = {}) {
  auto* watcher = new QFutureWatcher<Guarded<std::invoke_result_t<Work&>>>(owner);
  QObject::connect(watcher, &QFutureWatcherBase::finished, owner,
                   [watcher, use = std::move(use), giveUp = std::move(giveUp)]() mutable {
                     watcher->deleteLater();
                     if (auto result = watcher->result())
                       use(*std::move(result));
                     else if (giveUp)
                       giveUp();
                   });
  watcher->setFuture(QtConcurrent::run(guarded(withinMemory(std::move(work)))));
}

}  // namespace nw::ui
