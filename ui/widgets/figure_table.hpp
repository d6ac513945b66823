// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of figures that are read, not edited.
#pragma once
#include <QTableWidget>

namespace nw::ui {

/// Whole rows can be chosen, Tab leaves the table; columns are as wide as their content. `name`: for screen readers.
QTableWidget* makeFigureTable(const QString& name, const QStringList& columns, QWidget* parent = nullptr);
/// Figures are aligned to the right.
QTableWidgetItem* makeFigure(const QString& text);

}  // namespace nw::ui
