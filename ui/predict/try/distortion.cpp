// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/try/distortion.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <random>

namespace nw::ui {
namespace {

constexpr unsigned noise_seed = 20261122;

QImage turned(const QImage& image, int degrees) {
  QImage out(image.size(), QImage::Format_RGB32);
  out.fill(Qt::black);
  QPainter p(&out);
  p.setRenderHint(QPainter::SmoothPixmapTransform);
  p.translate(image.width() / 2.0, image.height() / 2.0);
  p.rotate(degrees);
  p.drawImage(QPointF(-image.width() / 2.0, -image.height() / 2.0), image);
  p.end();
  return out.convertToFormat(image.format());
}

/// Normal random numbers by the Box-Muller transform, because a library's distribution differs between platforms.
void addNoise(QImage& image, int percent) {
  std::mt19937 random(noise_seed);
  const double deviation = 255.0 * percent / 100;
  const auto unit = [&] { return (static_cast<double>(random()) + 0.5) / 4294967296.0; };
  const int bytes = image.width() * (image.format() == QImage::Format_Grayscale8 ? 1 : 3);
  for (int y = 0; y < image.height(); ++y) {
    uchar* line = image.scanLine(y);
    for (int i = 0; i < bytes; ++i) {
      const double normal = std::sqrt(-2 * std::log(unit())) * std::cos(2 * M_PI * unit());
      line[i] = static_cast<uchar>(std::clamp(line[i] + deviation * normal, 0.0, 255.0));
    }
  }
}

void coverMiddle(QImage& image, int percent) {
  const double share = std::sqrt(percent / 100.0);
  const QSizeF size(image.width() * share, image.height() * share);
  const QRectF where(QPointF((image.width() - size.width()) / 2, (image.height() - size.height()) / 2), size);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (where.contains(QPointF(x + 0.5, y + 0.5))) image.setPixelColor(x, y, QColor(128, 128, 128));
}

}  // namespace

QImage distorted(const QImage& image, const Distortion& how) {
  if (image.isNull() || how.none()) return image;
  QImage out = image.format() == QImage::Format_Grayscale8 ? image : image.convertToFormat(QImage::Format_RGB888);
  if (how.turn != 0) out = turned(out, how.turn);
  if (how.cover != 0) {
    if (out.format() == QImage::Format_Grayscale8) {  // coverMiddle() sets colours, which this format lacks
      QImage colour = out.convertToFormat(QImage::Format_RGB888);
      coverMiddle(colour, how.cover);
      out = colour.convertToFormat(QImage::Format_Grayscale8);
    } else {
      coverMiddle(out, how.cover);
    }
  }
  if (how.noise != 0) addNoise(out, how.noise);
  return out;
}

}  // namespace nw::ui
