// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of steps that make a network smaller: rows of a table. To add one, add a row in step_kind.cpp; the Compress
// tab, its records and its chain of steps follow.
#pragma once
#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>
#include <span>

#include "engine/core/json.hpp"
#include "ui/session/command_chain.hpp"

namespace nw::ui {

/// What the controls of the Compress tab say. A kind of step reads the fields that concern it.
struct CompressPlan {
  QMap<QString, double> removed;                 // shares of channels, by layer
  QString criterion = QStringLiteral("fisher");  // of `compress --criterion`
  int epochs = 1;                                // of the training that follows
  QString teacher;                               // folder of a run; empty: none
  QString calibration = QStringLiteral("mse");   // of `compress --calibrate`
  bool operator==(const CompressPlan&) const = default;
};
Json jsonOf(const CompressPlan& plan);
/// Fields that are missing or of other types keep their defaults.
CompressPlan planFrom(const Json& json);

/// The weights that a step begins with, the folder of the run that it makes, and the project's name.
struct StepPlaces {
  QString run, checkpoint, to, project;
};
struct StepKind {
  const char *id, *icon;
  bool last;  // the run that it makes cannot be pruned or trained further
  QString (*title)(const CompressPlan&);
  /// What makes the run, in this order, with stages of stageOfStep(); nothing: the plan asks for no such step.
  QVector<StepCommand> (*commands)(const CompressPlan&, const StepPlaces&);
};
std::span<const StepKind> stepKinds();
/// Null: a later version's.
const StepKind* stepKind(const QString& id);
/// "Choosing channels", "Training".
QString stageOfStep(const QString& stage);

/// The arguments that measure what the kind would bring in latency, before anything is made.
QStringList trialArguments(const StepKind& kind, const CompressPlan& plan, const StepPlaces& places);
/// "Not faster on this processor (avx512-vnni) with batches of 8, 64: 0.24 → 0.58 ms." Empty: it is faster.
QString slowerSentence(const Json& trial);

}  // namespace nw::ui
