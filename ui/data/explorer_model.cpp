// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/explorer_model.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace nw::ui {

void ExplorerModel::setSamples(std::vector<std::int32_t> indices, std::vector<std::int32_t> labels,
                               QStringList classes) {
  indices_ = std::move(indices);
  labels_ = std::move(labels);
  labels_.resize(indices_.size(), -1);
  classes_ = std::move(classes);
  if (class_ >= classes_.size()) class_ = -1;
  for (auto& ranking : rankings_) ranking.clear();
  rebuild();
}

void ExplorerModel::setClass(int label) {
  if (label == class_) return;
  class_ = label;
  rebuild();
}

void ExplorerModel::setOrder(Order order) {
  if (order == order_) return;
  order_ = order;
  rebuild();
}

void ExplorerModel::setRanking(Order order, std::vector<std::int32_t> places) {
  std::erase_if(places, [this](std::int32_t p) { return p < 0 || static_cast<std::size_t>(p) >= indices_.size(); });
  rankings_[static_cast<std::size_t>(order)] = std::move(places);
  if (order == order_) rebuild();
}

QString ExplorerModel::className(int row) const { return classes_.value(label(row), QString::number(label(row))); }

void ExplorerModel::rebuild() {
  rows_.clear();
  rows_.reserve(indices_.size());
  const auto take = [this](std::int32_t place) {
    if (class_ < 0 || labels_[static_cast<std::size_t>(place)] == class_) rows_.push_back(place);
  };
  if (hasRanking(order_))
    std::for_each(rankings_[static_cast<std::size_t>(order_)].begin(),
                  rankings_[static_cast<std::size_t>(order_)].end(), take);
  else
    for (std::size_t i = 0; i < indices_.size(); ++i) take(static_cast<std::int32_t>(i));
  if (order_ == Order::label && class_ < 0) {  // there are few labels: one list each
    std::map<std::int32_t, std::vector<std::int32_t>> lists;
    for (const std::int32_t row : rows_) lists[labels_[static_cast<std::size_t>(row)]].push_back(row);
    rows_.clear();
    for (const auto& [label, list] : lists) rows_.insert(rows_.end(), list.begin(), list.end());
  }
  if (order_ == Order::scattered && !rows_.empty()) {
    const auto n = static_cast<std::int64_t>(rows_.size());
    std::int64_t stride = std::max<std::int64_t>(1, n * 618 / 1000);  // golden ratio: the most even spread
    while (std::gcd(stride, n) != 1) ++stride;
    std::vector<std::int32_t> scattered(rows_.size());
    for (std::int64_t k = 0; k < n; ++k)
      scattered[static_cast<std::size_t>(k)] = rows_[static_cast<std::size_t>(k * stride % n)];
    rows_ = std::move(scattered);
  }
  Q_EMIT changed();
}

double ExplorerModel::imbalance() const {
  std::vector<qint64> counts(static_cast<std::size_t>(classes_.size()), 0);
  for (const std::int32_t label : labels_)
    if (label >= 0 && static_cast<std::size_t>(label) < counts.size()) ++counts[static_cast<std::size_t>(label)];
  qint64 least = 0, most = 0;
  for (const qint64 n : counts) {
    most = std::max(most, n);
    if (n > 0 && (least == 0 || n < least)) least = n;
  }
  return least > 0 ? static_cast<double>(most) / static_cast<double>(least) : 0;
}

}  // namespace nw::ui
