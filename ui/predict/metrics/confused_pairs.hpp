// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs of classes that are confused most often, each with a few of its images. A row filters the grid.
#pragma once
#include <QAbstractButton>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/predict/images/grid_model.hpp"

class QVBoxLayout;

namespace nw::ui {

/// One pair: "2 › 7 | bar | 7 | images".
class ConfusionRow : public QAbstractButton {
  Q_OBJECT
 public:
  ConfusionRow(const ConfusedPair& mixup, qint64 most, std::shared_ptr<const EvaluationView> view,
               ThumbnailStore& thumbnails, QWidget* parent);
  GridModel::Cell cell() const { return {mixup_.truth, mixup_.read}; }
  QSize sizeHint() const override { return {380, 33}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void enterEvent(QEnterEvent*) override { update(); }
  void leaveEvent(QEvent*) override { update(); }

 private:
  void paintPair(QPainter& p) const;
  void paintBar(QPainter& p) const;
  void paintImages(QPainter& p) const;
  ConfusedPair mixup_;
  qint64 most_;
  std::shared_ptr<const EvaluationView> view_;
  ThumbnailStore& thumbnails_;
  std::vector<qint64> samples_;
};

class ConfusionList : public QWidget {
  Q_OBJECT
 public:
  explicit ConfusionList(ThumbnailStore& thumbnails, QWidget* parent = nullptr);
  void setView(const std::shared_ptr<const EvaluationView>& view);
  void setCell(std::optional<GridModel::Cell> cell);
  const std::vector<ConfusionRow*>& rows() const { return rows_; }

 Q_SIGNALS:
  void cellChosen(std::optional<nw::ui::GridModel::Cell> cell);

 private:
  ThumbnailStore& thumbnails_;
  QVBoxLayout* layout_;
  std::vector<ConfusionRow*> rows_;
  std::optional<GridModel::Cell> cell_;
};

}  // namespace nw::ui
