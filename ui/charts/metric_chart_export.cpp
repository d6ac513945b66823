// SPDX-License-Identifier: GPL-3.0-or-later
// The "⋯" menu of a MetricChart and its exports.
#include "ui/charts/plot.hpp"

#include <QBuffer>
#include <QMenu>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/csv_field.hpp"
#include "engine/core/files.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_parts.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/charts/pgf_export.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr int title_height = 34;
}  // namespace

void MetricChart::showMenu() {
  QMenu menu(this);
  QAction* log = menu.addAction(tr("Logarithmic axis"), this, [this](bool on) { setLogAxis(on); });
  log->setCheckable(true);
  log->setChecked(options_.logAxis);
  QAction* logX = menu.addAction(tr("Logarithmic horizontal axis"), this, [this](bool on) { setLogHorizontal(on); });
  logX->setCheckable(true);
  logX->setChecked(options_.logHorizontal);
  QAction* whole = menu.addAction(tr("Whole range"), this, [this](bool on) { setWholeRange(on); });
  whole->setCheckable(true);
  whole->setChecked(wholeRange_);
  if (options_.smoothing >= 0) { fillSmoothingMenu(*menu.addMenu(tr("Smoothing"))); }
  menu.addSeparator();
  for (const char* suffix : {"png", "svg", "pdf", "csv", "tex"}) {
    const QString ending = QLatin1String(suffix),
                  format = ending == QLatin1String("tex") ? QStringLiteral("PGF/LaTeX") : ending.toUpper();
    menu.addAction(tr("Export as %1…").arg(format), this, [this, ending] { requestExport(ending); });
  }
  Q_EMIT menuAboutToShow(&menu, cursor_->x());
  menu.exec(QCursor::pos());
}

void MetricChart::requestExport(const QString& suffix) {
  exportChart(
      this, options_.title, suffix, [this](const QString& file) { return exportTo(file); },
      [this](const QString& sentence, int severity, const NotificationActions& actions) {
        Q_EMIT message(sentence, severity, actions);
      });
}

Status MetricChart::exportTo(const QString& file) {
  const fs::path path(file.toStdString());
  if (file.endsWith(QLatin1String(".csv"))) return save_file(path, csv().toStdString());
  if (file.endsWith(QLatin1String(".tex"))) return save_file(path, pgfOf(*this).toStdString());
  rescale();
  nameAxes();
  plot_->replot(QCustomPlot::rpImmediateRefresh);
  const QByteArray bytes = file.endsWith(QLatin1String(".svg"))   ? svg()
                           : file.endsWith(QLatin1String(".pdf")) ? pdf()
                                                                  : png();
  return save_file(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// One row per x of any curve, one column per curve, empty where it has no point; C locale.
QString MetricChart::csv() const {
  std::map<double, std::vector<double>> rows;
  for (std::size_t c = 0; c < curves_.size(); ++c)
    for (qsizetype i = 0; i < curves_[c].x.size(); ++i) {
      auto& row = rows[curves_[c].x[i]];
      row.resize(curves_.size(), qQNaN());
      row[c] = curves_[c].y[i];
    }
  QStringList names{options_.xName.isEmpty() ? QStringLiteral("x") : options_.xName.toLower()};
  for (const Curve& c : curves_) names += QString::fromStdString(csv_quoted(c.style.name.toStdString()));
  QString out = names.join(u',') + u'\n';
  for (const auto& [x, values] : rows) {
    out += QString::number(x, 'g', 10);
    for (const double v : values) out += u',' + (std::isnan(v) ? QString() : QString::number(v, 'g', 10));
    out += u'\n';
  }
  return out;
}

namespace {
void paintPicture(QPainter& p, QCPPainter& plotPainter, const ChartLegend& legend, const ChartOverlay& overlay,
                  QCustomPlot& plot) {
  const QSize size = plot.size() + QSize(0, title_height);
  p.setRenderHint(QPainter::Antialiasing);
  p.fillRect(QRect(QPoint(0, 0), size), theme().chartCard);
  legend.paint(p, QRectF(14, 0, size.width() - 28, title_height));
  p.translate(0, title_height);
  plot.toPainter(&plotPainter, plot.width(), plot.height());
  overlay.paintCached(p);
}
}  // namespace

QByteArray MetricChart::png() {
  constexpr qreal scale = 2;
  QImage image((plot_->size() + QSize(0, title_height)) * scale, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(scale);
  QCPPainter p(&image);
  paintPicture(p, p, *legend_, *overlay_, *plot_);
  p.end();
  QBuffer out;
  out.open(QIODevice::WriteOnly);
  image.save(&out, "PNG");
  return out.data();
}

QByteArray MetricChart::svg() {
  QBuffer out;
  QSvgGenerator generator;
  generator.setOutputDevice(&out);
  generator.setSize(plot_->size() + QSize(0, title_height));
  generator.setViewBox(QRect(QPoint(0, 0), plot_->size() + QSize(0, title_height)));
  generator.setTitle(options_.title);
  QCPPainter p;
  p.begin(&generator);
  p.setMode(QCPPainter::pmVectorized);
  paintPicture(p, p, *legend_, *overlay_, *plot_);
  p.end();
  return out.data();
}

/// One page of the image's size, with vector lines and text.
QByteArray MetricChart::pdf() {
  constexpr int pixels_per_inch = 96;
  const QSize size = plot_->size() + QSize(0, title_height);
  QBuffer out;
  out.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&out);
    writer.setTitle(options_.title);
    writer.setCreator(QStringLiteral("Netwright"));
    writer.setResolution(pixels_per_inch);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(QSizeF(size) / pixels_per_inch, QPageSize::Inch, {}, QPageSize::ExactMatch));
    QCPPainter p;
    p.begin(&writer);
    p.setMode(QCPPainter::pmVectorized);
    p.setMode(QCPPainter::pmNoCaching);
    paintPicture(p, p, *legend_, *overlay_, *plot_);
    p.end();
  }
  return out.data();
}

}  // namespace nw::ui
