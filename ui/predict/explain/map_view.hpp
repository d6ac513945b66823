// SPDX-License-Identifier: GPL-3.0-or-later
// A 2-D projection of the embedding: images with similar features are close. PCA of the features of the last layer, or
// t-SNE, which preserves neighbourhoods.
#pragma once
#include <QHash>
#include <QPixmap>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/predict/images/thumbnail_store.hpp"
#include "ui/predict/source/predict_source.hpp"

class QLabel;
class QProgressBar;

namespace nw::ui {

class SegmentedControl;
class SeverityLabel;

struct EmbeddedPoint {
  double x = 0, y = 0;  // 0…1
  qint64 sample = 0;
  int label = 0;
};
struct FeatureMap {
  std::vector<EmbeddedPoint> points;
  double share[2] = {0, 0};
};
/// The response to "map"; rejected if its lists differ in length.
Result<FeatureMap> map_from(const Message& answer);

/// The painted projection: wheel or + and - zoom, dragging pans, a click or Enter chooses, arrow keys go to the nearest
/// image in that direction.
class MapCanvas : public QWidget {
  Q_OBJECT
 public:
  MapCanvas(PredictSource& source, ThumbnailStore& thumbnails, QWidget* parent = nullptr);
  void setMap(FeatureMap map);
  const FeatureMap& map() const { return map_; }
  QPointF place(std::size_t point) const;
  int current() const { return current_; }  // -1: none
  double zoom() const { return zoom_; }
  /// Number of thumbnails drawn by the last paint event; other samples in view are dots.
  int drawnThumbnails() const { return drawn_; }

 Q_SIGNALS:
  void chosen(qint64 sample);

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void focusInEvent(QFocusEvent*) override { update(); }
  void focusOutEvent(QFocusEvent*) override { update(); }
  bool event(QEvent*) override;  // tooltips

 private:
  int at(const QPointF& where) const;
  void enlarge(double factor, const QPointF& about);
  void go(const QPointF& direction);
  void choose(int point);
  QString sentence(int point) const;
  qreal side() const;
  void paintCurrent(QPainter& p, qreal side);
  /// The scaled thumbnail with its border, cached; null: not loaded yet, or this frame's time is used up.
  const QPixmap* sprite(std::size_t point, bool mayMake);
  QPixmap makeSprite(const QImage& image, const QColor& frame) const;

  PredictSource& source_;
  ThumbnailStore& thumbnails_;
  FeatureMap map_;
  QHash<qint64, QPixmap> sprites_;  // by sample, all of spritesSide_ and spritesLook_
  qreal spritesSide_ = 0;
  QString spritesLook_;
  int drawn_ = 0;
  QPointF corner_, pressed_, from_;  // corner_: of the visible part, in units of the map
  double zoom_ = 1;
  int current_ = -1;
  bool moved_ = false;
};

class ClassLegend;

class MapView : public QWidget {
  Q_OBJECT
 public:
  MapView(PredictSource& source, ThumbnailStore& thumbnails, QWidget* parent = nullptr);
  void refresh();
  MapCanvas& canvas() { return *canvas_; }
  SegmentedControl& kinds() { return *kinds_; }
  bool settled() const { return request_ == 0; }

 Q_SIGNALS:
  void chosen(qint64 sample);

 protected:
  void showEvent(QShowEvent*) override;

 private:
  void ask();
  void take(int method, const Result<Message>& answer);
  void showMethod(int method);
  void showMap(const FeatureMap& map);
  PredictSource& source_;
  SegmentedControl* kinds_;
  std::vector<std::optional<FeatureMap>> kept_;  // by method, until weights or data change
  MapCanvas* canvas_;
  ClassLegend* legend_;
  SeverityLabel* note_;
  QLabel* facts_;
  QProgressBar* progress_;
  qint64 request_ = 0;
  bool stale_ = true;
};

}  // namespace nw::ui
