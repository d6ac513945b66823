// SPDX-License-Identifier: GPL-3.0-or-later
// The text forms of all screens that are committed: a file NAME.txt for each.
#pragma once
#include <QString>
#include <QStringList>

namespace nw::ui {

class ExpectedForms {
 public:
  enum class Task { nothing, compare, write };
  ExpectedForms() = default;  // nothing is compared
  ExpectedForms(Task task, const QString& folder) : task_(task), folder_(folder) {}
  bool wanted() const { return task_ != Task::nothing; }
  /// compare: empty, or what differs from the file, its first 20 lines. write: empty; a file from which the form
  /// differs is replaced, one that differs by a unit in places is left. Nothing is done where there is no file.
  QString take(const QString& screen, const QStringList& form) const;

 private:
  Task task_ = Task::nothing;
  QString folder_;
};

}  // namespace nw::ui
