// SPDX-License-Identifier: GPL-3.0-or-later
// The test images that the original and a smaller network answer otherwise. GUI thread.
#pragma once
#include <QAbstractListModel>
#include <QStringList>
#include <optional>
#include <vector>

#include "engine/core/json.hpp"

namespace nw::ui {

enum class FlipKind : quint8 { now_wrong, now_right, still_wrong };
struct ChangedAnswer {
  qint64 sample = 0;
  int label = 0, before = 0, after = 0;
  double margin = 0, confidenceBefore = 0, confidenceAfter = 0;
  FlipKind kind() const {
    return before == label ? FlipKind::now_wrong : after == label ? FlipKind::now_right : FlipKind::still_wrong;
  }
};
/// Of the answer of `changed-predictions`; rows that are not understood are left out.
std::vector<ChangedAnswer> changedAnswersIn(const Json& result);

class FlipModel : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  void setAnswers(std::vector<ChangedAnswer> answers, QStringList names);
  /// nullopt and -1: all. Smallest margin first, or largest.
  void setFilter(std::optional<FlipKind> kind, int label);
  void setLargestFirst(bool largest);
  const std::vector<ChangedAnswer>& all() const { return answers_; }
  const ChangedAnswer& at(int row) const { return answers_[shown_[static_cast<std::size_t>(row)]]; }
  qint64 count(std::optional<FlipKind> kind) const;
  QString nameOf(int label) const;
  const QStringList& names() const { return names_; }
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  void choose();
  std::vector<ChangedAnswer> answers_;
  std::vector<std::size_t> shown_;
  QStringList names_;
  std::optional<FlipKind> kind_;
  int label_ = -1;
  bool largest_ = false;
};

}  // namespace nw::ui
