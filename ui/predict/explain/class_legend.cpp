// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/explain/class_legend.hpp"

#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {
constexpr int legend_line = 18, legend_lines = 2, swatch = 10, legend_gap = 14, most_name = 140;
}

ClassLegend::ClassLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Colours of the classes"));
  hide();
}

void ClassLegend::setEntries(const QVector<Entry>& entries) {
  if (entries == entries_) return;
  entries_ = entries;
  QStringList names;
  for (const Entry& e : entries_) names << e.name;
  setAccessibleDescription(names.join(QStringLiteral(", ")));
  setToolTip(names.join(QLatin1Char('\n')).left(2000));
  setVisible(!entries_.isEmpty());
  updateGeometry();
  update();
}

QString ClassLegend::more(qsizetype count) const { return tr("%n more class(es)", nullptr, static_cast<int>(count)); }

/// Of the entries that fit into the lines, with room for the count of the others.
QVector<QRect> ClassLegend::places() const {
  const QFontMetrics metrics(ui::font(TextRole::small));
  const int reserve = metrics.horizontalAdvance(more(entries_.size())) + legend_gap;
  QVector<QRect> places;
  int x = 0, y = 0;
  for (qsizetype i = 0; i < entries_.size(); ++i) {
    const int wide = swatch + 6 + std::min(metrics.horizontalAdvance(entries_[i].name), most_name);
    if (x > 0 && x + wide > width() && y + legend_line < legend_lines * legend_line) x = 0, y += legend_line;
    const bool lastLine = y + legend_line >= legend_lines * legend_line, last = i + 1 == entries_.size();
    if (lastLine && x + wide + (last ? 0 : reserve) > width()) break;
    places << QRect(x, y, wide, legend_line);
    x += wide + legend_gap;
  }
  return places;
}

QSize ClassLegend::sizeHint() const {
  const QVector<QRect> all = places();
  const bool full = all.size() < entries_.size();
  return {300, full ? legend_lines * legend_line : all.isEmpty() ? 0 : all.back().bottom() + 1};
}

void ClassLegend::resizeEvent(QResizeEvent*) { updateGeometry(); }

void ClassLegend::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setFont(ui::font(TextRole::small));
  const QVector<QRect> all = places();
  for (qsizetype i = 0; i < all.size(); ++i) {
    const QRect& at = all[i];
    p.setPen(Qt::NoPen);
    p.setBrush(categoryColour(entries_[i].label));
    p.drawRoundedRect(QRectF(at.left(), at.top() + (legend_line - swatch) / 2.0, swatch, swatch), 2, 2);
    p.setPen(t.text2);
    const QRect name = at.adjusted(swatch + 6, 0, 0, 0);
    p.drawText(name, Qt::AlignVCenter, p.fontMetrics().elidedText(entries_[i].name, Qt::ElideRight, name.width() + 1));
  }
  if (all.size() == entries_.size() || all.isEmpty()) return;
  p.setPen(t.text3);
  p.drawText(QRect(all.back().right() + legend_gap, all.back().top(), width(), legend_line), Qt::AlignVCenter,
             more(entries_.size() - all.size()));
}

}  // namespace nw::ui
