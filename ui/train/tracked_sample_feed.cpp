// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/tracked_sample_feed.hpp"

#include <utility>

#include "ui/session/background.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

namespace {
constexpr int interval_ms = 400;
}

struct TrackedSampleFeed::Found {
  bool news = false, none = false;
  Stamp stamp;
  std::shared_ptr<const TrackedSampleHistory> history;
  Text why;
};

TrackedSampleFeed::TrackedSampleFeed(const RunFeed& feed, QObject* parent) : QObject(parent), feed_(feed) {
  timer_.setInterval(interval_ms);
  connect(&timer_, &QTimer::timeout, this, &TrackedSampleFeed::read);
  connect(&feed_, &RunFeed::reset, this, &TrackedSampleFeed::refollow);
  connect(&feed_, &RunFeed::statusChanged, this, &TrackedSampleFeed::read);
}

void TrackedSampleFeed::setWatching(bool on) {
  watching_ = on;
  if (on)
    read();
  else
    timer_.stop();
}

/// After another run was chosen, or after a resume discarded the last steps.
void TrackedSampleFeed::refollow() {
  stamp_ = {};
  if (run_ != feed_.folder()) {
    run_ = feed_.folder();
    history_.reset();
    sentence_.clear();
    Q_EMIT changed();
  }
  read();
}

TrackedSampleFeed::Found TrackedSampleFeed::look(const fs::path& run, const Stamp& known) {
  Found f;
  std::error_code error;
  const fs::path file = run / "probes.bin";
  f.stamp = {fs::file_size(file, error),
             static_cast<qint64>(fs::last_write_time(file, error).time_since_epoch().count())};
  if (!error && f.stamp == known) return f;
  f.news = true;
  auto history = read_tracked_samples(run);
  if (history)
    f.history = std::make_shared<const TrackedSampleHistory>(*std::move(history));
  else
    f.why = history.error().what, f.none = history.error().code == Errc::not_recorded;
  return f;
}

void TrackedSampleFeed::read() {
  run_ = feed_.folder();
  const bool live = feed_.status() == RunStatus::running;
  if (!watching_ || run_.isEmpty()) return timer_.stop();
  if (live != timer_.isActive()) live ? timer_.start() : timer_.stop();
  again_ = busy_;  // the reading in progress may have begun before the change
  if (busy_) return;
  busy_ = true;
  inBackground(
      this, [run = fs::path(run_.toStdString()), known = stamp_] { return look(run, known); },
      [this, run = run_](const Found& found) { take(run, found); }, [this] { busy_ = false; });
}

void TrackedSampleFeed::take(const QString& run, const Found& found) {
  busy_ = false;
  if (run != feed_.folder()) return read();
  const bool again = std::exchange(again_, false);
  if (found.news) show(found);
  if (again) read();
}

void TrackedSampleFeed::show(const Found& found) {
  stamp_ = found.stamp;
  history_ = found.history;
  const bool live = feed_.status() == RunStatus::running;
  sentence_ = history_             ? QString()
              : found.none && live ? tr("The tracked samples are predicted for the first time when training starts.")
                                   : translated(found.why);
  Q_EMIT changed();
}

}  // namespace nw::ui
