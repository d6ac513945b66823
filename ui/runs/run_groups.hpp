// SPDX-License-Identifier: GPL-3.0-or-later
// By what runs are put into groups: a column of the table, a training setting, the network, the data. Any thread but
// for names, which are in the language of the window.
#pragma once
#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <optional>

namespace nw::ui {

struct RunRow;
class RunModel;

struct RunGrouping {
  QString id;     // "project", "network", "column/optimizer", "setting/momentum": kept in the user's settings
  QString title;  // "Optimizer"
  std::function<QString(const RunRow&)> key;   // runs of the same key are a group
  std::function<QString(const RunRow&)> name;  // of the group of a run
};

/// Only in these groups the runs of studies are listed: there may be thousands.
inline constexpr const char* study_grouping = "study";

/// A group as it is shown: the runs below its header, and figures of all its runs, pinned ones too.
struct RunGroup {
  QString key, title;
  QVector<int> runs;  // rows of the model that do not stand above, among the pinned ones
  int count = 0, pinned = 0, known = 0;
  double best = 0, mean = 0;  // of the `known` runs that have the measured value
  int sample = -1;            // one of these
  bool open = true;
};

/// nullopt: there is no such column, or nothing was named.
std::optional<RunGrouping> groupingOf(const QString& id);
/// Those that need no list of their own, in the order of a menu.
QVector<RunGrouping> usualGroupings();
/// Of the other columns of the table.
QVector<RunGrouping> columnGroupings();
/// Of the settings whose values differ between these runs.
QVector<RunGrouping> settingGroupings(const RunModel& model);

}  // namespace nw::ui
