// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_filter.hpp"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/session.hpp"

namespace nw::ui {

RunFilter::RunFilter(RunModel& model, QObject* parent) : QAbstractProxyModel(parent), model_(model) {
  setSourceModel(&model);
  connect(&model, &QAbstractItemModel::layoutAboutToBeChanged, this, &RunFilter::beginChange);
  connect(&model, &QAbstractItemModel::layoutChanged, this, [this] {
    texts_.clear();
    endChange(arrange());
  });
  connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, &RunFilter::beginResetModel);
  connect(&model, &QAbstractItemModel::modelReset, this, [this] {
    texts_.clear();
    take(arrange());
    endResetModel();
  });
  connect(&model, &QAbstractItemModel::dataChanged, this, &RunFilter::takeChange);
  rearrange();
}

QString RunFilter::setWords(const QString& words) {
  static const QRegularExpression operators(QStringLiteral("[=<>~]"));
  std::optional<RunQuery> query;
  if (words.contains(operators)) {
    auto parsed = RunQuery::parse(words.toStdString());
    const Status known = parsed ? parsed->check([this](std::string_view name) { return model_.hasSetting(name); })
                                : Status(parsed.error());
    if (!known) return translated(known.error().what);
    query = *std::move(parsed);
  }
  query_ = std::move(query);
  words_ = query_ ? QStringList() : words.toCaseFolded().split(u' ', Qt::SkipEmptyParts);
  rearrange();
  return {};
}

void RunFilter::setStatus(std::optional<RunStatus> status) {
  status_ = status;
  rearrange();
}

void RunFilter::setTree(bool on) {
  if (std::exchange(isTree_, on) != on) rearrange();
}

void RunFilter::sort(int column, Qt::SortOrder order) {
  column_ = column;
  order_ = order;
  rearrange();
}

void RunFilter::setGrouping(const QString& id) {
  if (id == grouping()) return;
  grouping_ = groupingOf(id);
  collapsed_.clear();
  rearrange();
  Q_EMIT arranged();
}

void RunFilter::setMeasure(int column, const QString& title) {
  measure_ = column;
  measured_ = title;
  rearrange();
}

void RunFilter::setCollapsed(const QStringList& keys) {
  collapsed_ = QSet<QString>(keys.begin(), keys.end());
  rearrange();
  Q_EMIT arranged();
}

QStringList RunFilter::collapsed() const {
  QStringList keys(collapsed_.begin(), collapsed_.end());
  keys.sort();
  return keys;
}

void RunFilter::setAllCollapsed(bool on) {
  QStringList keys;
  if (on)
    for (const RunGroup& group : now_.groups) keys += group.key;
  setCollapsed(keys);
}

void RunFilter::setOpen(const QModelIndex& header, bool open) {
  const RunGroup* group = groupAt(header);
  if (!group || group->open == open) return;
  if (open)
    collapsed_.remove(group->key);
  else
    collapsed_.insert(group->key);
  rearrange();
  Q_EMIT arranged();
}

void RunFilter::setPins(const QStringList& runs) {
  pins_ = runs.mid(0, most_pins);
  rearrange();
  Q_EMIT arranged();
}

int RunFilter::pinnedLines() const {
  int count = 0;
  while (count < now_.lines.size() && now_.lines[count].run >= 0 && isPinned(model_.row(now_.lines[count].run).id()))
    ++count;
  return count;
}

bool RunFilter::setPinned(const QString& run, bool on) {
  if (on && !isPinned(run) && pins_.size() >= most_pins) return false;
  QStringList pins = pins_;
  pins.removeAll(run);
  if (on) pins += run;
  setPins(pins);
  return true;
}

/// In which words are searched; made once for each row.
const QString& RunFilter::wordsOf(int row) const {
  if (texts_.size() != model_.rowCount()) texts_ = QVector<QString>(model_.rowCount());
  QString& text = texts_[row];
  if (!text.isEmpty()) return text;
  const RunRow& r = model_.row(row);
  return text = QStringList{QString::fromStdString(r.summary.name),
                            QString::fromStdString(r.summary.folder.filename().string()),
                            QString::fromStdString(r.summary.device),
                            r.optimizer,
                            statusStyle(r).text,
                            QString::fromStdString(r.notes.name),
                            tagsText(r.notes),
                            QString::fromStdString(r.notes.notes)}
                    .join(u' ')
                    .toCaseFolded();
}

bool RunFilter::accepts(int row) const {
  const RunRow& r = model_.row(row);
  if (status_ && r.summary.status != *status_) return false;
  if (query_) return r.record && query_->matches(*r.record);
  return std::all_of(words_.begin(), words_.end(), [&](const QString& word) { return wordsOf(row).contains(word); });
}

RunFilter::Key RunFilter::keyOf(int row) const {
  const RunColumn& column = runColumns()[column_];
  const QVariant value = column.sortKey(model_.row(row));
  if (value.typeId() == QMetaType::QString) return {.text = value.toString()};
  const double number = value.toDouble();
  return {.known = isKnown(column, number), .isNumber = true, .number = number};
}

/// The accepted rows in the order of the chosen column; unknown values last, equal ones by age.
QVector<int> RunFilter::ordered() const {
  const bool sorted = column_ >= 0 && column_ < runColumns().size(), up = order_ == Qt::AscendingOrder;
  QVector<int> rows;
  QVector<Key> keys(model_.rowCount());
  for (int row = 0; row < model_.rowCount(); ++row)
    if (accepts(row)) {
      rows += row;
      if (sorted) keys[row] = keyOf(row);
    }
  if (!sorted) return rows;
  std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
    const Key &x = keys[a], &y = keys[b];
    if (x.known != y.known) return x.known;
    if (x.isNumber ? x.number != y.number : x.text != y.text)
      return (x.isNumber ? x.number < y.number : x.text < y.text) == up;
    const double then = model_.row(a).summary.created, other = model_.row(b).summary.created;
    return then != other && (then < other) == up;
  });
  return rows;
}

void RunFilter::measure(RunGroup& group, int row) const {
  const RunRow& run = model_.row(row);
  ++group.count;
  if (measure_ < 0 || measure_ >= runColumns().size()) return;
  const RunColumn& column = runColumns()[measure_];
  const double value = column.sortKey(run).toDouble();
  if (!isKnown(column, value)) return;
  const bool better = column.best == BestValue::lowest ? value < group.best : value > group.best;
  if (group.known == 0 || better) group.best = value;
  group.mean += (value - group.mean) / ++group.known;
  group.sample = row;
}

/// A pinned run counts in its group, though it stands above.
QVector<RunGroup> RunFilter::groupsOf(const QVector<int>& rest, const QVector<int>& pinned) const {
  QVector<RunGroup> groups;
  QHash<QString, int> byKey;
  const auto groupOf = [&](int row) -> RunGroup& {
    const QString key = grouping_->key(model_.row(row));
    const int at = byKey.value(key, static_cast<int>(groups.size()));
    if (at == groups.size()) {
      byKey.insert(key, at);
      groups.append({.key = key, .title = grouping_->name(model_.row(row)), .open = !collapsed_.contains(key)});
    }
    measure(groups[at], row);
    return groups[at];
  };
  for (const int row : rest) groupOf(row).runs += row;
  for (const int row : pinned) ++groupOf(row).pinned;
  return groups;
}

/// Each branch below the nearest run above it in its tree that is among `rows`, which keep their order otherwise.
QVector<RunFilter::Line> RunFilter::withBranches(const QVector<int>& rows, int group) const {
  QVector<Line> lines, next;  // the next one is the last
  const QSet<int> here(rows.begin(), rows.end());
  QHash<int, QVector<int>> below;
  for (auto row = rows.crbegin(); row != rows.crend(); ++row) {
    int up = isTree_ ? model_.tree().parent(*row) : -1;
    while (up >= 0 && !here.contains(up)) up = model_.tree().parent(up);
    if (up >= 0)
      below[up] += *row;
    else
      next.append({*row, group, 0});
  }
  while (!next.isEmpty()) {
    const Line line = next.takeLast();
    lines.append(line);
    for (const int row : below.value(line.run)) next.append({row, group, line.depth + 1});
  }
  return lines;
}

RunFilter::Lines RunFilter::arrange() const {
  QVector<int> pinned, rest;
  for (const int row : ordered()) (!pins_.isEmpty() && isPinned(model_.row(row).id()) ? pinned : rest) += row;
  Lines all;
  for (const int row : pinned) all.lines.append({row, -1, 0});
  all.runs = pinned;
  const auto add = [&](const QVector<int>& rows, int group, bool open) {
    const QVector<Line> lines = withBranches(rows, group);
    for (const Line& line : lines) all.runs += line.run;
    if (open) all.lines += lines;
  };
  if (!grouping_) add(rest, -1, true);
  if (grouping_) all.groups = groupsOf(rest, pinned);
  for (int g = 0; g < all.groups.size(); ++g) {
    all.lines.append({-1, g, 0});
    add(all.groups[g].runs, g, all.groups[g].open);
  }
  return all;
}

/// Nothing moves while the lines stay the same.
void RunFilter::rearrange() {
  Lines next = arrange();
  if (next.lines != now_.lines || lineOf_.size() != model_.rowCount()) {
    beginChange();
    return endChange(std::move(next));
  }
  now_ = std::move(next);
  if (!now_.groups.isEmpty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RunFilter::beginChange() {
  Q_EMIT layoutAboutToBeChanged();
  moving_ = persistentIndexList();
  places_.clear();
  for (const QModelIndex& at : std::as_const(moving_)) {
    const RunGroup* group = groupAt(at);
    places_.append({mapToSource(at), group != nullptr, group ? group->key : QString(), at.column()});
  }
}

/// The lines of the headers, by the groups' keys.
QHash<QString, int> RunFilter::take(Lines lines) {
  now_ = std::move(lines);
  lineOf_ = QVector<int>(model_.rowCount(), -1);
  QHash<QString, int> headers;
  for (int i = 0; i < now_.lines.size(); ++i)
    if (const Line& line = now_.lines[i]; line.run >= 0)
      lineOf_[line.run] = i;
    else
      headers.insert(now_.groups[line.group].key, i);
  return headers;
}

void RunFilter::endChange(Lines lines) {
  const QHash<QString, int> headers = take(std::move(lines));
  QModelIndexList after;
  for (const Place& place : std::as_const(places_))
    after += place.isHeader ? index(headers.value(place.group, -1), place.column) : mapFromSource(place.run);
  changePersistentIndexList(moving_, after);
  moving_.clear();
  places_.clear();
  Q_EMIT layoutChanged();
}

/// A check mark moves nothing.
void RunFilter::takeChange(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) {
  if (!roles.contains(Qt::CheckStateRole)) {
    texts_.clear();
    rearrange();
  }
  if (now_.lines.isEmpty()) return;
  const bool one = first.row() == last.row();
  const int line = one ? mapFromSource(first).row() : 0;
  if (line >= 0) Q_EMIT dataChanged(index(line, 0), index(one ? line : rowCount() - 1, columnCount() - 1));
}

const RunGroup* RunFilter::groupAt(const QModelIndex& at) const {
  return isLine(at) && now_.lines[at.row()].run < 0 ? &now_.groups[now_.lines[at.row()].group] : nullptr;
}

const RunRow& RunFilter::rowAt(const QModelIndex& at) const {
  static const RunRow none;
  return isLine(at) && now_.lines[at.row()].run >= 0 ? model_.row(now_.lines[at.row()].run) : none;
}

QString RunFilter::figuresOf(const RunGroup& group) const {
  QString text = tr("%n run(s)", nullptr, group.count);
  if (group.pinned > 0) text += tr(", %n of them pinned above", nullptr, group.pinned);
  if (group.known == 0) return text;
  const RunColumn& column = runColumns()[measure_];
  const RunRow& like = model_.row(group.sample);
  return text + QStringLiteral("   ") +
         tr("%1: best %2, mean %3")
             .arg(measured_, figureText(column, like, group.best), figureText(column, like, group.mean));
}

QString RunFilter::headerText(const RunGroup& group) const {
  return tr("Group %1, %2. %3")
      .arg(group.title, figuresOf(group).simplified(), group.open ? tr("Expanded") : tr("Collapsed"));
}

QModelIndex RunFilter::index(int row, int column, const QModelIndex& parent) const {
  const bool there = row >= 0 && row < now_.lines.size() && column >= 0 && column < columnCount() && !parent.isValid();
  return there ? createIndex(row, column) : QModelIndex();
}

int RunFilter::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : model_.columnCount(); }

QModelIndex RunFilter::mapToSource(const QModelIndex& at) const {
  return isLine(at) && now_.lines[at.row()].run >= 0 ? model_.index(now_.lines[at.row()].run, at.column())
                                                     : QModelIndex();
}

QModelIndex RunFilter::mapFromSource(const QModelIndex& at) const {
  return at.isValid() && at.row() < lineOf_.size() ? index(lineOf_[at.row()], at.column()) : QModelIndex();
}

QVariant RunFilter::data(const QModelIndex& at, int role) const {
  const RunGroup* group = groupAt(at);
  if (!group) return isLine(at) ? model_.data(mapToSource(at), role) : QVariant();
  if (role == Qt::DisplayRole) return at.column() == 0 ? group->title : QString();
  if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole) return headerText(*group);
  return {};
}

QVariant RunFilter::headerData(int section, Qt::Orientation orientation, int role) const {
  return model_.headerData(section, orientation, role);
}

Qt::ItemFlags RunFilter::flags(const QModelIndex& at) const {
  return groupAt(at) ? Qt::ItemIsEnabled | Qt::ItemNeverHasChildren : model_.flags(mapToSource(at));
}

}  // namespace nw::ui
