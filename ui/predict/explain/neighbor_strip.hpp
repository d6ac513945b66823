// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest neighbors of the chosen image in the training set, with their classes.
#pragma once
#include <QWidget>
#include <vector>

#include "ui/predict/source/predict_source.hpp"
#include "ui/session/thumbnails.hpp"

namespace nw::ui {

struct NeighborImage {
  qint64 index = 0;
  int label = 0;
  double likeness = 0;
  QString name;
};
/// The response to "neighbours"; invalid entries are left out.
std::vector<NeighborImage> neighbors_from(const Json& answer);

class NeighborStrip : public QWidget {
  Q_OBJECT
 public:
  explicit NeighborStrip(PredictSource& source, QWidget* parent = nullptr);
  /// -1: none.
  void setSample(qint64 sample, int label);
  const std::vector<NeighborImage>& images() const { return found_; }
  /// True if all thumbnails are loaded.
  bool pictured() const;
  bool asking() const { return request_ != 0; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;
  void showEvent(QShowEvent*) override;
  bool event(QEvent*) override;  // tooltips

 private:
  void ask();
  QImage picture(const NeighborImage& of) const;
  QRectF cell(int i) const;
  PredictSource& source_;
  std::vector<NeighborImage> found_;
  Thumbnails* thumbnails_;
  SampleSet training_;
  QString note_;
  qint64 sample_ = -1, request_ = 0;
  int label_ = -1;
  quint64 turn_ = 0;
  bool stale_ = false;
};

}  // namespace nw::ui
