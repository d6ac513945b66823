// SPDX-License-Identifier: GPL-3.0-or-later
// Precision, recall, F1 … of every class as a sortable table; the last two rows are the means.
#pragma once
#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <memory>

#include "ui/predict/source/evaluation.hpp"

class QTableView;

namespace nw::ui {

class ClassTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  static constexpr int ClassRole = Qt::UserRole + 1;  // the class's number; -1: a mean
  static constexpr int ValueRole = Qt::UserRole + 2;  // the sort key
  using QAbstractTableModel::QAbstractTableModel;
  void setView(std::shared_ptr<const EvaluationView> view);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  int classes() const;
  int numbers() const;
  QVariant numberData(const QModelIndex& index, int role) const;
  const ClassMetrics& row(int r) const;
  QString name(int r) const;
  std::shared_ptr<const EvaluationView> view_;
};

/// Sorted by any column, the means always last.
class ClassTableOrder : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;
};

/// The table as the page shows it.
QTableView* makeClassTable(ClassTableModel& model, QWidget* parent);

}  // namespace nw::ui
