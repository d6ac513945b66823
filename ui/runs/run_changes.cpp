// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_changes.hpp"

#include <QCoreApplication>
#include <map>

#include "kernels/printable.hpp"
#include "ui/settings/setting_rows.hpp"

namespace nw::ui {

namespace {
struct RunChangesTexts {
  Q_DECLARE_TR_FUNCTIONS(RunChanges)
};
constexpr qsizetype longest_value = 24;

QString settingName(const std::string& id) {
  const QString name = QString::fromStdString(printable(id));
  for (const SettingRow& row : settingRows())
    if (row.id == name) return row.label;
  return name;
}

QString shownValue(const std::string& value) {
  const QString text = QString::fromStdString(printable(value));
  return text.size() > longest_value ? text.left(longest_value) + u'…' : text;
}
}  // namespace

QStringList changesOf(const RunRecord& parent, const RunRecord& branch) {
  std::map<std::string, std::string> before;
  for (const RecordedSetting& s : parent.settings) before[s.name] = s.value;
  QStringList changes;
  for (const RecordedSetting& s : branch.settings) {
    const auto was = before.find(s.name);
    if (s.name.starts_with("data.") || (was != before.end() && was->second == s.value)) continue;
    changes +=
        was == before.end()
            ? settingName(s.name)
            : QStringLiteral("%1 %2 → %3").arg(settingName(s.name), shownValue(was->second), shownValue(s.value));
  }
  if (branch.network_hash != parent.network_hash) changes += RunChangesTexts::tr("network");
  if (branch.data_hash != parent.data_hash) changes += RunChangesTexts::tr("data");
  return changes;
}

}  // namespace nw::ui
