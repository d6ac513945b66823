// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scene/tikz_device.hpp"

#include <QFontInfo>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/theme/tex.hpp"

namespace nw::ui {
namespace {

QString number(qreal v) {
  const QString text = QString::number(std::abs(v) < 5e-4 ? 0 : v, 'f', 3);
  return text.contains(u'.') ? QString(text).remove(QRegularExpression(QStringLiteral("\\.?0+$"))) : text;
}

QString point(const QPointF& p) { return u'(' + number(p.x()) + u',' + number(p.y()) + u')'; }

QString colour(const QColor& c) {
  return QStringLiteral("{rgb,255:red,%1;green,%2;blue,%3}").arg(c.red()).arg(c.green()).arg(c.blue());
}

/// The colour of a brush; of a gradient that of its first stop.
QColor colourOf(const QBrush& brush) {
  const QGradient* gradient = brush.gradient();
  return gradient && !gradient->stops().isEmpty() ? gradient->stops().first().second : brush.color();
}

QString pathText(const QPainterPath& path) {
  QString out;
  QPointF begin, last;
  const auto close = [&] {
    if (!out.isEmpty() && last == begin) out += QStringLiteral(" -- cycle");
  };
  for (int i = 0; i < path.elementCount(); ++i) {
    const QPainterPath::Element e = path.elementAt(i);
    if (e.isMoveTo()) {
      close();
      begin = e;
      out += (out.isEmpty() ? QString() : QStringLiteral(" ")) + point(e);
    } else if (e.isCurveTo() && i + 2 < path.elementCount()) {
      out += QStringLiteral(" .. controls %1 and %2 .. %3")
                 .arg(point(e), point(path.elementAt(i + 1)), point(path.elementAt(i + 2)));
      i += 2;
    } else {
      out += QStringLiteral(" -- ") + point(e);
    }
    last = path.elementAt(i);
  }
  close();
  return out;
}

}  // namespace

class TikzDevice::Engine : public QPaintEngine {
 public:
  Engine() : QPaintEngine(AllFeatures & ~PaintEngineFeatures(PerspectiveTransform | PorterDuff)) {}

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  void updateState(const QPaintEngineState&) override {}
  Type type() const override { return User; }
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}

  void drawPath(const QPainterPath& path) override { add(path, true); }

  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
    QPainterPath path;
    QPolygonF polygon;
    for (int i = 0; i < count; ++i) polygon << points[i];
    if (mode != PolylineMode && !polygon.isEmpty()) polygon << polygon.first();
    path.addPolygon(polygon);
    path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    add(path, mode != PolylineMode);
  }

  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    const QTransform& t = painter()->transform();
    const QPen pen = painter()->pen();
    const qreal scale = std::sqrt(std::abs(t.determinant()));
    const QFontInfo info(item.font());
    QString font = QStringLiteral("\\fontsize{%1}{%1}\\selectfont").arg(number(info.pixelSize() * scale));
    if (info.weight() >= QFont::DemiBold) font += QStringLiteral("\\bfseries");
    if (info.fixedPitch()) font += QStringLiteral("\\ttfamily");
    QStringList options{QStringLiteral("anchor=base west"), QStringLiteral("inner sep=0"),
                        QStringLiteral("text=") + colour(pen.color()), QStringLiteral("font=") + font};
    if (const qreal opacity = pen.color().alphaF() * painter()->opacity(); opacity < 0.995)
      options << QStringLiteral("text opacity=") + number(opacity);
    body_ += QStringLiteral("  \\node[%1] at %2 {%3};\n")
                 .arg(options.join(QStringLiteral(", ")), point(t.map(at)), texOf(item.text()));
  }

  const QString& body() const { return body_; }

 private:
  void add(const QPainterPath& path, bool fills) {
    const QTransform& t = painter()->transform();
    const QPen pen = painter()->pen();
    const QBrush brush = painter()->brush();
    QStringList options;
    const QColor ink = colourOf(pen.brush()), area = colourOf(brush);
    const qreal opacity = painter()->opacity();
    if (fills && brush.style() != Qt::NoBrush && area.alphaF() * opacity > 0.002) {
      options << QStringLiteral("fill=") + colour(area);
      if (area.alphaF() * opacity < 0.995) options << QStringLiteral("fill opacity=") + number(area.alphaF() * opacity);
      if (path.fillRule() == Qt::OddEvenFill) options << QStringLiteral("even odd rule");
    }
    if (pen.style() != Qt::NoPen && ink.alphaF() * opacity > 0.002) addPen(options, pen, ink, opacity, t);
    const QPainterPath mapped = t.map(path);
    if (!options.isEmpty() && !mapped.isEmpty())
      body_ += clipped(QStringLiteral("  \\path[%1] %2;\n").arg(options.join(QStringLiteral(", ")), pathText(mapped)),
                       mapped.boundingRect(), t);
  }

  static void addPen(QStringList& options, const QPen& pen, const QColor& ink, qreal opacity, const QTransform& t) {
    const qreal scale = pen.isCosmetic() ? 1 : std::sqrt(std::abs(t.determinant()));
    const qreal width = std::max(0.4, (pen.widthF() > 0 ? pen.widthF() : 1) * scale);
    options << QStringLiteral("draw=") + colour(ink) << QStringLiteral("line width=%1bp").arg(number(width));
    if (ink.alphaF() * opacity < 0.995) options << QStringLiteral("draw opacity=") + number(ink.alphaF() * opacity);
    if (pen.capStyle() == Qt::RoundCap) options << QStringLiteral("line cap=round");
    if (pen.joinStyle() == Qt::RoundJoin) options << QStringLiteral("line join=round");
    QStringList dashes;
    const QList<qreal> pattern = pen.style() == Qt::SolidLine ? QList<qreal>{} : pen.dashPattern();
    for (qsizetype i = 0; i < pattern.size(); ++i)
      dashes << QStringLiteral("%1 %2bp").arg(i % 2 ? QStringLiteral("off") : QStringLiteral("on"),
                                              number(pattern[i] * width));
    if (!dashes.isEmpty()) options << QStringLiteral("dash pattern=") + dashes.join(u' ');
  }

  /// The line within the painter's clip, if that cuts something off.
  QString clipped(const QString& line, const QRectF& bounds, const QTransform& t) const {
    if (!painter()->hasClipping()) return line;
    const QPainterPath clip = t.map(painter()->clipPath());
    if (clip.isEmpty() || clip.contains(bounds)) return line;
    return QStringLiteral("  \\begin{scope}\n  \\clip %1;\n%2  \\end{scope}\n").arg(pathText(clip), line);
  }

  QString body_;
};

TikzDevice::TikzDevice(QSizeF size, QString title)
    : size_(size), title_(std::move(title)), engine_(std::make_unique<Engine>()) {}
TikzDevice::~TikzDevice() = default;
QPaintEngine* TikzDevice::paintEngine() const { return engine_.get(); }

int TikzDevice::metric(PaintDeviceMetric m) const {
  switch (m) {
    case PdmWidth:
      return static_cast<int>(std::ceil(size_.width()));
    case PdmHeight:
      return static_cast<int>(std::ceil(size_.height()));
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
      return 72;
    case PdmDepth:
      return 32;
    case PdmNumColors:
      return 1 << 24;
    case PdmWidthMM:
      return static_cast<int>(size_.width() * 25.4 / 72);
    case PdmHeightMM:
      return static_cast<int>(size_.height() * 25.4 / 72);
    case PdmDevicePixelRatio:
      return 1;
    case PdmDevicePixelRatioScaled:
      return static_cast<int>(devicePixelRatioFScale());
    default:
      return QPaintDevice::metric(m);
  }
}

QString TikzDevice::document() const {
  return QStringLiteral(
             "%% %1, drawn by Netwright. pdflatex sets it alone; \\input with the package standalone includes it.\n"
             "% Letters of other scripts than Latin need XeLaTeX or LuaLaTeX.\n"
             "\\documentclass[tikz]{standalone}\n"
             "\\usepackage[T1]{fontenc}\n"
             "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}  % outlines instead of bitmaps\n"
             "\\renewcommand{\\familydefault}{\\sfdefault}\n"
             "\\begin{document}\n"
             "\\begin{tikzpicture}[x=1bp, y=-1bp]\n"
             "  \\useasboundingbox (0,0) rectangle (%2,%3);\n%4"
             "\\end{tikzpicture}\n"
             "\\end{document}\n")
      .arg(texOf(title_).simplified(), number(size_.width()), number(size_.height()), engine_->body());
}

}  // namespace nw::ui
