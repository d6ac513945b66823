// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns of a table a network is to learn, and as what: asked before a network is adapted to the table.
#pragma once
#include <QDialog>

#include "engine/data/sources/table_head.hpp"

class QComboBox;
class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace nw::ui {

/// As netwright-cli takes it: --target and --target-column.
struct TableTargets {
  QString target, columns;
};

class TableTargetsDialog final : public QDialog {
  Q_OBJECT
 public:
  /// `name`: of the table, for the title.
  TableTargetsDialog(const QString& name, const TableHead& head, QWidget* parent);
  TableTargets chosen() const;

 private:
  void fill(const TableHead& head);
  void choose(int index);
  void toggled(QListWidgetItem* changed);
  void refresh();
  QStringList checked() const;
  bool takesOne() const;
  QComboBox* target_;
  QListWidget* columns_;
  QLabel* outcome_;
  QPushButton* accept_;
};

}  // namespace nw::ui
