// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_groups.hpp"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QMap>
#include <algorithm>

#include "engine/runs/index/run_field.hpp"
#include "kernels/printable.hpp"
#include "ui/runs/run_table.hpp"
#include "ui/settings/setting_rows.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

struct RunGroupsTexts {
  Q_DECLARE_TR_FUNCTIONS(RunGroups)
};
constexpr int shown_hash = 8;  // of 16 letters
constexpr qsizetype longest_name_of_group = 80;

QString without(const QString& text) { return text.isEmpty() ? RunGroupsTexts::tr("None") : text; }

QString shortened(const std::string& text) {
  const QString shown = QString::fromStdString(printable(text));
  return shown.size() > longest_name_of_group ? shown.left(longest_name_of_group) + u'…' : shown;
}

QString valueOfSetting(const RunRow& row, const std::string& name) {
  if (!row.record) return {};
  const auto& all = row.record->settings;  // in the order of their names
  const auto at = std::lower_bound(all.begin(), all.end(), name,
                                   [](const RecordedSetting& s, const std::string& wanted) { return s.name < wanted; });
  return at == all.end() || at->name != name ? QString() : shortened(at->value);
}

QString hashOf(std::uint64_t hash) { return QString::fromStdString(hex(hash)); }

/// "lenet5, 61.7 k parameters (3fa1c2b0)": two networks of one name are told apart.
QString networkName(const RunRow& row) {
  const QString name = shortened(row.summary.name), hash = hashOf(row.record ? row.record->network_hash : 0);
  return RunGroupsTexts::tr("%1, %2 parameters (%3)")
      .arg(name, rounded(static_cast<double>(row.summary.parameters)), hash.left(shown_hash));
}

QString dataName(const RunRow& row) {
  QString where = valueOfSetting(row, "data.folder");
  if (where.isEmpty()) where = valueOfSetting(row, "data.kind");
  return QStringLiteral("%1 (%2)").arg(without(where.section(u'/', -1)),
                                       hashOf(row.record ? row.record->data_hash : 0).left(shown_hash));
}

QString dayOf(const RunRow& row) {
  const auto ms = static_cast<qint64>(row.summary.created * 1000);
  return QLocale().toString(QDateTime::fromMSecsSinceEpoch(ms).date(), QLocale::LongFormat);
}

QString plainStatus(const RunRow& row) {
  RunSummary only;
  only.status = row.summary.status;
  return statusStyle(only).text;
}

QString columnTitle(const RunColumn& column) {
  return column.computed.isEmpty() ? QCoreApplication::translate("RunModel", column.title) : column.name;
}

/// As the cells of the column say it.
RunGrouping ofColumn(const RunColumn& column) {
  auto text = column.text;
  if (column.key() == QLatin1String("status")) text = plainStatus;
  if (column.key() == QLatin1String("started")) text = dayOf;
  const auto name = [text](const RunRow& row) { return without(text(row)); };
  return {QStringLiteral("column/") + column.key(), columnTitle(column), text, name};
}

QString settingTitle(const QString& id) {
  for (const SettingRow& row : settingRows())
    if (row.id == id) return row.label;
  return id;
}

RunGrouping ofSetting(const QString& id) {
  const auto value = [name = id.toStdString()](const RunRow& row) { return valueOfSetting(row, name); };
  return {QStringLiteral("setting/") + id, settingTitle(id), value,
          [value](const RunRow& row) { return without(value(row)); }};
}

QVector<RunGrouping> ofTheWhole() {
  return {{QStringLiteral("project"), RunGroupsTexts::tr("Project"),
           [](const RunRow& row) { return QString::fromStdString(row.summary.name); },
           [](const RunRow& row) { return without(shortened(row.summary.name)); }},
          {QLatin1String(study_grouping), RunGroupsTexts::tr("Study, with its trials"),
           [](const RunRow& row) { return row.study; },
           [](const RunRow& row) { return row.study.isEmpty() ? RunGroupsTexts::tr("In no study") : row.study; }},
          {QStringLiteral("network"), RunGroupsTexts::tr("Network"),
           [](const RunRow& row) { return hashOf(row.record ? row.record->network_hash : 0); }, networkName},
          {QStringLiteral("data"), RunGroupsTexts::tr("Data"),
           [](const RunRow& row) { return hashOf(row.record ? row.record->data_hash : 0); }, dataName}};
}

constexpr const char* usual_columns[] = {"tags", "status", "optimizer", "device"};

bool isUsual(const RunColumn& column) {
  return std::any_of(std::begin(usual_columns), std::end(usual_columns),
                     [&](const char* id) { return column.key() == QLatin1String(id); });
}

}  // namespace

std::optional<RunGrouping> groupingOf(const QString& id) {
  for (const RunGrouping& one : ofTheWhole())
    if (one.id == id) return one;
  if (id.startsWith(QStringLiteral("setting/"))) return ofSetting(id.mid(8));
  const int column = id.startsWith(QStringLiteral("column/")) ? runColumn(id.mid(7)) : -1;
  return column < 0 ? std::nullopt : std::optional(ofColumn(runColumns()[column]));
}

QVector<RunGrouping> usualGroupings() {
  QVector<RunGrouping> all = ofTheWhole();
  for (const char* id : usual_columns) all += ofColumn(runColumns()[runColumn(id)]);
  return all;
}

QVector<RunGrouping> columnGroupings() {
  QVector<RunGrouping> all;
  for (const RunColumn& column : runColumns())
    if (column.cell != RunCell::key && column.cell != RunCell::curve && column.cell != RunCell::name &&
        !isUsual(column))
      all += ofColumn(column);
  return all;
}

QVector<RunGrouping> settingGroupings(const RunModel& model) {
  QMap<QString, QString> first;  // by the setting's name
  QStringList differing;
  for (int i = 0; i < model.rowCount(); ++i) {
    if (!model.row(i).record) continue;
    for (const RecordedSetting& s : model.row(i).record->settings) {
      const QString name = QString::fromStdString(s.name), value = QString::fromStdString(s.value);
      const auto known = first.constFind(name);
      if (known == first.constEnd())
        first.insert(name, value);
      else if (*known != value && !differing.contains(name))
        differing += name;
    }
  }
  QVector<RunGrouping> all;
  for (const QString& name : std::as_const(differing)) all += ofSetting(name);
  std::sort(all.begin(), all.end(),
            [](const RunGrouping& a, const RunGrouping& b) { return a.title.localeAwareCompare(b.title) < 0; });
  return all;
}

}  // namespace nw::ui
