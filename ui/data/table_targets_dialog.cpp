// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/table_targets_dialog.hpp"

#include <QBoxLayout>
#include <QComboBox>
#include <QCoreApplication>
#include <QListWidget>
#include <QSignalBlocker>

#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

struct TargetRow {
  const char* id;  // of --target
  const char* name;
  const char* outcome;  // what the network gets
  bool one;             // of one column
};
const TargetRow targetRows[] = {
    {"class", QT_TRANSLATE_NOOP("TableTargetsDialog", "One class for each image"),
     QT_TRANSLATE_NOOP("TableTargetsDialog", "An output for each class; the loss is CrossEntropy."), true},
    {"binary", QT_TRANSLATE_NOOP("TableTargetsDialog", "One of two classes"),
     QT_TRANSLATE_NOOP("TableTargetsDialog", "One output for both classes; the loss is BCEWithLogits."), true},
    {"labels", QT_TRANSLATE_NOOP("TableTargetsDialog", "Any number of labels"),
     QT_TRANSLATE_NOOP("TableTargetsDialog",
                       "An output for each label; the loss is BCEWithLogits. Columns hold 1 or 0, or one column a "
                       "list such as cat|dog."),
     false},
    {"values", QT_TRANSLATE_NOOP("TableTargetsDialog", "Numbers"),
     QT_TRANSLATE_NOOP("TableTargetsDialog",
                       "An output for each column; the loss is MSE. The images are not transformed at random."),
     false},
};
constexpr std::size_t mostShown = 2000, longestSample = 40;
constexpr int nameRole = Qt::UserRole;

QString shownCell(const std::string& cell) { return inOneLine(QString::fromStdString(cell)).left(longestSample); }

}  // namespace

TableTargetsDialog::TableTargetsDialog(const QString& name, const TableHead& head, QWidget* parent)
    : QDialog(parent),
      target_(new QComboBox(this)),
      columns_(new QListWidget(this)),
      outcome_(makeLabel({}, 2, static_cast<int>(TextRole::secondary), this)),
      accept_(makeButton(tr("Adapt"), ButtonKind::primary, QStringLiteral("check"), this)) {
  setObjectName(QStringLiteral("tableTargetsDialog"));
  setWindowTitle(tr("What the network is to learn from %1").arg(inOneLine(name)));
  resize(460, 440);
  target_->setAccessibleName(tr("What the table gives for each image"));
  columns_->setAccessibleName(tr("Columns"));
  outcome_->setWordWrap(true);
  for (const TargetRow& row : targetRows) target_->addItem(QCoreApplication::translate("TableTargetsDialog", row.name));
  QPushButton* cancel = makeButton(tr("Cancel"), ButtonKind::ghost, {}, this);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(accept_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addWidget(makeLabel(tr("The table gives for each image"), 1, static_cast<int>(TextRole::body), this));
  column->addWidget(target_);
  column->addWidget(makeLabel(tr("in the columns"), 1, static_cast<int>(TextRole::body), this));
  column->addWidget(columns_, 1);
  column->addWidget(outcome_);
  column->addLayout(buttons);
  accept_->setDefault(true);
  fill(head);
  connect(target_, &QComboBox::currentIndexChanged, this, &TableTargetsDialog::choose);
  connect(columns_, &QListWidget::itemChanged, this, &TableTargetsDialog::toggled);
  connect(accept_, &QPushButton::clicked, this, &QDialog::accept);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  refresh();
}

/// The column of paths is no target. A name with a comma could not be told from two names.
void TableTargetsDialog::fill(const TableHead& head) {
  const std::size_t shown = std::min(head.columns.size(), mostShown);
  const bool named = head.label >= 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    if (at == head.path) continue;
    const QString name = QString::fromStdString(head.columns[i]);
    auto* item =
        new QListWidgetItem(tr("%1 (such as %2)").arg(shownCell(head.columns[i]), shownCell(head.first[i])), columns_);
    item->setData(nameRole, name);
    const bool usable = !name.contains(u',') && !name.isEmpty() && name == name.trimmed();
    item->setFlags(usable ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable : Qt::NoItemFlags);
    item->setCheckState(usable && (named ? at == head.label : columns_->count() == 1) ? Qt::Checked : Qt::Unchecked);
  }
}

bool TableTargetsDialog::takesOne() const { return targetRows[target_->currentIndex()].one; }

QStringList TableTargetsDialog::checked() const {
  QStringList names;
  for (int i = 0; i < columns_->count(); ++i)
    if (columns_->item(i)->checkState() == Qt::Checked) names << columns_->item(i)->data(nameRole).toString();
  return names;
}

void TableTargetsDialog::choose(int) {
  const QSignalBlocker quiet(columns_);
  bool found = false;
  for (int i = 0; takesOne() && i < columns_->count(); ++i) {
    if (columns_->item(i)->checkState() != Qt::Checked) continue;
    if (found) columns_->item(i)->setCheckState(Qt::Unchecked);
    found = true;
  }
  refresh();
}

/// Of one column for all images: the one that was checked last.
void TableTargetsDialog::toggled(QListWidgetItem* changed) {
  const QSignalBlocker quiet(columns_);
  for (int i = 0; takesOne() && changed->checkState() == Qt::Checked && i < columns_->count(); ++i)
    if (columns_->item(i) != changed && columns_->item(i)->checkState() == Qt::Checked)
      columns_->item(i)->setCheckState(Qt::Unchecked);
  refresh();
}

void TableTargetsDialog::refresh() {
  const bool any = !checked().isEmpty();
  outcome_->setText(any ? QCoreApplication::translate("TableTargetsDialog", targetRows[target_->currentIndex()].outcome)
                        : tr("Choose a column."));
  accept_->setEnabled(any);
}

TableTargets TableTargetsDialog::chosen() const {
  return {QLatin1String(targetRows[target_->currentIndex()].id), checked().join(u',')};
}

}  // namespace nw::ui
