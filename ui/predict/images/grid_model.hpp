// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of an evaluation as a list: filtered, sorted, in sections. 60 000 rows cost two vectors of integers.
#pragma once
#include <QAbstractListModel>
#include <memory>
#include <optional>

#include "ui/predict/images/thumbnail_store.hpp"

namespace nw::ui {

class GridModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum class Show { all, wrong, unsure };
  enum class Order { most_confident, least_confident, largest_loss, index };
  struct Cell {
    int truth = 0, read = 0;
    bool operator==(const Cell&) const = default;
  };
  /// Rows [first, first + count) under one heading.
  struct Section {
    QString title, muted;
    int first = 0, count = 0;
  };
  enum Role { SampleRole = Qt::UserRole + 1, WrongRole };

  explicit GridModel(ThumbnailStore* thumbnails = nullptr, QObject* parent = nullptr);
  void setView(std::shared_ptr<const EvaluationView> view);
  void setShow(Show show);
  void setCell(std::optional<Cell> cell);
  void setOrder(Order order);
  Show shown() const { return show_; }
  Order order() const { return order_; }
  std::optional<Cell> cell() const { return cell_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  const Sample& sample(int row) const {
    return view_->samples[static_cast<std::size_t>(rows_[static_cast<std::size_t>(row)])];
  }
  /// Row of a data-set index; -1: filtered out.
  int rowOf(qint64 sampleIndex) const;
  const std::vector<Section>& sections() const { return sections_; }
  /// Counts the changes of the rows and sections; equal numbers mean equal sections.
  std::uint64_t generation() const { return generation_; }
  const EvaluationView* view() const { return view_.get(); }

 private:
  void rebuild();
  bool fits(const Sample& s) const;
  bool before(int a, int b) const;
  void appendSection(const QString& title, const QString& muted, const std::function<bool(const Sample&)>& belongs,
                     int limit = -1);
  void mainSection();
  void nearlyWrongSection();

  ThumbnailStore* thumbnails_;
  std::shared_ptr<const EvaluationView> view_;
  Show show_ = Show::all;
  Order order_ = Order::most_confident;
  std::optional<Cell> cell_;
  std::vector<int> rows_;
  std::vector<Section> sections_;
  std::uint64_t generation_ = 0;
};

}  // namespace nw::ui
