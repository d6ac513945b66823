// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figure_table.hpp"

#include <QHeaderView>

namespace nw::ui {

QTableWidget* makeFigureTable(const QString& name, const QStringList& columns, QWidget* parent) {
  auto* table = new QTableWidget(0, static_cast<int>(columns.size()), parent);
  table->setHorizontalHeaderLabels(columns);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->verticalHeader()->hide();
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->setShowGrid(false);
  table->setAccessibleName(name);
  return table;
}

QTableWidgetItem* makeFigure(const QString& text) {
  auto* item = new QTableWidgetItem(text);
  item->setTextAlignment(Qt::AlignVCenter | Qt::AlignRight);
  return item;
}

}  // namespace nw::ui
