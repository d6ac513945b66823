// SPDX-License-Identifier: GPL-3.0-or-later
// All samples of one split, filtered and sorted, stored as three vectors of integers. GUI thread.
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
  /// scattered: all classes appear early. From name on: sorted by a ranking, see setRanking().
  enum class Order { place, label, scattered, name, darkest, brightest, flattest, starkest, loss, unsure };
  static constexpr int orders = 10;
  using QObject::QObject;
  /// `indices` and `labels` of the same length: data-set index and class of each sample.
  void setSamples(std::vector<std::int32_t> indices, std::vector<std::int32_t> labels, QStringList classes);
  void setClass(int label);  // -1: all
  void setOrder(Order order);
  /// The samples' positions in a ranking; positions without a sample are skipped. setSamples() removes the ranking.
  void setRanking(Order order, std::vector<std::int32_t> places);
  bool hasRanking(Order order) const { return !rankings_[static_cast<std::size_t>(order)].empty(); }
  int chosenClass() const { return class_; }
  Order order() const { return order_; }
  int count() const { return static_cast<int>(rows_.size()); }
  int total() const { return static_cast<int>(indices_.size()); }
  qint64 index(int row) const { return indices_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)])]; }
  int label(int row) const { return labels_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)])]; }
  QString className(int row) const;
  /// Size of the largest class / size of the smallest class that is not empty; 0: no samples.
  double imbalance() const;

 Q_SIGNALS:
  void changed();  // the rows differ

 private:
  void rebuild();
  std::vector<std::int32_t> indices_, labels_, rows_;
  std::array<std::vector<std::int32_t>, orders> rankings_;
  QStringList classes_;
  int class_ = -1;
  Order order_ = Order::place;
};

}  // namespace nw::ui
