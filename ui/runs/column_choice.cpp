// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/column_choice.hpp"

#include <QCoreApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>

#include "ui/runs/run_table.hpp"
#include "ui/runs/runs_view.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {

namespace {
const char* const columnsKey = "runs/columns";  // "id/width/shown" of each column, in the order of the screen
const char* const sortKey = "runs/sort";        // "id/ascending"
constexpr int save_after_ms = 400, beside_name = 28, widest = 2000;  // beside_name: margins and the sort arrow

bool isFixed(int column) { return column <= runColumn("run"); }
QSet<int> pinnedAtFirst() { return {runColumn("key"), runColumn("run")}; }
QString idOf(int column) { return runColumns()[column].key(); }
}  // namespace

ColumnChoice::ColumnChoice(RunsView& table) : QObject(&table), table_(table) {
  timer_.setSingleShot(true);
  timer_.setInterval(save_after_ms);
  apply({QSettings().value(QLatin1String(columnsKey)).toStringList(),
         QSettings().value(QLatin1String(sortKey)).toString()});
  for (QHeaderView* header : {table_.horizontalHeader(), table_.pinnedPart().horizontalHeader()}) {
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this,
            [this, header](const QPoint& at) { openMenu(header->mapToGlobal(at), header->logicalIndexAt(at)); });
  }
  const QHeaderView* header = table_.horizontalHeader();
  connect(&timer_, &QTimer::timeout, this, &ColumnChoice::save);
  connect(header, &QHeaderView::sectionMoved, this, [this] {
    if (!quiet_) keepQuiet([this] { putPinnedFirst(); });
    save();
  });
  connect(header, &QHeaderView::sortIndicatorChanged, this, &ColumnChoice::save);
  connect(header, &QHeaderView::sectionResized, &timer_, qOverload<>(&QTimer::start));  // many in a row
}

bool ColumnChoice::isShown(int column) const { return !table_.isColumnHidden(column); }

void ColumnChoice::show(int column, bool on) {
  if (isFixed(column)) return;
  if (!on && isPinned(column)) pin(column, false);
  table_.setColumnHidden(column, !on);
  if (on && table_.columnWidth(column) < table_.horizontalHeader()->minimumSectionSize())
    table_.setColumnWidth(column, usualWidth(column));
  save();
}

int ColumnChoice::usualWidth(int column) const {
  const QString name = table_.model()->headerData(column, Qt::Horizontal).toString();
  return qMax(runColumns()[column].width,
              table_.horizontalHeader()->fontMetrics().horizontalAdvance(name) + beside_name);
}

void ColumnChoice::setPinned(QSet<int> columns) {
  pinned_ = std::move(columns);
  putPinnedFirst();
  table_.setPinned(pinned_);
}

void ColumnChoice::putPinnedFirst() {
  const QHeaderView* header = table_.horizontalHeader();
  int place = 0;
  for (int at = 0; at < header->count(); ++at)
    if (const int column = header->logicalIndex(at); isPinned(column)) moveTo(column, place++);
}

void ColumnChoice::pin(int column, bool on) {
  if (column < 0 || isPinned(column) == on) return;
  if (on) show(column, true);
  QSet<int> columns = pinned_;
  on ? void(columns.insert(column)) : void(columns.remove(column));
  keepQuiet([&] { setPinned(columns); });
  save();
}

void ColumnChoice::reset() {
  for (int i = 0; i < runColumns().size(); ++i) {
    moveTo(i, i);
    table_.setColumnHidden(i, !runColumns()[i].atFirst);
    table_.setColumnWidth(i, usualWidth(i));
  }
  setPinned(pinnedAtFirst());
  table_.sortByColumn(runColumn("started"), Qt::DescendingOrder);
  save();
}

void ColumnChoice::moveTo(int column, int place) {
  QHeaderView* header = table_.horizontalHeader();
  header->moveSection(header->visualIndex(column), place);
}

/// Of one column; of all where the menu was not asked for at one.
void ColumnChoice::menuOf(int column, QMenu& menu) {
  const auto title = [this](int i) {
    const QString name = table_.model()->headerData(i, Qt::Horizontal).toString();
    return QString(name.isEmpty() ? tr("Line in the chart") : name).replace(u'&', QStringLiteral("&&"));
  };
  if (column >= 0)
    return void(menu.addAction(icon(QStringLiteral("pin")),
                               (isPinned(column) ? tr("Unpin %1") : tr("Pin %1")).arg(title(column)), this,
                               [this, column] { pin(column, !isPinned(column)); }));
  QMenu* pins = menu.addMenu(icon(QStringLiteral("pin")), tr("Pinned columns"));
  for (int i = 0; i < runColumns().size(); ++i) {
    QAction* action = pins->addAction(title(i), this, [this, i](bool on) { pin(i, on); });
    action->setCheckable(true);
    action->setChecked(isPinned(i));
  }
}

void ColumnChoice::openMenu(const QPoint& globalPlace, int column) {
  QMenu menu(&table_);
  menuOf(column, menu);
  menu.addSeparator();
  for (int i = 0; i < runColumns().size(); ++i) {
    if (isFixed(i)) continue;
    QAction* action = menu.addAction(table_.model()->headerData(i, Qt::Horizontal).toString(), this,
                                     [this, i](bool on) { show(i, on); });
    action->setCheckable(true);
    action->setChecked(isShown(i));
  }
  menu.addSeparator();
  menu.addAction(tr("Usual columns"), this, &ColumnChoice::reset);
  Q_EMIT menuAboutToShow(&menu, column);
  menu.exec(globalPlace);
}

TableState ColumnChoice::state() const {
  const QHeaderView* header = table_.horizontalHeader();
  TableState now;
  int last = -1;  // it takes the room that is left
  for (int place = 0; place < header->count(); ++place)
    if (isShown(header->logicalIndex(place))) last = header->logicalIndex(place);
  for (int place = 0; place < header->count(); ++place) {
    const int i = header->logicalIndex(place);
    const int width = isShown(i) && i != last ? table_.columnWidth(i) : usualWidth(i);
    now.columns += QStringLiteral("%1/%2/%3")
                       .arg(idOf(i))
                       .arg(width)
                       .arg(isPinned(i)   ? 2
                            : !isShown(i) ? 0
                            : i == 0      ? 3
                                          : 1);
  }
  const bool ascending = header->sortIndicatorOrder() == Qt::AscendingOrder;
  now.sort = QStringLiteral("%1/%2").arg(idOf(header->sortIndicatorSection())).arg(ascending ? 1 : 0);
  return now;
}

void ColumnChoice::save() {
  timer_.stop();
  if (quiet_) return;
  const TableState now = state();
  QSettings().setValue(QLatin1String(columnsKey), now.columns);
  QSettings().setValue(QLatin1String(sortKey), now.sort);
}

void ColumnChoice::keepQuiet(const std::function<void()>& change) {
  quiet_ = true;
  change();
  timer_.stop();
  quiet_ = false;
}

/// Columns that it does not name, of an older version, stay where they are.
void ColumnChoice::apply(const TableState& state) {
  for (int i = 0; i < runColumns().size(); ++i) {
    table_.setColumnHidden(i, !runColumns()[i].atFirst);
    table_.setColumnWidth(i, usualWidth(i));
  }
  int place = 0;
  QSet<int> pinned = state.columns.isEmpty() ? pinnedAtFirst() : QSet<int>();
  for (const QString& entry : state.columns) {
    const QString id = entry.section(u'/', 0, -3), width = entry.section(u'/', -2, -2), shown = entry.section(u'/', -1);
    const int column = runColumn(id);
    if (column < 0 || entry.count(u'/') < 2 || place >= runColumns().size()) continue;
    moveTo(column, place++);  // as it was kept
    if (!isFixed(column)) table_.setColumnHidden(column, shown == QLatin1String("0"));
    if (shown == QLatin1String("2")) pinned.insert(column);
    if (column == 0 && shown == QLatin1String("1")) pinned.unite(pinnedAtFirst());
    table_.setColumnWidth(column, qBound(table_.horizontalHeader()->minimumSectionSize(), width.toInt(), widest));
  }
  setPinned(std::move(pinned));
  const int column = runColumn(state.sort.section(u'/', 0, -2));
  const bool known = column >= 0 && state.sort.contains(u'/');
  table_.sortByColumn(known ? column : runColumn("started"),
                      known && state.sort.endsWith(QLatin1String("/1")) ? Qt::AscendingOrder : Qt::DescendingOrder);
}

}  // namespace nw::ui
