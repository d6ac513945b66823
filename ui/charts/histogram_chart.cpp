// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/histogram_chart.hpp"

#include <QBuffer>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QPushButton>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "engine/core/files.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_parts.hpp"
#include "ui/theme/shortened_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int titleHeight = 38, left = 66, right = 14, bottom = 40, pixelsPerInch = 96;
QString figureText(double v) { return QString::number(v, 'g', 3); }
}  // namespace

HistogramChart::HistogramChart(const QString& title, ChartCursor* cursor, QWidget* parent)
    : QWidget(parent), title_(title), cursor_(cursor) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  QPushButton* menu = makeIconButton(QStringLiteral("more"), tr("Options of chart %1").arg(title_), this);
  connect(menu, &QPushButton::clicked, this, &HistogramChart::showMenu);
  menu_ = menu;
  connect(cursor_, &ChartCursor::moved, this, [this] { say(); });
  say();
}

void HistogramChart::setColumns(const QVector<Column>& columns) {
  QVector<Column> kept;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(kept),
               [](const Column& c) { return c.figures.bins.size() == histogram_bins; });
  if (kept == columns_) return;
  columns_ = kept;
  say();
}

void HistogramChart::setHorizontal(Range epochs) {
  if (epochs == horizontal_ || !(epochs.size() > 0)) return;
  horizontal_ = epochs;
  update();
}

qsizetype HistogramChart::chosenIndex() const {
  if (columns_.isEmpty() || std::isnan(cursor_->x())) return columns_.size() - 1;
  const auto at = std::lower_bound(columns_.begin(), columns_.end(), cursor_->x(),
                                   [](const Column& c, double epoch) { return c.epoch < epoch; });
  return std::min<qsizetype>(at - columns_.begin(), columns_.size() - 1);
}

const HistogramChart::Column* HistogramChart::chosen() const {
  const qsizetype index = chosenIndex();
  return index < 0 ? nullptr : &columns_[index];
}

void HistogramChart::say() {
  const Column* c = chosen();
  setAccessibleName(title_);
  setAccessibleDescription(c ? tr("Step %1: from %2 to %3, mean %4, standard deviation %5, norm %6")
                                   .arg(grouped(c->step), figureText(c->figures.least), figureText(c->figures.most),
                                        figureText(c->figures.mean), figureText(c->figures.deviation),
                                        figureText(c->figures.norm))
                             : tr("No numbers yet"));
  update();
}

void HistogramChart::choose(qsizetype column) {
  if (column >= 0 && column < columns_.size()) cursor_->moveTo(columns_[column].epoch);
}

QRectF HistogramChart::plotRect() const { return QRectF(rect()).adjusted(left, titleHeight, -right, -bottom); }

Range HistogramChart::values() const {
  Range range{0, 0};
  for (const Column& c : columns_) range = {std::min(range.low, c.figures.least), std::max(range.high, c.figures.most)};
  return range.size() > 0 ? range : Range{range.low - 1, range.high + 1};
}

double HistogramChart::x(double epoch) const {
  const QRectF plot = plotRect();
  return plot.left() + plot.width() * (epoch - horizontal_.low) / horizontal_.size();
}

void HistogramChart::paintEvent(QPaintEvent*) {
  QPainter p(this);
  paint(p, true);
}

void HistogramChart::paint(QPainter& p, bool alive) const {
  const Theme& t = theme();
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(alive && hasFocus() ? QPen(t.ring, 1.6) : QPen(t.border1, 1));
  p.setBrush(t.chartCard);
  p.drawRoundedRect(QRectF(rect()).adjusted(0.8, 0.8, -0.8, -0.8), radius::card, radius::card);
  QRectF head(14, 4, width() - 28 - 30, titleHeight - 4);
  p.setFont(ui::font(TextRole::title));
  p.setPen(t.text1);
  const qreal title = QFontMetricsF(p.font()).horizontalAdvance(title_);
  p.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, shortenedText(p, head, title_));
  head.setLeft(head.left() + title + 10);
  const Column* c = chosen();
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(t.text2);
  if (c && head.width() > 40)
    p.drawText(
        head, Qt::AlignRight | Qt::AlignVCenter,
        shortenedText(p, head, tr("%1 ± %2").arg(figureText(c->figures.mean), figureText(c->figures.deviation))));
  const QRectF plot = plotRect();
  if (columns_.isEmpty() || plot.width() < 20 || plot.height() < 20) {
    p.drawText(plot, Qt::AlignCenter | Qt::TextWordWrap, tr("No numbers yet"));
    return;
  }
  const Range range = values();
  paintAxes(p, plot, range);
  paintColumns(p, plot, range);
  if (!alive || std::isnan(cursor_->x()) || !c) return;
  p.setPen(QPen(t.text3, 1.5));
  p.drawLine(QPointF(x(c->epoch), plot.top()), QPointF(x(c->epoch), plot.bottom()));
  if (underMouse() || hasFocus()) paintReadoutOf(p, plot, *c);
}

void HistogramChart::paintReadoutOf(QPainter& p, const QRectF& plot, const Column& column) const {
  const Figures& f = column.figures;
  const QColor colour = Theme::ramp(theme().countRamp, 1);
  QVector<ReadoutRow> rows{{colour, tr("range"), tr("%1 to %2").arg(figureText(f.least), figureText(f.most))},
                           {colour, tr("mean"), figureText(f.mean)},
                           {colour, tr("deviation"), figureText(f.deviation)},
                           {colour, tr("norm"), figureText(f.norm)}};
  const QString head = tr("Epoch %1, step %2").arg(QString::number(column.epoch, 'f', 2), grouped(column.step));
  paintReadout(p, plot, x(column.epoch), head, rows);
}

void HistogramChart::paintColumns(QPainter& p, const QRectF& plot, Range range) const {
  const auto y = [&](double v) { return plot.bottom() - plot.height() * (v - range.low) / range.size(); };
  p.save();
  p.setClipRect(plot);
  p.setRenderHint(QPainter::Antialiasing, false);
  p.setPen(Qt::NoPen);
  double from = horizontal_.low;
  for (const Column& c : columns_) {
    const double most = static_cast<double>(*std::max_element(c.figures.bins.begin(), c.figures.bins.end()));
    const double step = (c.figures.most - c.figures.least) / static_cast<double>(histogram_bins);
    const double l = x(from), r = std::max(x(c.epoch), l + 2);
    for (std::size_t b = 0; b < histogram_bins; ++b) {
      if (c.figures.bins[b] == 0) continue;
      const double low = y(c.figures.least + step * static_cast<double>(b)),
                   high = y(c.figures.least + step * static_cast<double>(b + 1));
      p.setBrush(
          Theme::ramp(theme().countRamp, 0.12 + 0.88 * std::sqrt(static_cast<double>(c.figures.bins[b]) / most)));
      p.drawRect(QRectF(QPointF(l, std::min(high, low - 2)), QPointF(r, low)));
    }
    from = c.epoch;
  }
  p.restore();
}

void HistogramChart::paintAxes(QPainter& p, const QRectF& plot, Range range) const {
  p.setFont(ui::font(TextRole::axis));
  const QFontMetricsF metrics(p.font());
  for (const double v : linearTicks(range, std::max(2, static_cast<int>(plot.height() / 36)))) {
    const double y = plot.bottom() - plot.height() * (v - range.low) / range.size();
    p.setPen(QPen(theme().border1, 1));
    p.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    p.setPen(theme().text2);
    p.drawText(QRectF(16, y - 9, left - 24, 18), Qt::AlignRight | Qt::AlignVCenter, tickText(v));
  }
  for (const double epoch : epochTicks(horizontal_.high, std::max(2, static_cast<int>(plot.width() / 56)))) {
    const double at = x(epoch), half = metrics.horizontalAdvance(tickText(epoch)) / 2;
    p.drawText(QPointF(std::min(at - half, width() - 6 - 2 * half), plot.bottom() + 17), tickText(epoch));
  }
  p.drawText(QRectF(plot.left(), plot.bottom() + 20, plot.width(), 16), Qt::AlignCenter,
             axisTitle(tr("Epoch"), {}, plot.width()));
  paintAxisTitle(p, QRectF(3, plot.top(), 14, plot.height()), axisTitle(title_, {}, plot.height()));
}

void HistogramChart::resizeEvent(QResizeEvent*) { menu_->move(width() - menu_->width() - 8, 5); }

void HistogramChart::mouseMoveEvent(QMouseEvent* event) {
  const QRectF plot = plotRect();
  if (plot.width() > 0)
    cursor_->moveTo(horizontal_.low +
                    horizontal_.size() * std::clamp((event->position().x() - plot.left()) / plot.width(), 0.0, 1.0));
}

void HistogramChart::leaveEvent(QEvent*) { cursor_->moveTo(qQNaN()); }

void HistogramChart::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return choose(std::max<qsizetype>(0, chosenIndex() - 1));
    case Qt::Key_Right:
      return choose(chosenIndex() + 1);
    case Qt::Key_Home:
      return choose(0);
    case Qt::Key_End:
      return choose(columns_.size() - 1);
    case Qt::Key_Menu:
      return showMenu();
    default:
      return QWidget::keyPressEvent(event);
  }
}

void HistogramChart::showMenu() {
  QMenu menu(this);
  for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
    const QString ending = QLatin1String(suffix);
    menu.addAction(tr("Export as %1…").arg(ending.toUpper()), this, [this, ending] {
      exportChart(
          this, title_, ending, [this](const QString& file) { return exportTo(file); },
          [this](const QString& sentence, int severity, const NotificationActions& actions) {
            Q_EMIT message(sentence, severity, actions);
          });
    });
  }
  menu.exec(menu_->mapToGlobal(menu_->rect().bottomLeft()));
}

QString HistogramChart::csv() const {
  QString out = QStringLiteral("step,epoch,from,to,count\n");
  for (const Column& c : columns_) {
    const double width = (c.figures.most - c.figures.least) / static_cast<double>(histogram_bins);
    for (std::size_t b = 0; b < histogram_bins; ++b) {
      const double from = c.figures.least + width * static_cast<double>(b);
      out += QStringLiteral("%1,%2,%3,%4,%5\n")
                 .arg(c.step)
                 .arg(c.epoch, 0, 'g', 10)
                 .arg(from, 0, 'g', 10)
                 .arg(from + width, 0, 'g', 10)
                 .arg(c.figures.bins[b]);
    }
  }
  return out;
}

Status HistogramChart::exportTo(const QString& file) {
  const auto save = [&](const QByteArray& bytes) {
    return save_file(fs::path(file.toStdString()),
                     std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
  };
  QBuffer out;
  out.open(QIODevice::WriteOnly);
  if (file.endsWith(QLatin1String(".csv"))) return save(csv().toUtf8());
  if (file.endsWith(QLatin1String(".svg"))) {
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(size());
    generator.setViewBox(rect());
    generator.setTitle(title_);
    QPainter p(&generator);
    paint(p, false);
  } else if (file.endsWith(QLatin1String(".pdf"))) {
    QPdfWriter writer(&out);
    writer.setTitle(title_);
    writer.setResolution(pixelsPerInch);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(QSizeF(size()) / pixelsPerInch, QPageSize::Inch, {}, QPageSize::ExactMatch));
    QPainter p(&writer);
    paint(p, false);
  } else {
    QImage image(size() * 2, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    image.fill(Qt::transparent);
    QPainter p(&image);
    paint(p, false);
    p.end();
    image.save(&out, "PNG");
  }
  return save(out.data());
}

}  // namespace nw::ui
