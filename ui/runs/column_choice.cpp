// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/column_choice.hpp"

#include <QCoreApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>

#include "ui/runs/run_table.hpp"

namespace nw::ui {

namespace {
const char* const columnsKey = "runs/columns";  // "id/width/shown" of each column, in the order of the screen
const char* const sortKey = "runs/sort";        // "id/ascending"
constexpr int save_after_ms = 400, beside_name = 28, widest = 2000;  // beside_name: margins and the sort arrow

bool isFixed(int column) { return column <= runColumn("run"); }
QString idOf(int column) { return QLatin1String(runColumns()[column].id); }
}  // namespace

ColumnChoice::ColumnChoice(QTableView& table) : QObject(&table), table_(table) {
  timer_.setSingleShot(true);
  timer_.setInterval(save_after_ms);
  restore();
  QHeaderView* header = table_.horizontalHeader();
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QWidget::customContextMenuRequested, this,
          [this, header](const QPoint& at) { openMenu(header->mapToGlobal(at)); });
  connect(&timer_, &QTimer::timeout, this, &ColumnChoice::save);
  connect(header, &QHeaderView::sectionMoved, this, &ColumnChoice::save);
  connect(header, &QHeaderView::sortIndicatorChanged, this, &ColumnChoice::save);
  connect(header, &QHeaderView::sectionResized, &timer_, qOverload<>(&QTimer::start));  // many in a row
}

bool ColumnChoice::isShown(int column) const { return !table_.isColumnHidden(column); }

void ColumnChoice::show(int column, bool on) {
  if (isFixed(column)) return;
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

void ColumnChoice::reset() {
  for (int i = 0; i < runColumns().size(); ++i) {
    moveTo(i, i);
    table_.setColumnHidden(i, !runColumns()[i].atFirst);
    table_.setColumnWidth(i, usualWidth(i));
  }
  table_.sortByColumn(runColumn("started"), Qt::DescendingOrder);
  save();
}

void ColumnChoice::moveTo(int column, int place) {
  QHeaderView* header = table_.horizontalHeader();
  header->moveSection(header->visualIndex(column), place);
}

void ColumnChoice::openMenu(const QPoint& globalPlace) {
  QMenu menu(&table_);
  for (int i = 0; i < runColumns().size(); ++i) {
    if (isFixed(i)) continue;
    QAction* action = menu.addAction(table_.model()->headerData(i, Qt::Horizontal).toString(), this,
                                     [this, i](bool on) { show(i, on); });
    action->setCheckable(true);
    action->setChecked(isShown(i));
  }
  menu.addSeparator();
  menu.addAction(tr("Usual columns"), this, &ColumnChoice::reset);
  menu.exec(globalPlace);
}

void ColumnChoice::save() {
  timer_.stop();
  const QHeaderView* header = table_.horizontalHeader();
  QStringList columns;
  int last = -1;  // it takes the room that is left
  for (int place = 0; place < header->count(); ++place)
    if (isShown(header->logicalIndex(place))) last = header->logicalIndex(place);
  for (int place = 0; place < header->count(); ++place) {
    const int i = header->logicalIndex(place);
    const int width = isShown(i) && i != last ? table_.columnWidth(i) : usualWidth(i);
    columns += QStringLiteral("%1/%2/%3").arg(idOf(i)).arg(width).arg(isShown(i) ? 1 : 0);
  }
  QSettings().setValue(QLatin1String(columnsKey), columns);
  const bool ascending = header->sortIndicatorOrder() == Qt::AscendingOrder;
  QSettings().setValue(QLatin1String(sortKey),
                       QStringLiteral("%1/%2").arg(idOf(header->sortIndicatorSection())).arg(ascending ? 1 : 0));
}

/// Columns that the settings do not name, of an older version, stay where they are.
void ColumnChoice::restore() {
  for (int i = 0; i < runColumns().size(); ++i) {
    table_.setColumnHidden(i, !runColumns()[i].atFirst);
    table_.setColumnWidth(i, usualWidth(i));
  }
  int place = 0;
  for (const QString& entry : QSettings().value(QLatin1String(columnsKey)).toStringList()) {
    const QStringList parts = entry.split(u'/');
    const int column = runColumn(parts[0].toUtf8().constData());
    if (column < 0 || parts.size() != 3 || place >= runColumns().size()) continue;
    moveTo(column, place++);
    if (!isFixed(column)) table_.setColumnHidden(column, parts[2] == QLatin1String("0"));
    table_.setColumnWidth(column, qBound(table_.horizontalHeader()->minimumSectionSize(), parts[1].toInt(), widest));
  }
  const QStringList sort = QSettings().value(QLatin1String(sortKey)).toString().split(u'/');
  const int column = runColumn(sort[0].toUtf8().constData());
  const bool known = column >= 0 && sort.size() == 2;
  table_.sortByColumn(known ? column : runColumn("started"),
                      known && sort[1] == QLatin1String("1") ? Qt::AscendingOrder : Qt::DescendingOrder);
}

}  // namespace nw::ui
