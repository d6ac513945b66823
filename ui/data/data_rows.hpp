// SPDX-License-Identifier: GPL-3.0-or-later
// The data choice as a table with one row per setting, like the training settings.
#pragma once
#include <QString>
#include <functional>
#include <variant>
#include <vector>

#include "engine/design/choice.hpp"

namespace nw::ui {

struct DataRow {
  enum class Kind { choice, file, folder, text, number, toggle };
  // text for file, folder, text; else a number, 0 or 1, a choice's position
  using Value = std::variant<double, QString>;
  QString id, section, label, help;
  Kind kind = Kind::text;
  double lo = 0, hi = 1, step = 1;
  // number: text for 0, unit; file, folder, text: `zero` is shown while it is empty
  QString zero, unit;
  QStringList choices;
  std::function<Value(const DataChoice&)> get;
  std::function<void(DataChoice&, const Value&)> set;
  std::function<bool(const DataChoice&)> applies;  // empty: always
};
std::vector<DataRow> dataRows();

/// The most likely source for a dropped file or folder: MNIST or CIFAR files, a CSV file, COCO or VOC lists, a folder
/// of images per class, also in an archive.
DataChoice choice_for(const QString& path, const DataChoice& current);

/// Changes the kind of source; removes options of the old kind and targets that only the old kind supports. A path that
/// the new kind can read is kept.
void choose_kind(DataChoice&, SourceKind);
/// Changes the kind to that of the files at the path, if they are of another kind than the present one.
void follow_path(DataChoice&);
/// A short name: "MNIST", "Synthetic digits", or the last part of the path; "": no data is chosen.
QString described(const DataChoice&);

}  // namespace nw::ui
