// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/files/weight_match_dialog.hpp"

#include <QBoxLayout>
#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/sentences.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

struct WeightMatchTexts {
  Q_DECLARE_TR_FUNCTIONS(WeightMatchTexts)
};

namespace {

using exchange::WeightMatch;
using exchange::WeightRow;

constexpr qsizetype longestName = 200;

QString sizesText(const std::vector<std::int64_t>& sizes) {
  QStringList words;
  for (const std::int64_t size : sizes) words << QString::number(size);
  return words.join(QStringLiteral("×"));
}

QString outcomeText(WeightMatch match) {
  switch (match) {
    case WeightMatch::taken:
      return WeightMatchTexts::tr("is taken");
    case WeightMatch::other_shape:
      return WeightMatchTexts::tr("has another shape: begins anew");
    case WeightMatch::not_in_file:
      return WeightMatchTexts::tr("is not in the file: begins anew");
    case WeightMatch::not_in_network:
      return WeightMatchTexts::tr("is not in the network: not used");
  }
  return {};
}

QString outcomeIcon(WeightMatch match) {
  switch (match) {
    case WeightMatch::taken:
      return QStringLiteral("check-circle");
    case WeightMatch::other_shape:
    case WeightMatch::not_in_file:
      return QStringLiteral("alert-triangle");
    case WeightMatch::not_in_network:
      return QStringLiteral("minus");
  }
  return {};
}

}  // namespace

WeightMatchModel::WeightMatchModel(std::vector<WeightRow> rows, QObject* parent)
    : QAbstractTableModel(parent), rows_(std::move(rows)) {}

qsizetype WeightMatchModel::count(WeightMatch match) const {
  return std::count_if(rows_.begin(), rows_.end(), [&](const WeightRow& r) { return r.match == match; });
}

int WeightMatchModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int WeightMatchModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

/// Names come from the file: one line of bounded length.
QVariant WeightMatchModel::data(const QModelIndex& index, int role) const {
  const WeightRow& row = at(index.row());
  if (role == Qt::DecorationRole && index.column() == outcome) return icon(outcomeIcon(row.match));
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case weight:
      return inOneLine(QString::fromStdString(row.name)).left(longestName);
    case network:
      return row.match == WeightMatch::not_in_network ? QStringLiteral("–") : sizesText(row.network);
    case file:
      return row.match == WeightMatch::not_in_file ? QStringLiteral("–") : sizesText(row.file);
    default:
      return outcomeText(row.match);
  }
}

QVariant WeightMatchModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case weight:
      return WeightMatchTexts::tr("Weight");
    case network:
      return WeightMatchTexts::tr("In the network");
    case file:
      return WeightMatchTexts::tr("In the file");
    default:
      return WeightMatchTexts::tr("What happens to it");
  }
}

void WeightMatchFilter::show(int choice) {
  choice_ = choice;
  invalidateFilter();
}

/// 0: all; 1: taken; 2: weights of the network that begin anew; 3: those that only the file has.
bool WeightMatchFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const WeightMatch match = static_cast<WeightMatchModel*>(sourceModel())->at(row).match;
  const int kind = match == WeightMatch::taken ? 1 : match == WeightMatch::not_in_network ? 3 : 2;
  return choice_ == 0 || choice_ == kind;
}

WeightMatchDialog::WeightMatchDialog(const QString& file, std::vector<WeightRow> rows, QWidget* parent)
    : QDialog(parent),
      model_(new WeightMatchModel(std::move(rows), this)),
      shown_(new WeightMatchFilter(this)),
      filter_(new QComboBox(this)),
      table_(new QTableView(this)),
      accept_(makeButton(WeightMatchTexts::tr("Start from these weights"), ButtonKind::primary, QStringLiteral("check"),
                         this)) {
  setObjectName(QStringLiteral("weightMatchDialog"));
  setWindowTitle(WeightMatchTexts::tr("Weights of %1").arg(inOneLine(file)));
  resize(820, 520);
  shown_->setSourceModel(model_);
  table_->setObjectName(QStringLiteral("weightMatches"));
  table_->setAccessibleName(WeightMatchTexts::tr("Weights of the network and of the file"));
  table_->setModel(shown_);
  table_->verticalHeader()->hide();
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(WeightMatchModel::weight, QHeaderView::Stretch);
  table_->horizontalHeader()->setResizeContentsPrecision(100);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  filter_->setObjectName(QStringLiteral("weightFilter"));
  filter_->setAccessibleName(WeightMatchTexts::tr("Which weights are listed"));
  filter_->addItems({WeightMatchTexts::tr("All"), WeightMatchTexts::tr("Taken"), WeightMatchTexts::tr("Begin anew"),
                     WeightMatchTexts::tr("Only in the file")});
  QPushButton* cancel = makeButton(WeightMatchTexts::tr("Cancel"), ButtonKind::ghost, {}, this);
  auto* sentence = makeLabel(summary(), 1, static_cast<int>(TextRole::body), this);
  sentence->setObjectName(QStringLiteral("weightSummary"));
  sentence->setWordWrap(true);
  auto* head = new QHBoxLayout;
  head->addWidget(sentence, 1);
  head->addWidget(filter_);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(accept_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addLayout(head);
  column->addWidget(table_, 1);
  column->addLayout(buttons);
  accept_->setEnabled(model_->count(WeightMatch::taken) > 0);
  accept_->setDefault(true);
  connect(filter_, &QComboBox::currentIndexChanged, this, [this](int choice) { shown_->show(choice); });
  connect(accept_, &QPushButton::clicked, this, &QDialog::accept);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
}

QString WeightMatchDialog::summary() const {
  const auto taken = model_->count(WeightMatch::taken), other = model_->count(WeightMatch::other_shape),
             missing = model_->count(WeightMatch::not_in_file), unused = model_->count(WeightMatch::not_in_network);
  if (taken == 0) return WeightMatchTexts::tr("No weight of this file fits the network: no name and shape agree.");
  QString words =
      WeightMatchTexts::tr("%1 of the network's %2 weights are taken.").arg(taken).arg(taken + other + missing);
  if (other + missing > 0) words = joinedSentences(words, WeightMatchTexts::tr("%1 begin anew.").arg(other + missing));
  if (unused > 0) words = joinedSentences(words, WeightMatchTexts::tr("%1 of the file are not used.").arg(unused));
  return words;
}

}  // namespace nw::ui
