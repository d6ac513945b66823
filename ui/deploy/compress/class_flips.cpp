// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/class_flips.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <map>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int row_height = 18, head_height = 18, name_width = 56;

}  // namespace

ClassFlips::ClassFlips(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("classFlips"));
  setAccessibleName(tr("Changed predictions by class"));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
}

void ClassFlips::setModel(const FlipModel& model) {
  std::map<int, Row> by;
  for (const ChangedAnswer& a : model.all()) {
    Row& row = by[a.label];
    row.label = a.label;
    row.wrong += a.kind() == FlipKind::now_wrong;
    row.right += a.kind() == FlipKind::now_right;
  }
  rows_.clear();
  QStringList all;
  for (auto& [label, row] : by) {
    row.name = model.nameOf(label);
    all << tr("%1: %2 now wrong, %3 now right").arg(row.name).arg(row.wrong).arg(row.right);
    rows_.push_back(row);
  }
  setAccessibleDescription(all.join(QStringLiteral("; ")));
  if (chosen_ >= 0 && !by.contains(chosen_)) chosen_ = -1;
  updateGeometry();
  setMinimumHeight(sizeHint().height());
  update();
}

void ClassFlips::choose(int label) {
  if (label == chosen_) return;
  chosen_ = label;
  update();
  Q_EMIT chosenChanged(label);
}

QSize ClassFlips::sizeHint() const { return {170, head_height + row_height * static_cast<int>(rows_.size()) + 2}; }

QRect ClassFlips::rowRect(int row) const { return {0, head_height + row * row_height, width(), row_height}; }

void ClassFlips::paintRow(QPainter& p, const Row& row, const QRect& where, int most) const {
  const Theme& t = theme();
  if (row.label == chosen_) p.fillRect(where, t.accentSoft);
  p.setPen(row.label == chosen_ ? t.accentText : t.text1);
  p.drawText(where.adjusted(4, 0, -(where.width() - name_width), 0), Qt::AlignLeft | Qt::AlignVCenter,
             p.fontMetrics().elidedText(row.name, Qt::ElideRight, name_width - 8));
  const double middle = name_width + (where.width() - name_width) / 2.0;
  const double room = (where.width() - name_width) / 2.0 - 22;
  const auto bar = [&](int count, bool left) {
    if (count == 0) return;
    const double wide = std::max(2.0, room * count / std::max(1, most));
    p.fillRect(QRectF(left ? middle - wide : middle + 1, where.top() + 4, wide, row_height - 8),
               left ? t.series[1] : t.series[0]);
    p.setPen(t.text2);
    const QRectF number(left ? middle - wide - 22 : middle + wide + 4, where.top(), 19, row_height);
    p.drawText(number, Qt::AlignVCenter | (left ? Qt::AlignRight : Qt::AlignLeft), QString::number(count));
  };
  bar(row.wrong, true);
  bar(row.right, false);
}

void ClassFlips::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setFont(ui::font(TextRole::small));
  int most = 1;
  for (const Row& row : rows_) most = std::max({most, row.wrong, row.right});
  const int middle = name_width + (width() - name_width) / 2;
  p.setPen(t.text2);
  p.drawText(QRect(0, 0, middle - 5, head_height), Qt::AlignRight | Qt::AlignVCenter, tr("now wrong"));
  p.drawText(QRect(middle + 5, 0, width() - middle - 5, head_height), Qt::AlignLeft | Qt::AlignVCenter,
             tr("now right"));
  p.fillRect(middle, head_height, 1, height() - head_height, t.border2);
  for (int i = 0; i < rows(); ++i) paintRow(p, rows_[static_cast<std::size_t>(i)], rowRect(i), most);
  if (!hasFocus()) return;
  p.setPen(QPen(t.ring, 1.5));
  p.setBrush(Qt::NoBrush);
  p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::pill, radius::pill);
}

void ClassFlips::mousePressEvent(QMouseEvent* event) {
  const int row = (static_cast<int>(event->position().y()) - head_height) / row_height;
  if (event->position().y() < head_height || row >= rows()) return choose(-1);
  choose(labelOf(row) == chosen_ ? -1 : labelOf(row));
}

void ClassFlips::keyPressEvent(QKeyEvent* event) {
  const bool down = event->key() == Qt::Key_Down, up = event->key() == Qt::Key_Up;
  if (event->key() == Qt::Key_Escape && chosen_ >= 0) return choose(-1);
  if ((!down && !up) || rows_.empty()) return QWidget::keyPressEvent(event);
  const auto now = std::find_if(rows_.begin(), rows_.end(), [this](const Row& r) { return r.label == chosen_; });
  const int row = now == rows_.end() ? -1 : static_cast<int>(now - rows_.begin());
  const int next = row + (down ? 1 : -1);
  choose(next < 0 || next >= rows() ? -1 : labelOf(next));
}

}  // namespace nw::ui
