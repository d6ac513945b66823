// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QWidget>

namespace nw::ui {

/// One image scaled to the widget, without interpolation.
class ImageView : public QWidget {
  Q_OBJECT
 public:
  explicit ImageView(const QString& accessibleName, QWidget* parent = nullptr);
  void setImage(const QImage& image);
  const QImage& image() const { return image_; }
  QSize sizeHint() const override { return {190, 190}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return width; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QImage image_;
};

}  // namespace nw::ui
