// SPDX-License-Identifier: GPL-3.0-or-later
// Images where the network sees them: what lies together looks alike to it. A plane through the features of its last
// layer, or t-SNE, which keeps neighbours together.
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
/// The answer to "map"; refused when its lists do not fit each other.
Result<FeatureMap> map_from(const Json& answer);

/// The plane, painted: wheel or + and - enlarge, dragging moves, a click or Enter chooses, arrow keys go to the next
/// image that way.
class MapCanvas : public QWidget {
  Q_OBJECT
 public:
  MapCanvas(PredictSource& source, ThumbnailStore& thumbnails, QWidget* parent = nullptr);
  void setMap(FeatureMap map);
  const FeatureMap& map() const { return map_; }
  QPointF place(std::size_t point) const;
  int current() const { return current_; }  // -1: none
  double zoom() const { return zoom_; }
  /// How many of the pictures in view are drawn, the others as dots, when it was painted last.
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
  /// The picture with its frame, ready to be copied; null: it is not here, or there is no time to make it in this
  /// frame.
  const QPixmap* sprite(std::size_t point, bool mayMake);
  QPixmap makeSprite(const QImage& image, const QColor& frame) const;

  PredictSource& source_;
  ThumbnailStore& thumbnails_;
  FeatureMap map_;
  QHash<qint64, QPixmap> sprites_;  // by sample, all of spritesSide_ and spritesLook_
  qreal spritesSide_ = 0;
  QString spritesLook_;
  int drawn_ = 0;
  QPointF corner_, pressed_, from_;  // corner_: of what is seen, in units of the whole
  double zoom_ = 1;
  int current_ = -1;
  bool moved_ = false;
};

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
  PredictSource& source_;
  SegmentedControl* kinds_;
  std::vector<std::optional<FeatureMap>> kept_;  // of each method, until something else is looked at
  MapCanvas* canvas_;
  SeverityLabel* note_;
  QLabel* facts_;
  QProgressBar* progress_;
  qint64 request_ = 0;
  bool stale_ = true;
};

}  // namespace nw::ui
