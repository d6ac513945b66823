// SPDX-License-Identifier: GPL-3.0-or-later
// Columns that a user computes from others: named expressions (engine/runs/index/run_expression.hpp), kept in the
// user's settings. GUI thread.
#pragma once
#include <QDialog>
#include <QVector>

#include "engine/runs/index/run_query.hpp"
#include "ui/runs/run_table.hpp"

class QLabel;
class QLineEdit;
class QPushButton;

namespace nw::ui {

struct ComputedColumn {
  QString name, expression;
  bool operator==(const ComputedColumn&) const = default;
};

inline constexpr int most_computed = 16;

/// Those of the user's settings; entries that cannot be read are left out.
QVector<ComputedColumn> computedColumns();
void saveComputedColumns(const QVector<ComputedColumn>& columns);
/// The same as columns of the table, behind the usual ones; their ids are "computed/" and the expression.
QVector<RunColumn> asRunColumns(const QVector<ComputedColumn>& columns);

/// Asks for a name and an expression, and says what is wrong with it while it is typed.
class ComputedDialog : public QDialog {
  Q_OBJECT
 public:
  ComputedDialog(IsSetting isSetting, QWidget* parent = nullptr);
  ComputedColumn column() const;

 private:
  void say();
  IsSetting isSetting_;
  QLineEdit *name_, *expression_;
  QLabel* note_;
  QPushButton* add_;
};

}  // namespace nw::ui
