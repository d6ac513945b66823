// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/source/class_bars.hpp"

#include <QPainter>
#include <algorithm>

#include "ui/theme/shortened_text.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {
constexpr int tagged_pitch = 28, plain_pitch = 22, tag_width = 76;

QColor soft(const QColor& colour, qreal share) {
  const QColor base = theme().window;
  const auto mix = [&](int a, int b) { return static_cast<int>(a * share + b * (1 - share)); };
  return QColor(mix(colour.red(), base.red()), mix(colour.green(), base.green()), mix(colour.blue(), base.blue()));
}
}  // namespace

ClassBars::ClassBars(Form form, QWidget* parent) : QWidget(parent), form_(form) {
  setAccessibleName(tr("Class probabilities"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ClassBars::setRows(std::vector<Row> rows) {
  const bool same = rows.size() == rows_.size();
  rows_ = std::move(rows);
  QStringList texts;
  for (const Row& row : rows_)
    if (!row.text.isEmpty())
      texts << tr("%1: %2").arg(row.name, row.text);
    else if (row.share >= 0.05f)
      texts << tr("%1: %2").arg(row.name, percentText(row.share, 0));
  setAccessibleDescription(texts.join(QStringLiteral(", ")));
  if (!same) updateGeometry();
  update();
}

QSize ClassBars::sizeHint() const {
  const int pitch = form_ == Form::tagged ? tagged_pitch : plain_pitch;
  return {form_ == Form::tagged ? 300 : 150, std::max<int>(1, static_cast<int>(rows_.size())) * pitch};
}
QSize ClassBars::minimumSizeHint() const { return {form_ == Form::tagged ? 220 : 96, sizeHint().height()}; }

int ClassBars::nameWidth() const {
  const QFontMetrics metrics(ui::font(TextRole::button));
  int width = 10;
  for (const Row& row : rows_) width = std::max(width, metrics.horizontalAdvance(row.name));
  return std::min(width, form_ == Form::tagged ? 92 : 72);
}

void ClassBars::paintTag(QPainter& p, const Row& row, const QRectF& where) const {
  const Theme& t = theme();
  const bool right = row.predicted && row.truth;
  const QString text = right ? tr("correct") : row.predicted ? tr("predicted") : tr("true");
  const QColor colour = row.predicted && !row.truth ? t.series[1] : t.series[0];
  p.setFont(ui::font(TextRole::small));
  const qreal width = QFontMetricsF(p.font()).horizontalAdvance(text) + 14;
  const QRectF pill(where.right() - width, where.center().y() - 9, width, 18);
  p.setPen(Qt::NoPen);
  p.setBrush(soft(colour, t.dark ? 0.22 : 0.14));
  p.drawRoundedRect(pill, radius::pill, radius::pill);
  p.setPen(colour);
  p.drawText(pill, Qt::AlignCenter, text);
}

void ClassBars::paintRow(QPainter& p, const Row& row, const QRectF& where, int names) const {
  const Theme& t = theme();
  const bool tagged = form_ == Form::tagged, strong = row.predicted || (row.truth && tagged);
  const QFont name = ui::font(strong ? TextRole::button : TextRole::secondary);
  QFont bold = name;
  if (strong) bold.setWeight(QFont::DemiBold);
  p.setFont(bold);
  p.setPen(strong ? t.text1 : t.text2);
  const QRectF left(where.left(), where.top(), names, where.height());
  p.drawText(left, (tagged ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, shortenedText(p, left, row.name));
  if (!row.text.isEmpty()) {
    const QRectF rest(left.right() + 10, where.top(), where.right() - left.right() - 10, where.height());
    p.setFont(ui::font(TextRole::button));
    p.setPen(t.text1);
    p.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, shortenedText(p, rest, row.text));
    return;
  }
  const qreal percent = tagged ? 56 : 42, tags = tagged ? tag_width : 0;
  const QRectF track(left.right() + 10, where.center().y() - 3, where.width() - names - 10 - percent - tags, 6);
  p.setPen(Qt::NoPen);
  p.setBrush(t.border1);
  p.drawRoundedRect(track, 3, 3);
  const QColor colour = tagged && row.predicted && !row.truth ? t.series[1]
                        : (row.predicted || row.truth)        ? t.series[0]
                                                              : t.text3;
  if (row.share > 0.002f) {
    p.setBrush(colour);
    p.drawRoundedRect(
        QRectF(track.x(), track.y(), std::max<qreal>(6, track.width() * std::min(1.0f, row.share)), track.height()), 3,
        3);
  }
  p.setFont(strong ? bold : ui::font(TextRole::secondary));
  p.setPen(strong ? t.text1 : t.text2);
  const QRectF number(track.right(), where.top(), percent, where.height());
  if (tagged || row.share >= 0.01f)
    p.drawText(number, Qt::AlignRight | Qt::AlignVCenter, percentText(row.share, tagged ? 1 : 0));
  if (tagged && (row.predicted || row.truth))
    paintTag(p, row, QRectF(where.right() - tags, where.top(), tags, where.height()));
}

void ClassBars::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const int names = nameWidth();
  const qreal pitch = rows_.empty() ? 0
                                    : std::min<qreal>(form_ == Form::tagged ? tagged_pitch : plain_pitch,
                                                      height() / static_cast<qreal>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    paintRow(p, rows_[i], QRectF(0, static_cast<qreal>(i) * pitch, width(), pitch), names);
}

}  // namespace nw::ui
