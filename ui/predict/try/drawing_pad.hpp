// SPDX-License-Identifier: GPL-3.0-or-later
// A black square to draw on in white. The input is preprocessed like MNIST: the drawing is scaled into the middle
// five sevenths of the image and its centre of mass is put at the centre (LeCun, Cortes, Burges: "The MNIST database").
#pragma once
#include <QImage>
#include <QPointF>
#include <QVector>
#include <QWidget>

namespace nw::ui {

class DrawingPad : public QWidget {
  Q_OBJECT
 public:
  explicit DrawingPad(QWidget* parent = nullptr);
  void setInputSize(int height, int width);
  void setBrush(double share);  // of the pad's side, 0.02…0.2
  double brush() const { return brush_; }
  void undo();  // removes the last stroke, or the image
  void clear();
  bool isEmpty() const { return strokes_.isEmpty() && picture_.isNull(); }
  int strokes() const { return static_cast<int>(strokes_.size()); }
  /// Grey, input size; all black when nothing is drawn.
  QImage input() const;
  /// Shows an image from a file instead of a drawing.
  void setPicture(const QImage& picture);
  QSize sizeHint() const override { return {222, 222}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return width; }

 Q_SIGNALS:
  void changed();  // also while a stroke is being drawn; not for images

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void focusInEvent(QFocusEvent*) override { update(); }
  void focusOutEvent(QFocusEvent*) override { update(); }

 private:
  struct Stroke {
    QVector<QPointF> points;
    double width;
  };  // in units of the pad's side
  QRectF square() const;
  QPointF unit(const QPointF& at) const;
  void paintStrokes(QPainter& p, qreal side) const;
  void paintPreview(QPainter& p, const QRectF& pad) const;

  QVector<Stroke> strokes_;
  QImage picture_, preview_;
  QSize size_{28, 28};
  double brush_ = 0.075;
  bool drawing_ = false;
};

}  // namespace nw::ui
