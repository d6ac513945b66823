// SPDX-License-Identifier: GPL-3.0-or-later
// What of a file of weights a network would take, before anything is taken.
#pragma once
#include <QAbstractTableModel>
#include <QDialog>
#include <QSortFilterProxyModel>
#include <vector>

#include "engine/exchange/weight_table.hpp"

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace nw::ui {

class WeightMatchModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column : int { weight, network, file, outcome, columns };
  WeightMatchModel(std::vector<exchange::WeightRow> rows, QObject* parent);
  const exchange::WeightRow& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  qsizetype count(exchange::WeightMatch match) const;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<exchange::WeightRow> rows_;
};

/// The rows of one outcome.
class WeightMatchFilter final : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void show(int choice);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  int choice_ = 0;
};

class WeightMatchDialog final : public QDialog {
  Q_OBJECT
 public:
  /// `file`: its name, for the title.
  WeightMatchDialog(const QString& file, std::vector<exchange::WeightRow> rows, QWidget* parent);

 private:
  QString summary() const;
  WeightMatchModel* model_;
  WeightMatchFilter* shown_;
  QComboBox* filter_;
  QTableView* table_;
  QPushButton* accept_;
};

}  // namespace nw::ui
