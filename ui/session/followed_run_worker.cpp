// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/followed_run_worker.hpp"

#include <QMetaObject>
#include <chrono>

#include "engine/runs/run_notes.hpp"
#include "ui/session/guarded.hpp"

namespace nw::ui {

namespace {
using namespace std::chrono_literals;
constexpr auto live_pause = 33ms;
constexpr auto idle_pause = 250ms;
constexpr auto just_followed = 10s;  // a starting run has no lock yet
constexpr auto name_every = 500ms;   // the user may rename a run that is shown
constexpr int definition_every = 3;  // read rounds between two attempts
constexpr std::size_t batch_bytes = std::size_t{1} << 20;
}  // namespace

FollowedRun::Worker::~Worker() {
  thread.request_stop();
  {
    const std::lock_guard lock(box->mutex);
    box->closed = true;
  }
  box->changed.notify_all();
}

void FollowedRun::Worker::begin(QObject* context, std::function<void(Batch&)> deliver) {
  thread = std::jthread(guarded(
      [this, context, deliver = std::move(deliver)](const std::stop_token& stop) { loop(stop, context, deliver); }));
}

void FollowedRun::Worker::loop(const std::stop_token& stop, QObject* context,
                               const std::function<void(Batch&)>& deliver) {
  const auto begin = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    Batch batch = read();
    const bool drained = batch.drained, alive = batch.alive;
    if (isChange(batch)) hand(std::move(batch), context, deliver);
    std::unique_lock lock(box->mutex);
    const auto now = std::chrono::steady_clock::now();
    const auto until = now + (!drained || alive || now < begin + just_followed ? live_pause : idle_pause);
    box->changed.wait(lock, stop, [&] { return !box->busy; });
    box->changed.wait_until(lock, stop, until, [] { return false; });
  }
}

FollowedRun::Batch FollowedRun::Worker::read() {
  Batch batch;
  batch.alive = is_running(folder);  // before reading: otherwise the last events of a process could be missed
  const auto more = tail.poll(batch.events, batch_bytes);
  batch.drained = !more || !*more;
  // After the events, which report whether and from which step the run was resumed.
  if (const auto yet = batch.drained ? layers.poll(batch.events, batch_bytes) : Result<bool>(false); yet && *yet)
    batch.drained = false;
  batch.damagedStatistics = layers.damaged_lines();
  readName();
  batch.givenName = name;
  if (!hasDefinition && definitionTries++ % definition_every == 0) {
    if (auto definition = read_run_definition(folder)) {
      batch.definition = std::make_unique<RunDefinition>(*std::move(definition));
      hasDefinition = true;
    }
  }
  return batch;
}

/// Notes that cannot be read leave the name as it was.
void FollowedRun::Worker::readName() {
  const auto now = std::chrono::steady_clock::now();
  if (now < nameRead + name_every) return;
  nameRead = now;
  if (const auto notes = read_run_notes(folder)) name = QString::fromStdString(notes->name);
}

bool FollowedRun::Worker::isChange(const Batch& batch) {
  const bool news = !batch.events.empty() || batch.definition || batch.alive != wasAlive ||
                    batch.drained != wasDrained || batch.damagedStatistics != wasDamaged || batch.givenName != wasName;
  wasName = batch.givenName;
  wasDamaged = batch.damagedStatistics;
  wasAlive = batch.alive;
  wasDrained = batch.drained;
  return news;
}

void FollowedRun::Worker::hand(Batch batch, QObject* context, const std::function<void(Batch&)>& deliver) {
  {
    const std::lock_guard lock(box->mutex);
    box->busy = true;
  }
  auto shared = std::make_shared<Batch>(std::move(batch));
  QMetaObject::invokeMethod(
      context,
      [shared, deliver, mailbox = box] {
        {
          const std::lock_guard lock(mailbox->mutex);
          if (mailbox->closed) return;  // another run is followed now
        }
        deliver(*shared);
        {
          const std::lock_guard lock(mailbox->mutex);
          mailbox->busy = false;
        }
        mailbox->changed.notify_all();
      },
      Qt::QueuedConnection);
}

}  // namespace nw::ui
