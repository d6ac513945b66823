// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/painted_text.hpp"

#include <QApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QLabel>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/charts/plot.hpp"

namespace nw::ui {
namespace {

/// Remembers which widget paints: each is told so by an event before its painter begins.
class Painting : public QObject {
 public:
  Painting() { qApp->installEventFilter(this); }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint && watched->isWidgetType()) widget = static_cast<QWidget*>(watched);
    return false;
  }
  QWidget* widget = nullptr;
};

class TextEngine : public QPaintEngine {
 public:
  explicit TextEngine(const Painting& painting) : QPaintEngine(AllFeatures), painting_(painting) {}
  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  Type type() const override { return User; }
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override {}
  void drawPath(const QPainterPath&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}
  void drawRects(const QRectF*, int) override {}
  void drawRects(const QRect*, int) override {}
  void drawLines(const QLineF*, int) override {}
  void drawLines(const QLine*, int) override {}
  void drawEllipse(const QRectF&) override {}
  void drawEllipse(const QRect&) override {}
  void drawPoints(const QPointF*, int) override {}
  void drawPoints(const QPoint*, int) override {}

  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    if (item.text().trimmed().isEmpty() || !painting_.widget) return;
    const QPainter& p = *painter();
    const QTransform& t = p.deviceTransform();
    QColor ink = p.pen().color();
    ink.setAlphaF(static_cast<float>(ink.alphaF() * p.opacity()));
    const QRectF line(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
    const QRectF place = t.mapRect(line);
    PaintedText made{item.text(),
                     place,
                     clip(t),
                     ink,
                     item.font(),
                     painting_.widget,
                     std::sqrt(std::abs(t.determinant())),
                     t.type() > QTransform::TxScale ? t.map(QPolygonF(line)) : QPolygonF()};
    if (texts.isEmpty() || !continues(texts.last(), made)) return texts.append(made);
    texts.last().text += made.text;
    texts.last().place = texts.last().place.united(made.place);
  }

  QList<PaintedText> texts;

 private:
  QRectF clip(const QTransform& t) const {
    const QRectF system = systemClip().boundingRect();
    if (!painter()->hasClipping()) return system;
    const QRectF own = t.mapRect(painter()->clipBoundingRect());
    return system.isNull() ? own : own.intersected(system);
  }
  /// Qt paints a line in pieces, one for each script.
  static bool continues(const PaintedText& a, const PaintedText& b) {
    return a.owner == b.owner && a.ink == b.ink && std::abs(a.place.center().y() - b.place.center().y()) < 4 &&
           std::abs(a.place.right() - b.place.left()) < 0.6;
  }

  const Painting& painting_;
};

/// As large as the window, with its points per inch, on which sizes of fonts depend.
class TextDevice : public QPaintDevice {
 public:
  explicit TextDevice(const QWidget& window) : engine(painting), window_(window) {}
  QPaintEngine* paintEngine() const override { return &engine; }
  Painting painting;
  mutable TextEngine engine;

 protected:
  int metric(PaintDeviceMetric m) const override {
    switch (m) {
      case PdmWidth:
        return window_.width();
      case PdmHeight:
        return window_.height();
      case PdmDpiX:
      case PdmPhysicalDpiX:
        return window_.logicalDpiX();
      case PdmDpiY:
      case PdmPhysicalDpiY:
        return window_.logicalDpiY();
      case PdmWidthMM:
        return window_.widthMM();
      case PdmHeightMM:
        return window_.heightMM();
      case PdmDepth:
        return 32;
      case PdmNumColors:
        return 1 << 24;
      case PdmDevicePixelRatio:
        return 1;
      default:
        return m == PdmDevicePixelRatioScaled ? static_cast<int>(devicePixelRatioFScale()) : QPaintDevice::metric(m);
    }
  }

 private:
  const QWidget& window_;
};

/// A chart copies itself from a picture that it has kept; here it has to paint.
void paintCharts(QWidget& window, TextDevice& device) {
  for (QCustomPlot* plot : window.findChildren<QCustomPlot*>()) {
    if (!plot->isVisibleTo(&window) || plot->size().isEmpty()) continue;
    device.painting.widget = plot;
    QCPPainter painter(&device);
    painter.translate(plot->mapTo(&window, QPoint()));
    plot->toPainter(&painter, plot->width(), plot->height());
  }
}

bool isInSight(const QWidget& window, const PaintedText& text) {
  if (!text.owner->isVisible() || text.owner->window() != &window) return false;  // a list that is closed
  const QRectF shown = text.shown().intersected(window.rect());
  if (shown.width() < 1 || shown.height() < 3) return false;
  const QWidget* hit = window.childAt(shown.center().toPoint());
  if (!hit || hit == text.owner || hit->isAncestorOf(text.owner)) return true;
  const bool beside = hit->parentWidget() == text.owner->parentWidget() && qobject_cast<const QLabel*>(hit);
  return (beside || text.owner->isAncestorOf(hit)) && !hit->autoFillBackground();  // a transparent layer over it
}

}  // namespace

QList<PaintedText> paintedTexts(QWidget& window) {
  TextDevice device(window);
  {
    QPainter painter(&device);
    window.render(&painter, {}, {}, QWidget::DrawChildren);
  }
  paintCharts(window, device);
  QList<PaintedText> texts = device.engine.texts;
  texts.removeIf([&](const PaintedText& text) { return !isInSight(window, text); });
  return texts;
}

}  // namespace nw::ui
