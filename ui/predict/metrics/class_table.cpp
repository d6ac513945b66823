// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/metrics/class_table.hpp"

#include <QHeaderView>
#include <QTableView>
#include <cmath>
#include <limits>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

struct Column {
  const char *title, *help;
  double ClassMetrics::*value;  // null: the name, the number of images
};
const Column columns[] = {
    {QT_TRANSLATE_NOOP("ClassTable", "Class"), "", nullptr},
    {QT_TRANSLATE_NOOP("ClassTable", "Precision"),
     QT_TRANSLATE_NOOP("ClassTable", "Fraction of the images predicted as this class that belong to it"),
     &ClassMetrics::precision},
    {QT_TRANSLATE_NOOP("ClassTable", "Recall"),
     QT_TRANSLATE_NOOP("ClassTable", "Fraction of the images of this class that are predicted correctly"),
     &ClassMetrics::recall},
    {QT_TRANSLATE_NOOP("ClassTable", "F1"), QT_TRANSLATE_NOOP("ClassTable", "Harmonic mean of precision and recall"),
     &ClassMetrics::f1},
    {QT_TRANSLATE_NOOP("ClassTable", "ROC AUC"),
     QT_TRANSLATE_NOOP("ClassTable",
                       "Probability that an image of this class scores higher than an image of another class"),
     &ClassMetrics::roc_auc},
    {QT_TRANSLATE_NOOP("ClassTable", "AP"),
     QT_TRANSLATE_NOOP("ClassTable", "Average precision: area under the precision-recall curve"),
     &ClassMetrics::average_precision},
    {QT_TRANSLATE_NOOP("ClassTable", "Images"), QT_TRANSLATE_NOOP("ClassTable", "How many images are of this class"),
     nullptr},
};
constexpr int name_column = 0, images_column = 6, means = 2;

struct NumberColumn {
  const char *title, *help;
  double ValueMetrics::*value;  // null: the name
};
const NumberColumn number_columns[] = {
    {QT_TRANSLATE_NOOP("ClassTable", "Number"), "", nullptr},
    {QT_TRANSLATE_NOOP("ClassTable", "R²"),
     QT_TRANSLATE_NOOP(
         "ClassTable",
         "Fraction of the variance that is explained: 1 is perfect, 0 is no better than predicting the mean"),
     &ValueMetrics::r2},
    {QT_TRANSLATE_NOOP("ClassTable", "MAE"), QT_TRANSLATE_NOOP("ClassTable", "Mean absolute error of the predictions"),
     &ValueMetrics::mean_absolute_error},
    {QT_TRANSLATE_NOOP("ClassTable", "RMSE"),
     QT_TRANSLATE_NOOP("ClassTable", "Root mean squared error: large errors count more"),
     &ValueMetrics::root_mean_squared_error},
    {QT_TRANSLATE_NOOP("ClassTable", "Mean"), QT_TRANSLATE_NOOP("ClassTable", "Mean of the true values"),
     &ValueMetrics::mean},
    {QT_TRANSLATE_NOOP("ClassTable", "Standard deviation"),
     QT_TRANSLATE_NOOP("ClassTable", "Standard deviation of the true values"), &ValueMetrics::deviation},
};

QString figure(double v, char format, int digits) {
  return std::isnan(v) ? QStringLiteral("–") : QString::number(v, format, digits);
}
/// Undefined figures sort below all others.
double orderOf(double v) { return std::isnan(v) ? -std::numeric_limits<double>::infinity() : v; }

QString word(const char* text) { return *text ? QCoreApplication::translate("ClassTable", text) : QString(); }

}  // namespace

void ClassTableModel::setView(std::shared_ptr<const EvaluationView> view) {
  beginResetModel();
  view_ = std::move(view);
  endResetModel();
}

int ClassTableModel::classes() const { return view_ ? static_cast<int>(view_->metrics.classes.size()) : 0; }
int ClassTableModel::numbers() const { return view_ ? static_cast<int>(view_->numbers.size()) : 0; }
int ClassTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : numbers() > 0 ? numbers() : classes() > 0 ? classes() + means : 0;
}
int ClassTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(numbers() > 0 ? std::size(number_columns) : std::size(columns));
}

const ClassMetrics& ClassTableModel::row(int r) const {
  const Metrics& m = view_->metrics;
  return r < classes() ? m.classes[static_cast<std::size_t>(r)] : r == classes() ? m.macro : m.weighted;
}

QString ClassTableModel::name(int r) const {
  return r < classes() ? view_->outputs.value(r) : r == classes() ? tr("Mean") : tr("Mean by images");
}

QVariant ClassTableModel::numberData(const QModelIndex& index, int role) const {
  const NumberFigures& number = view_->numbers[static_cast<std::size_t>(index.row())];
  const NumberColumn& column = number_columns[index.column()];
  switch (role) {
    case Qt::DisplayRole:
      return column.value ? figure(number.figures.*column.value, 'g', 4) : number.name;
    case ValueRole:
      return column.value ? orderOf(number.figures.*column.value) : index.row();
    case ClassRole:
      return index.row();
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (column.value ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole:
      return font(TextRole::body);
    default:
      return {};
  }
}

QVariant ClassTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
  if (numbers() > 0) return numberData(index, role);
  const ClassMetrics& m = row(index.row());
  const Column& column = columns[index.column()];
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == name_column) return name(index.row());
      return column.value ? figure(m.*column.value, 'f', 3) : grouped(m.support);
    case ValueRole:
      if (index.column() == name_column) return index.row();
      return column.value ? orderOf(m.*column.value) : static_cast<double>(m.support);
    case ClassRole:
      return index.row() < classes() ? index.row() : -1;
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (index.column() == name_column ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::FontRole:
      return font(index.row() < classes() ? TextRole::body : TextRole::button);
    default:
      return {};
  }
}

QVariant ClassTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const bool numbers_shown = numbers() > 0;
  if (role == Qt::DisplayRole) return word(numbers_shown ? number_columns[section].title : columns[section].title);
  if (role == Qt::ToolTipRole) return word(numbers_shown ? number_columns[section].help : columns[section].help);
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignVCenter | (section == name_column ? Qt::AlignLeft : Qt::AlignRight));
  return {};
}

bool ClassTableOrder::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  const bool mean = a.data(ClassTableModel::ClassRole).toInt() < 0,
             otherMean = b.data(ClassTableModel::ClassRole).toInt() < 0;
  if (mean != otherMean) return (sortOrder() == Qt::AscendingOrder) == otherMean;
  if (mean) return (sortOrder() == Qt::AscendingOrder) == (a.row() < b.row());
  return a.data(ClassTableModel::ValueRole).toDouble() < b.data(ClassTableModel::ValueRole).toDouble();
}

QTableView* makeClassTable(ClassTableModel& model, QWidget* parent) {
  auto* table = new QTableView(parent);
  auto* order = new ClassTableOrder(table);
  order->setSourceModel(&model);
  table->setModel(order);
  table->setTabKeyNavigation(false);  // Tab leaves the table; the arrow keys move in it
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setShowGrid(false);
  table->setFrameShape(QFrame::NoFrame);
  table->setSortingEnabled(true);
  table->sortByColumn(name_column, Qt::AscendingOrder);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setAccessibleName(QCoreApplication::translate("ClassTable", "Precision and recall of every class"));
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(30);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table->horizontalHeader()->setSectionResizeMode(name_column, QHeaderView::ResizeToContents);
  table->horizontalHeader()->setMaximumSectionSize(180);
  return table;
}

}  // namespace nw::ui
