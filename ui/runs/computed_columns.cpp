// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/computed_columns.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <cmath>
#include <limits>

#include "engine/runs/index/run_expression.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

const char* const computedKey = "runs/computed";  // name, expression, name, expression, …
constexpr int longest_name = 60, computed_width = 112;

double valueOf(const RunExpression& e, const RunRow& row) {
  const double value = row.record ? e.value(*row.record) : qQNaN();
  return std::isfinite(value) ? value : -std::numeric_limits<double>::infinity();
}

RunColumn columnOf(const ComputedColumn& c, const RunExpression& e) {
  RunColumn column{"",
                   "",
                   RunCell::text,
                   computed_width,
                   true,
                   [e](const RunRow& row) {
                     const double v = valueOf(e, row);
                     return std::isfinite(v) ? QString::number(v, 'g', 5) : QStringLiteral("–");
                   },
                   [e](const RunRow& row) { return QVariant(valueOf(e, row)); },
                   BestValue::highest};
  column.computed = QStringLiteral("computed/") + c.expression;
  column.name = c.name;
  return column;
}

}  // namespace

QVector<ComputedColumn> computedColumns() {
  const QStringList words = QSettings().value(QLatin1String(computedKey)).toStringList();
  QVector<ComputedColumn> columns;
  for (qsizetype i = 0; i + 1 < words.size() && columns.size() < most_computed; i += 2)
    if (RunExpression::parse(words[i + 1].toStdString()))
      columns.append({inOneLine(words[i]).left(longest_name), words[i + 1]});
  return columns;
}

void saveComputedColumns(const QVector<ComputedColumn>& columns) {
  QStringList words;
  for (const ComputedColumn& c : columns) words << c.name << c.expression;
  QSettings().setValue(QLatin1String(computedKey), words);
}

QVector<RunColumn> asRunColumns(const QVector<ComputedColumn>& columns) {
  QVector<RunColumn> all;
  for (const ComputedColumn& c : columns)
    if (const auto e = RunExpression::parse(c.expression.toStdString())) all.append(columnOf(c, *e));
  return all;
}

ComputedDialog::ComputedDialog(IsSetting isSetting, QWidget* parent)
    : QDialog(parent),
      isSetting_(std::move(isSetting)),
      name_(new QLineEdit(this)),
      expression_(new QLineEdit(this)),
      note_(makeLabel({}, 2, static_cast<int>(TextRole::secondary), this)),
      add_(makeButton(tr("Add the column"), ButtonKind::primary, {}, this)) {
  setObjectName(QStringLiteral("computedDialog"));
  setWindowTitle(tr("A computed column"));
  setMinimumWidth(560);
  name_->setObjectName(QStringLiteral("computedName"));
  name_->setAccessibleName(tr("Name"));
  name_->setMaxLength(longest_name);
  expression_->setObjectName(QStringLiteral("computedExpression"));
  expression_->setAccessibleName(tr("Expression"));
  expression_->setPlaceholderText(QStringLiteral("best_accuracy / parameters * 1e6"));
  expression_->setMaxLength(1000);
  note_->setObjectName(QStringLiteral("computedNote"));
  note_->setWordWrap(true);
  note_->setMinimumHeight(3 * note_->fontMetrics().height());
  add_->setObjectName(QStringLiteral("computedAdd"));
  add_->setDefault(true);
  auto* cancel = makeButton(tr("Cancel"), ButtonKind::ghost, {}, this);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(space::l, space::l, space::l, space::l);
  grid->setSpacing(space::m);
  int row = 0;
  for (QLineEdit* line : {name_, expression_}) {
    QLabel* label = makeLabel(line->accessibleName(), 2, static_cast<int>(TextRole::body), this);
    label->setBuddy(line);
    grid->addWidget(label, row, 0);
    grid->addWidget(line, row++, 1);
    connect(line, &QLineEdit::textChanged, this, &ComputedDialog::say);
  }
  grid->addWidget(note_, row++, 0, 1, 2);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(add_);
  grid->addLayout(buttons, row, 0, 1, 2);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(add_, &QPushButton::clicked, this, &QDialog::accept);
  say();
}

ComputedColumn ComputedDialog::column() const { return {name_->text().simplified(), expression_->text().trimmed()}; }

void ComputedDialog::say() {
  const QString typed = expression_->text().trimmed();
  QString problem;
  if (!typed.isEmpty()) {
    const auto e = RunExpression::parse(typed.toStdString());
    const Status good = e ? e->check(isSetting_) : Status(e.error());
    if (!good) problem = translated(good.error().what);
  }
  add_->setEnabled(!typed.isEmpty() && problem.isEmpty() && !column().name.isEmpty());
  note_->setText(!problem.isEmpty()
                     ? problem
                     : tr("Fields and settings of runs, + − * / ^, min, max, abs, sqrt, log10, and best, "
                          "last, first, mean of an epoch's quantity: last(validation_loss)."));
}

}  // namespace nw::ui
