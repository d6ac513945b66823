// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/run_title.hpp"

namespace nw::ui {

namespace {
constexpr int shown_at_first = 3;
}

QString RunRow::title() const { return notes.name.empty() ? runTitle(id()) : QString::fromStdString(notes.name); }

QString tagsText(const RunNotes& notes) {
  QStringList tags;
  for (const std::string& tag : notes.tags) tags += QString::fromStdString(tag);
  return tags.join(QStringLiteral(", "));
}

std::vector<std::string> tagsOf(const QString& line) {
  static const QRegularExpression commas(QStringLiteral("[,，、]"));
  std::vector<std::string> tags;
  for (const QString& word : line.split(commas, Qt::SkipEmptyParts))
    if (std::string tag = word.simplified().toStdString();
        !tag.empty() && std::find(tags.begin(), tags.end(), tag) == tags.end())
      tags.push_back(std::move(tag));
  return tags;
}

RunModel::RunModel(QObject* parent) : QAbstractTableModel(parent) { ui::takeComputedColumns(); }

void RunModel::takeComputedColumns() {
  beginResetModel();
  ui::takeComputedColumns();
  endResetModel();
}

void RunModel::setRows(QVector<RunRow> rows) {
  const bool same = rows.size() == rows_.size() &&
                    std::equal(rows.begin(), rows.end(), rows_.begin(),
                               [](const RunRow& a, const RunRow& b) { return a.summary.folder == b.summary.folder; });
  if (same) {
    rows_ = std::move(rows);
    tree_ = RunTree(rows_);
    if (!rows_.isEmpty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  } else {
    Q_EMIT layoutAboutToBeChanged();
    QStringList ids;
    const QModelIndexList before = persistentIndexList();
    for (const QModelIndex& i : before) ids += rows_[i.row()].id();
    rows_ = std::move(rows);
    tree_ = RunTree(rows_);
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
      const int row = find(ids[i]);
      after += row < 0 ? QModelIndex() : index(row, before[i].column());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
  }
  for (QString& id : chosen_)
    if (find(id) < 0) id.clear();
  if (!touched_) chooseFirst();
  Q_EMIT chosenChanged();
}

/// Until the user chooses: the newest runs that have a curve.
void RunModel::chooseFirst() {
  chosen_.clear();
  for (const RunRow& row : rows_)
    if (row.summary.curve.size() > 1 && chosen_.size() < shown_at_first) chosen_ += row.id();
}

int RunModel::find(const QString& id) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const RunRow& r) { return r.id() == id; });
  return found == rows_.end() || id.isEmpty() ? -1 : static_cast<int>(std::distance(rows_.begin(), found));
}

bool RunModel::hasSetting(std::string_view name) const {
  return rows_.isEmpty() || std::any_of(rows_.begin(), rows_.end(), [&](const RunRow& row) {
           return row.record && has_setting(*row.record, name);
         });
}

QStringList RunModel::chosen() const {
  QStringList out = chosen_;
  out.removeAll(QString());
  return out;
}

void RunModel::setChosen(const QString& id, bool on) {
  const int slot = slotOf(id), row = find(id);
  if (row < 0 || (slot >= 0) == on) return;
  touched_ = true;
  if (!on)
    chosen_[slot].clear();
  else if (const qsizetype free = chosen_.indexOf(QString()); free >= 0)
    chosen_[free] = id;
  else
    chosen_ += id;
  Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1), {Qt::CheckStateRole});
  Q_EMIT chosenChanged();
}

void RunModel::setNotes(const QString& id, const RunNotes& notes) {
  const int row = find(id);
  if (row < 0 || rows_[row].notes == notes) return;
  rows_[row].notes = notes;
  Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
  Q_EMIT chosenChanged();  // the legend has the name
}

QVariant RunModel::editText(const QModelIndex& at) const {
  const RunRow& r = rows_[at.row()];
  return at.column() == runColumn("tags") ? tagsText(r.notes) : r.title();
}

QVariant RunModel::data(const QModelIndex& at, int role) const {
  if (!at.isValid() || at.row() >= rowCount() || at.column() >= columnCount()) return {};
  const RunRow& r = rows_[at.row()];
  const RunColumn& column = runColumns()[at.column()];
  const bool isWaiting = r.record && !r.record->pause_reason.empty();
  switch (role) {
    case Qt::DisplayRole:
      return column.text(r);
    case Qt::EditRole:
      return column.editable ? editText(at) : QVariant();
    case Qt::ToolTipRole:
      if (at.column() == runColumn("status") && isWaiting) return translated(r.record->pause_reason);
      if (at.column() == runColumn("changes")) return r.changes.join(u'\n');
      if (at.column() == runColumn("notes")) return QString::fromStdString(r.notes.notes);
      return column.cell == RunCell::text || column.cell == RunCell::pills || column.cell == RunCell::name
                 ? QDir::toNativeSeparators(r.id())
                 : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (column.right ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::CheckStateRole:
      return column.cell == RunCell::key ? QVariant(slotOf(r.id()) >= 0 ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::AccessibleTextRole:
      return column.cell == RunCell::key                   ? tr("Show the curve of %1").arg(runColumns()[1].text(r))
             : column.cell == RunCell::status && isWaiting ? tr("Paused: %1").arg(translated(r.record->pause_reason))
                                                           : column.text(r);
    case sort_role:
      return column.sortKey(r);
    case row_role:
      return at.row();
    default:
      return {};
  }
}

bool RunModel::setData(const QModelIndex& at, const QVariant& value, int role) {
  if (!at.isValid() || at.row() >= rowCount()) return false;
  if (role == Qt::EditRole && runColumns()[at.column()].editable) {
    RunNotes notes = rows_[at.row()].notes;
    const QString typed = value.toString().simplified();
    if (at.column() == runColumn("tags"))
      notes.tags = tagsOf(typed);
    else
      notes.name = typed == runTitle(rows_[at.row()].id()) ? std::string() : typed.toStdString();
    if (notes == rows_[at.row()].notes) return true;
    // Later: an editor whose row is being removed hands its text over too, and the model must not change meanwhile.
    QMetaObject::invokeMethod(
        this, [this, id = rows_[at.row()].id(), notes] { Q_EMIT notesEdited(id, notes); }, Qt::QueuedConnection);
    return true;
  }
  if (role != Qt::CheckStateRole) return false;
  setChosen(rows_[at.row()].id(), value.toInt() == Qt::Checked);
  return true;
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section >= runColumns().size()) return {};
  const RunColumn& column = runColumns()[section];
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
    return *column.title ? QCoreApplication::translate("RunModel", column.title) : column.name;
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignVCenter | (column.right ? Qt::AlignRight : Qt::AlignLeft));
  if (role == Qt::InitialSortOrderRole)  // the first click shows the best, the largest, the newest first
    return column.best == BestValue::highest || (column.right && column.best == BestValue::none) ||
                   section == runColumn("started")
               ? Qt::DescendingOrder
               : Qt::AscendingOrder;
  return {};
}

Qt::ItemFlags RunModel::flags(const QModelIndex& at) const {
  if (!at.isValid()) return Qt::NoItemFlags;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  if (runColumns()[at.column()].cell == RunCell::key) flags |= Qt::ItemIsUserCheckable;
  if (runColumns()[at.column()].editable && rows_[at.row()].notesProblem.isEmpty()) flags |= Qt::ItemIsEditable;
  return flags;
}

}  // namespace nw::ui
