// SPDX-License-Identifier: GPL-3.0-or-later
// The trials of a study as rows that sort by any column; the best ones first. GUI thread; 10,000 rows take
// milliseconds.
#pragma once
#include <QAbstractTableModel>
#include <QStyledItemDelegate>
#include <QTableView>

#include "ui/study/study_model.hpp"

namespace nw::ui {

class TrialTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  /// Before the parameters; the further objectives and the time come after `state` and after the parameters.
  enum Column { number, state, value, curve, rungs, first_parameter };
  explicit TrialTableModel(StudyModel& model, QObject* parent = nullptr);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;
  qint64 trialAt(int row) const { return order_[row]; }
  int rowOf(qint64 trial) const { return static_cast<int>(order_.indexOf(trial)); }
  const StudyModel& study() const { return model_; }

 private:
  void refresh();
  void arrange();
  double key(qint64 trial) const;
  QString text(qint64 trial, int column) const;
  int lastParameter() const;
  StudyModel& model_;
  QVector<qint64> order_;
  int column_ = value;
  Qt::SortOrder direction_ = Qt::DescendingOrder;
  std::size_t shape_ = 0;  // columns of the table
};

class TrialDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

class TrialTable : public QTableView {
  Q_OBJECT
 public:
  explicit TrialTable(StudyModel& model, QWidget* parent = nullptr);
  TrialTableModel& trials() { return *trials_; }

 protected:
  void keyPressEvent(QKeyEvent*) override;

 private:
  void takeCurrent();
  void showCurrent();
  void fitColumns();
  StudyModel& model_;
  TrialTableModel* trials_;
  bool following_ = false;
};

}  // namespace nw::ui
