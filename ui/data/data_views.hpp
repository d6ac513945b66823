// SPDX-License-Identifier: GPL-3.0-or-later
// Painted parts of the data panel: samples with their classes, and how many images each class has.
#pragma once
#include <QImage>
#include <QWidget>
#include <vector>

#include "ui/data/data_opener.hpp"

namespace nw::ui {

/// A few images of one split with the class below each; requests them from the helper process.
class SamplePreview : public QWidget {
  Q_OBJECT
 public:
  explicit SamplePreview(Session& session, QWidget* parent = nullptr);
  void setSplit(const QString& split);  // "train", "validation", "test"
  /// Other images of the same split; wraps around.
  void next();
  void refresh();
  int loaded() const { return static_cast<int>(images_.size()); }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;
  bool event(QEvent*) override;  // tooltips: an image's source
  void showEvent(QShowEvent*) override;

 private:
  QRectF cell(int i) const;
  qint64 count() const;
  Session& session_;
  QString split_ = QStringLiteral("train"), error_;
  std::vector<QImage> images_;
  QStringList labels_, origins_;
  qint64 begin_ = 0, asked_ = 0;
  bool wanted_ = true;
};

/// One bar per class, divided into the three splits.
class ClassCounts : public QWidget {
  Q_OBJECT
 public:
  explicit ClassCounts(QWidget* parent = nullptr);
  void setInfo(const DataInfo& info);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  QStringList legendTexts() const;
  /// The position of each text of the legend, wrapped to the width.
  std::vector<QPoint> legendPlaces() const;
  int legendHeight() const;
  void paintLegend(QPainter& p) const;
  DataInfo info_;
};

}  // namespace nw::ui
