// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_feed.hpp"

#include "ui/session/run_title.hpp"

namespace nw::ui {

RunFeed::RunFeed(QObject* parent) : QObject(parent), run_(FollowedRun::of({})) {}

void RunFeed::follow(const QString& runFolder) {
  disconnect(run_.get(), nullptr, this, nullptr);
  run_ = FollowedRun::of({});  // first: a folder that no other feed follows is read again from its start
  folder_ = runFolder;
  run_ = FollowedRun::of(folder_);
  relay();
  Q_EMIT reset();
  announce();
  Q_EMIT statusChanged();
}

QString RunFeed::title() const { return run_->givenName().isEmpty() ? runTitle(folder_) : run_->givenName(); }

void RunFeed::relay() {
  const FollowedRun* run = run_.get();
  connect(run, &FollowedRun::reset, this, &RunFeed::reset);
  connect(run, &FollowedRun::definitionArrived, this, &RunFeed::definitionArrived);
  connect(run, &FollowedRun::nameChanged, this, &RunFeed::nameChanged);
  connect(run, &FollowedRun::stepsArrived, this, &RunFeed::stepsArrived);
  connect(run, &FollowedRun::epochArrived, this, &RunFeed::epochArrived);
  connect(run, &FollowedRun::machineArrived, this, &RunFeed::machineArrived);
  connect(run, &FollowedRun::splitArrived, this, &RunFeed::splitArrived);
  connect(run, &FollowedRun::ranksArrived, this, &RunFeed::ranksArrived);
  connect(run, &FollowedRun::logArrived, this, &RunFeed::logArrived);
  connect(run, &FollowedRun::statisticsArrived, this, &RunFeed::statisticsArrived);
  connect(run, &FollowedRun::statusChanged, this, &RunFeed::statusChanged);
}

/// Announces the data that a run shared with another feed has already read.
void RunFeed::announce() {
  if (definition()) Q_EMIT definitionArrived();
  if (!loss().x.isEmpty()) Q_EMIT stepsArrived();
  if (!epochs().empty()) Q_EMIT epochArrived();
  if (!machine().empty()) Q_EMIT machineArrived();
  if (split().count > 0) Q_EMIT splitArrived();
  if (!ranks().ranks.empty() || !ranksOfEpoch().ranks.empty() || predictedBubble() >= 0) Q_EMIT ranksArrived();
  if (!log().empty()) Q_EMIT logArrived();
  if (!statistics().empty()) Q_EMIT statisticsArrived();
}

}  // namespace nw::ui
