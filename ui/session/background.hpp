// SPDX-License-Identifier: GPL-3.0-or-later
// Work that must not hold up the window.
#pragma once
#include <QFutureWatcher>
#include <QtConcurrentRun>
#include <type_traits>
#include <utility>

#include "ui/session/guarded.hpp"

namespace nw::ui {

/// Runs `work` on a thread of the global pool, then calls `use` with what it returned on the owner's thread; never
/// after the owner was destroyed, and not where `work` threw, which is reported. (QFuture::then with a context is
/// not used: Qt 6.4 may access a context that is under destruction.)
template <class Work, class Use>
void inBackground(QObject* owner, Work work, Use use) {
  auto* watcher = new QFutureWatcher<Guarded<std::invoke_result_t<Work&>>>(owner);
  QObject::connect(watcher, &QFutureWatcherBase::finished, owner, [watcher, use = std::move(use)]() mutable {
    watcher->deleteLater();
    if (auto result = watcher->result()) use(*std::move(result));
  });
  watcher->setFuture(QtConcurrent::run(guarded(std::move(work))));
}

}  // namespace nw::ui
