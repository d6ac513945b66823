// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of a data check: the helper process's response, validated and put into words.
#pragma once
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "engine/core/json.hpp"

namespace nw::ui {

/// An image that takes part in a finding. `index` < 0: a file that could not be read.
struct FindingSample {
  bool testSet = false;
  qint64 index = -1;
  QString name;              // as sample_name() spells it
  bool superfluous = false;  // excluding it resolves the finding
};

struct Finding {
  QString title, detail;
  std::vector<FindingSample> samples;
  bool serious = false;  // distorts the measured accuracy
  /// Names of the samples whose exclusion resolves the finding.
  QStringList superfluous() const;
};

/// {"source": …, "args": […]}, a translatable text of the helper process; nullopt for any other value.
std::optional<Text> text_in(const Json& json);
/// The findings in the response to "check".
std::vector<Finding> findings_from(const Json& answer, const QStringList& classes);
/// The label issues in the response to "suspects".
std::vector<Finding> label_issues_from(const Json& answer, const QStringList& classes);

}  // namespace nw::ui
