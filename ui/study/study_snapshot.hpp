// SPDX-License-Identifier: GPL-3.0-or-later
// A study at one moment, as its views show it: made on a worker thread, never changed afterwards.
#pragma once
#include <QString>
#include <QVector>
#include <memory>

#include "engine/search/importance.hpp"
#include "engine/search/study_tail.hpp"

namespace nw::ui {

/// A number that trials are compared by, or that they were trained with, as a scale from 0 to 1.
struct StudyAxis {
  int parameter = -1;  // of the space; -1: an objective
  int objective = 0;   // where parameter is -1
  double low = 0, high = 1;
  bool log = false, better = true;  // better: larger numbers of an objective are better
  QVector<float> places;            // of each trial, 0…1; NaN: it has none
  /// The same for the same parameter or objective, wherever the axis stands.
  int key() const { return parameter >= 0 ? parameter : -1 - objective; }
  double place(double value) const;
  double value(double place) const;
};

struct StudySnapshot {
  fs::path folder;
  quint64 version = 0;  // of the journal; equal ones have equal trials
  search::StudyDefinition definition;
  std::vector<search::Trial> trials;
  std::vector<search::Repeated> repeats;
  std::vector<search::Stretch> stretches;
  std::vector<search::Importance> importance;
  std::vector<StudyAxis> axes;   // the parameters that matter most, then the objectives
  QVector<double> values;        // of each trial the best first objective; NaN: none
  QVector<double> seconds;       // of each trial
  QVector<qint64> front;         // trials of the Pareto front
  QVector<qint64> rungs;         // epochs at which trials pause, the last one: all epochs; empty: they do not
  qint64 wanted = 0, best = -1;  // best: the trial; -1: none, or two objectives
  std::size_t lanes = 0;
  double nowS = 0, pace = 0;                            // pace: seconds per epoch of all lanes together; 0: unknown
  bool running = false, held = false, canGoOn = false;  // held: paused while it runs

  const StudyAxis* axis(int key) const;  // nullptr: it is not among the axes
  qint64 count(search::TrialState state) const;
  qint64 epochsSpent() const;
  /// A guess from the trials so far, seconds; 0: unknown.
  double secondsLeft() const;
};
using StudyData = std::shared_ptr<const StudySnapshot>;

/// `clock`: Unix seconds now.
StudyData snapshotOf(const search::StudyTail& tail, bool running, double clock);
/// Epochs that the trial has finished.
qint64 epochsOf(const search::Trial& trial);

}  // namespace nw::ui
