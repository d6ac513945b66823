// SPDX-License-Identifier: GPL-3.0-or-later
// What a painter draws as TikZ source: paths, lines and words, in the geometry of the drawing as SVG. Pixel images are
// left out. https://tikz.dev
#pragma once
#include <QPaintDevice>
#include <QSizeF>
#include <memory>

namespace nw::ui {

class TikzDevice : public QPaintDevice {
 public:
  /// `size`: of the drawing, in units of 1/72 inch.
  TikzDevice(QSizeF size, QString title);
  ~TikzDevice() override;
  QPaintEngine* paintEngine() const override;
  /// The file, which compiles alone (class standalone), after the painter has ended.
  QString document() const;

 protected:
  int metric(PaintDeviceMetric) const override;

 private:
  class Engine;
  QSizeF size_;
  QString title_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace nw::ui
