// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_follower.hpp"

#include <QDateTime>

#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

namespace {
constexpr int journal_soon_ms = 80, journal_regular_ms = 500;
constexpr double again_s = 1;  // a study that runs is shown anew without a record, because its time goes on
}  // namespace

struct StudyFollower::Reader {
  explicit Reader(const fs::path& folder) : tail(folder) {}
  search::StudyTail tail;
  quint64 shown = 0;
  bool wasRunning = false, any = false;
  double shownAt = 0;
};

StudyFollower::StudyFollower(QObject* parent) : QObject(parent) {
  soon_.setSingleShot(true);
  soon_.setInterval(journal_soon_ms);
  regular_.setInterval(journal_regular_ms);
  connect(&soon_, &QTimer::timeout, this, &StudyFollower::poll);
  connect(&regular_, &QTimer::timeout, this, &StudyFollower::poll);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &StudyFollower::readSoon);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &StudyFollower::readSoon);
}

void StudyFollower::follow(const fs::path& folder) {
  if (folder == folder_) return readSoon();
  folder_ = folder;
  problem_.clear();
  ++generation_;
  busy_ = again_ = false;
  if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
  if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
  reader_ = folder.empty() ? nullptr : std::make_shared<Reader>(folder);
  if (reader_) poll();
}

void StudyFollower::setWatching(bool on) {
  if (!on) return regular_.stop();
  regular_.start();
  poll();
}

void StudyFollower::readSoon() {
  if (!soon_.isActive()) soon_.start();
}

StudyFollower::Reading StudyFollower::read(Reader& reader) {
  const bool running = is_running(reader.tail.folder());  // before the file, whose last record it then has written
  const auto more = reader.tail.poll();
  if (!more) return {.data = nullptr, .problem = translated(more.error().what), .more = false};
  const double clock = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000;
  const bool newer = reader.tail.version() != reader.shown || running != reader.wasRunning || !reader.any;
  const bool late = running && clock - reader.shownAt > again_s;
  if (!reader.tail.study().began() || *more || !(newer || late)) return {.data = nullptr, .problem = {}, .more = *more};
  reader.shown = reader.tail.version();
  reader.wasRunning = running;
  reader.any = true;
  reader.shownAt = clock;
  return {.data = snapshotOf(reader.tail, running, clock), .problem = {}, .more = false};
}

void StudyFollower::poll() {
  if (!reader_) return;
  if (busy_) {
    again_ = true;
    return;
  }
  const QString journal = QString::fromStdString((folder_ / search::journal_file).string());
  if (watcher_.files().isEmpty()) watcher_.addPaths({journal, QString::fromStdString(folder_.string())});
  busy_ = true;
  inBackground(
      this, [reader = reader_] { return read(*reader); },
      [this, generation = generation_](const Reading& reading) {
        if (generation == generation_) take(reading);
      },
      [this, generation = generation_] {
        if (generation == generation_) busy_ = false;
      });
}

void StudyFollower::take(const Reading& reading) {
  busy_ = false;
  if (!reading.problem.isEmpty() && reading.problem != problem_) Q_EMIT failed(reading.problem);
  problem_ = reading.problem;
  if (reading.data) Q_EMIT changed(reading.data);
  if (reading.more || std::exchange(again_, false)) readSoon();
}

}  // namespace nw::ui
