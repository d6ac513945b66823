// SPDX-License-Identifier: GPL-3.0-or-later
// The run-time settings of a run: their values now, and the list of their changes. GUI thread.
#pragma once
#include <QStringList>
#include <QVector>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class RunFeed;

/// A value that a setting has or is to have.
struct SettingValue {
  double value = 0;
  bool scheduled = false;  // learning_rate: as the schedule has it, which is `value` in the next step
  bool operator==(const SettingValue&) const = default;
};

/// One change while the run trained. Layers that were frozen together are one change.
struct SettingChange {
  int number = 0;     // from 1, in the order in which they were made
  QStringList names;  // of engine/train/knobs.hpp
  SettingValue before, after;
  qint64 step = 0;  // the change holds from the step after it on
  double epoch = 0;
  double loss = qQNaN();  // validation loss now minus that before the change; NaN: not measured
  bool operator==(const SettingChange&) const = default;
};

/// In their order; those that a resumed run has taken back are left out.
QVector<SettingChange> settingChanges(const RunFeed& feed);

/// The definition with the changes that the run has recorded. The run must have its definition.
GraphDoc trainedNow(const RunFeed& feed);
/// The learning rate of the next step.
SettingValue rateNow(const RunFeed& feed);
/// A setting's value in the document: a number, or 0 and 1 of a layer's freezing.
double settingValue(const GraphDoc& doc, const QString& name);

/// "Learning rate", "Augmentation", "Freezing of conv1".
QString settingLabel(const QString& name);
/// "0.04", "off", "frozen", "as scheduled".
QString settingText(const QString& name, const SettingValue& value);
/// "Learning rate 0.4 → 0.04", "conv1, conv2 frozen".
QString changeText(const SettingChange& change);

}  // namespace nw::ui
