// SPDX-License-Identifier: GPL-3.0-or-later
// All samples of one part of the data, filtered and sorted: a million of them are three vectors of integers. GUI
// thread.
#pragma once
#include <QObject>
#include <QSet>
#include <QStringList>
#include <array>
#include <vector>

namespace nw::ui {

class ExplorerModel : public QObject {
  Q_OBJECT
 public:
  /// scattered: each class shows soon, wherever it lies. From name on: by a ranking, which must be given.
  enum class Order { place, label, scattered, name, darkest, brightest, flattest, starkest, loss, unsure };
  static constexpr int orders = 10;
  using QObject::QObject;
  /// `indices` and `labels` of the same length: data-set index and class of each sample.
  void setSamples(std::vector<std::int32_t> indices, std::vector<std::int32_t> labels, QStringList classes);
  void setClass(int label);  // -1: all
  void setOrder(Order order);
  /// The samples' places in the order of a ranking; places that no sample has are passed over. Forgotten with the
  /// samples.
  void setRanking(Order order, std::vector<std::int32_t> places);
  bool hasRanking(Order order) const { return !rankings_[static_cast<std::size_t>(order)].empty(); }
  int chosenClass() const { return class_; }
  Order order() const { return order_; }
  int count() const { return static_cast<int>(rows_.size()); }
  int total() const { return static_cast<int>(indices_.size()); }
  qint64 index(int row) const { return indices_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)])]; }
  int label(int row) const { return labels_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)])]; }
  QString className(int row) const;
  /// How many times as many samples the largest class has as the smallest that has any; 0: there are none.
  double imbalance() const;

 Q_SIGNALS:
  void changed();  // other rows

 private:
  void rebuild();
  std::vector<std::int32_t> indices_, labels_, rows_;
  std::array<std::vector<std::int32_t>, orders> rankings_;
  QStringList classes_;
  int class_ = -1;
  Order order_ = Order::place;
};

}  // namespace nw::ui
