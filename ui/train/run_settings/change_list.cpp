// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_settings/change_list.hpp"

#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
constexpr int change_height = 44, most_shown = 6;
constexpr qreal badge = 20, text_left = 34;
enum ChangeRole { change_number = Qt::UserRole, change_epoch, change_detail };

class ChangePainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {option.rect.width(), change_height};
  }

  void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& t = theme();
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    const QRectF row = QRectF(option.rect).adjusted(0, 1, -1, -1);
    if (option.state.testFlag(QStyle::State_Selected)) style::box(*p, row, radius::control, t.hover, Qt::transparent);
    if (option.state.testFlag(QStyle::State_HasFocus))
      style::focusRing(*p, row.adjusted(2, 2, -2, -2), radius::control);
    paintBadge(*p, {row.left() + 4, row.center().y() - badge / 2, badge, badge}, index);
    paintWords(*p, row.adjusted(text_left, 3, -6, -3), index);
    p->restore();
  }

 private:
  static void paintBadge(QPainter& p, const QRectF& where, const QModelIndex& index) {
    p.setPen(QPen(theme().accentText, 1));
    p.setBrush(theme().accentSoft);
    p.drawEllipse(where);
    p.setFont(ui::font(TextRole::small));
    p.drawText(where, Qt::AlignCenter, index.data(change_number).toString());
  }
  static void paintWords(QPainter& p, const QRectF& where, const QModelIndex& index) {
    const auto line = [&](TextRole role, const QColor& colour, qreal top, qreal room, const QString& text) {
      p.setFont(ui::font(role));
      p.setPen(colour);
      p.drawText(QRectF(where.left(), top, room, where.height() / 2), Qt::AlignLeft | Qt::AlignVCenter,
                 QFontMetricsF(p.font()).elidedText(text, Qt::ElideRight, room));
    };
    const QString epoch = index.data(change_epoch).toString();
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(theme().text2);
    p.drawText(QRectF(where.left(), where.top(), where.width(), where.height() / 2), Qt::AlignRight | Qt::AlignVCenter,
               epoch);
    line(TextRole::button, theme().text1, where.top(), where.width() - textWidth(p.font(), epoch) - 8,
         index.data(Qt::DisplayRole).toString());
    line(TextRole::secondary, theme().text2, where.center().y(), where.width(), index.data(change_detail).toString());
  }
};
}  // namespace

namespace {
QString epochText(const SettingChange& change) {
  return ChangeList::tr("epoch %1").arg(QString::number(change.epoch, 'f', 1));
}

/// The step, and how the validation loss has changed since.
QString sinceText(const SettingChange& change) {
  const QString when = ChangeList::tr("step %1").arg(grouped(change.step));
  if (!std::isfinite(change.loss)) return when;
  const double size = std::abs(change.loss);
  const QString sign = change.loss < 0 ? QStringLiteral("−") : QStringLiteral("+");
  return ChangeList::tr("%1 · validation loss %2 since")
      .arg(when, sign + (size < 0.01 ? QString::number(size, 'f', 4) : QString::number(size, 'g', 2)));
}
}  // namespace

QString changeDetail(const SettingChange& change) {
  return epochText(change) + QStringLiteral(", ") + sinceText(change);
}

ChangeList::ChangeList(QWidget* parent) : QListWidget(parent) {
  setObjectName(QStringLiteral("settingChanges"));
  setAccessibleName(tr("Changes of settings in this run"));
  setItemDelegate(new ChangePainter(this));
  setFrameShape(QFrame::NoFrame);
  setUniformItemSizes(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  viewport()->setAutoFillBackground(false);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChangeList::setChanges(const QVector<SettingChange>& oldestFirst) {
  if (oldestFirst == changes_) return;
  const int row = oldestFirst.size() == changes_.size() ? currentRow() : -1;
  changes_ = oldestFirst;
  clear();
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    auto* item = new QListWidgetItem(changeText(*change), this);
    item->setData(change_number, change->number);
    item->setData(change_epoch, epochText(*change));
    item->setData(change_detail, sinceText(*change));
    item->setToolTip(item->text() + u'\n' + changeDetail(*change));
    item->setData(Qt::AccessibleTextRole,
                  tr("change %1: %2, %3").arg(change->number).arg(item->text(), changeDetail(*change)));
  }
  setCurrentRow(row);
  updateGeometry();
}

const SettingChange* ChangeList::chosen() const {
  if (changes_.isEmpty()) return nullptr;
  return &changes_[changes_.size() - 1 - std::clamp<qsizetype>(currentRow(), 0, changes_.size() - 1)];
}

QSize ChangeList::sizeHint() const { return {200, change_height * std::clamp(count(), 1, most_shown) + 2}; }

}  // namespace nw::ui
