// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/share_bars.hpp"

#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace nw::ui {

void ShareBars::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  if (index.data(accentRole).toBool()) option->font.setWeight(QFont::DemiBold);
}

void ShareBars::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QVariant share = index.data(shareRole);
  if (share.isValid()) {
    QRectF bar = QRectF(option.rect).adjusted(2, 3, -2, -3);
    bar.setWidth(bar.width() * std::clamp(share.toDouble(), 0.0, 1.0));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(index.data(accentRole).toBool() ? theme().accentSoft : theme().track);
    painter->drawRoundedRect(bar, radius::mark, radius::mark);
    painter->restore();
  }
  QStyledItemDelegate::paint(painter, option, index);
}

}  // namespace nw::ui
