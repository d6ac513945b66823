// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/images/image_view.hpp"

#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {

ImageView::ImageView(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
  setAccessibleName(accessibleName);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setMinimumSize(120, 120);
}
void ImageView::setImage(const QImage& image) {
  image_ = image;
  update();
}
void ImageView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  const qreal side = std::min(width(), height()) - 1;
  paintThumbnail(p, image_, QRectF(0.5, 0.5, side, side), radius::control);
}

}  // namespace nw::ui
