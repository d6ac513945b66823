// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_delegate.hpp"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/charts/chart_parts.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/severity_style.hpp"

namespace nw::ui {

namespace {
constexpr int row_height = 31;
constexpr qreal pad = 10, check = 14, indent = 16, pill_pad = 6, more_room = 26;

void paintText(QPainter& p, const QRectF& cell, const QString& text, bool right, const QFont& f, const QColor& colour) {
  p.setFont(f);
  p.setPen(colour);
  const QRectF where = cell.adjusted(pad, 0, -pad, 0);
  p.drawText(where, (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
             QFontMetricsF(f).elidedText(text, Qt::ElideRight, where.width()));
}

void paintStatus(QPainter& p, const QRectF& cell, const RunRow& row) {
  const StatusStyle look = statusStyle(row);
  const QColor colour = severityColour(look.tone);
  paintIcon(p, look.icon, QRectF(cell.left() + pad, cell.center().y() - 6.5, 13, 13), colour);
  paintText(p, cell.adjusted(18, 0, 0, 0), look.text, false, ui::font(TextRole::body),
            look.tone.isEmpty() ? theme().text1 : colour);
}

void paintCheck(QPainter& p, const QRectF& box, bool on) {
  p.setPen(on ? QPen(Qt::NoPen) : QPen(theme().border3, 1.2));
  p.setBrush(on ? theme().accent : theme().field);
  p.drawRoundedRect(box, 3.5, 3.5);
  if (!on) return;
  p.setPen(QPen(theme().onAccent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.drawPolyline(QPolygonF{{box.left() + 3.5, box.center().y() + 0.3},
                           {box.left() + 6, box.bottom() - 4},
                           {box.right() - 3.3, box.top() + 4.2}});
}

struct RunDelegateTexts {
  Q_DECLARE_TR_FUNCTIONS(RunDelegate)
};
/// "at 30": the epoch of the checkpoint that the branch began with.
QString branchedAt(const RunRow& row) {
  const double epoch = row.record ? row.record->parent_epoch : -1;
  return epoch < 0 ? QString() : RunDelegateTexts::tr("at %1").arg(QString::number(std::round(epoch * 10) / 10));
}

QStringList tagList(const RunNotes& notes) {
  QStringList tags;
  for (const std::string& tag : notes.tags) tags += QString::fromStdString(tag);
  return tags;
}

/// "Learning rate 0.4 → 0.02": the new value stands out.
void paintChange(QPainter& p, const QRectF& pill, const QString& text) {
  const QFont f = ui::font(TextRole::secondary);
  const QRectF inside = pill.adjusted(pill_pad, 0, -pill_pad, 0);
  const auto write = [&](const QRectF& where, const QString& words, const QColor& colour) {
    p.setFont(f);
    p.setPen(colour);
    p.drawText(where, Qt::AlignVCenter | Qt::AlignLeft, words);
  };
  const qsizetype arrow = text.lastIndexOf(QStringLiteral("→ "));
  const bool fits = textWidth(f, text) <= inside.width() + 1;
  if (arrow < 0 || !fits)
    return write(inside, QFontMetricsF(f).elidedText(text, Qt::ElideRight, inside.width()), theme().text2);
  write(inside, text.left(arrow + 2), theme().text2);
  write(inside.adjusted(textWidth(f, text.left(arrow + 2)), 0, 0, 0), text.mid(arrow + 2), theme().text1);
}

/// One behind the other; "+2" for those that there is no room for.
void paintPills(QPainter& p, const QRectF& cell, const QStringList& words) {
  const QFont f = ui::font(TextRole::secondary);
  qreal x = cell.left() + pad;
  for (qsizetype i = 0; i < words.size(); ++i) {
    const qreal room = cell.right() - pad - x, reserved = i + 1 < words.size() ? more_room : 0;
    const qreal wanted = std::ceil(textWidth(f, words[i])) + 2 * pill_pad;
    if (i > 0 && wanted > room - reserved)
      return paintText(p, QRectF(x - pad + 2, cell.top(), room + 2 * pad, cell.height()),
                       QStringLiteral("+%1").arg(words.size() - i), false, f, theme().text3);
    const QRectF pill(x, cell.center().y() - 9.5, std::min(wanted, room - reserved), 19);
    p.setPen(Qt::NoPen);
    p.setBrush(theme().hover);
    p.drawRoundedRect(pill, radius::pill, radius::pill);
    paintChange(p, pill, words[i]);
    x = pill.right() + 5;
  }
}

QFont strong() {
  QFont f = ui::font(TextRole::body);
  f.setWeight(QFont::DemiBold);
  return f;
}
}  // namespace

RunDelegate::RunDelegate(const RunModel& model, const RunFilter& filter, QObject* parent)
    : QStyledItemDelegate(parent), model_(model), filter_(filter) {}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  return {runColumns()[index.column()].width, row_height};
}

/// Its own colour while its curve is shown, grey otherwise.
QColor RunDelegate::colour(const RunRow& row) const {
  const int slot = model_.slotOf(row.id());
  return slot >= 0 && slot < RunModel::slots_count ? theme().series[slot] : theme().text3;
}

/// A cell's part of a line that stands still at the left of the view: chevron, name and figures.
void RunDelegate::paintHeader(QPainter& p, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const RunGroup& group = *filter_.groupAt(index);
  const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
  const bool current = view && view->currentIndex().row() == index.row();
  p.fillRect(option.rect, current ? theme().accentSoft : theme().sunken);
  p.fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), theme().border2);
  p.setClipRect(option.rect);
  const auto* whole =
      view ? qobject_cast<const QAbstractItemView*>(view->parentWidget()) : nullptr;  // of a pinned part
  if (!whole) whole = view;
  const QRectF line(0, option.rect.top(), whole ? whole->viewport()->width() : option.rect.right(), row_height);
  paintIcon(p, group.open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
            QRectF(14, line.center().y() - 7, 14, 14), theme().text2);
  const qreal in = 30, wide = std::min(textWidth(strong(), group.title), line.width() / 2);
  paintText(p, QRectF(in, line.top(), wide + 2 * pad + 1, line.height()), group.title, false, strong(), theme().text1);
  paintText(p, line.adjusted(in + wide + 14, 0, 0, 0), filter_.figuresOf(group), false, ui::font(TextRole::secondary),
            theme().text2);
}

void RunDelegate::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  p->save();
  p->setRenderHint(QPainter::Antialiasing);
  if (filter_.groupAt(index)) {
    paintHeader(*p, option, index);
    return p->restore();
  }
  const bool selected = option.state.testFlag(QStyle::State_Selected),
             hovered = option.state.testFlag(QStyle::State_MouseOver);
  if (selected || hovered) p->fillRect(option.rect, selected ? theme().accentSoft : theme().hover);
  p->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), theme().border1);
  p->setClipRect(option.rect);
  const RunRow& row = filter_.rowAt(index);
  const RunColumn& column = runColumns()[index.column()];
  const QRectF cell(option.rect);
  switch (column.cell) {
    case RunCell::key:
      paintKey(*p, cell, row);
      break;
    case RunCell::status:
      paintStatus(*p, cell, row);
      break;
    case RunCell::accuracy:
      paintAccuracy(*p, cell, row);
      break;
    case RunCell::curve:
      paintCurve(*p, cell, row);
      break;
    case RunCell::name:
      paintName(*p, cell, row, filter_.depth(index), filter_.isPinned(row.id()));
      break;
    case RunCell::pills:
      paintPills(*p, cell, column.key() == QLatin1String("tags") ? tagList(row.notes) : row.changes);
      break;
    case RunCell::text:
      paintText(*p, cell, column.text(row), column.right, ui::font(TextRole::body),
                column.right ? theme().text1 : theme().text2);
      break;
  }
  p->restore();
}

/// A branch stands below its parent, with the epoch at which it left it.
void RunDelegate::paintName(QPainter& p, const QRectF& cell, const RunRow& row, int depth, bool isPinned) {
  const qreal in = std::min(depth * indent, cell.width() / 2);
  const QString at = depth > 0 ? branchedAt(row) : QString();
  if (depth > 0) {
    QPainterPath elbow(QPointF(cell.left() + pad + in - 12, cell.top() + 6));
    elbow.lineTo(cell.left() + pad + in - 12, cell.center().y() - 4);
    elbow.quadTo(QPointF(cell.left() + pad + in - 12, cell.center().y()),
                 QPointF(cell.left() + pad + in - 8, cell.center().y()));
    elbow.lineTo(cell.left() + pad + in - 5, cell.center().y());
    p.strokePath(elbow, QPen(theme().border3, 1.2));
  }
  const QString name = runColumns()[1].text(row);
  const qreal room = cell.width() - in - 2 * pad - (isPinned ? 18 : 0);
  const qreal wide = std::min(textWidth(strong(), name), room), rest = room - wide - 8;
  paintText(p, cell.adjusted(in, 0, 0, 0), name, false, strong(), theme().text1);
  if (isPinned)
    paintIcon(p, QStringLiteral("pin"), QRectF(cell.left() + pad + in + wide + 5, cell.center().y() - 6.5, 13, 13),
              theme().text2);
  if (rest > textWidth(ui::font(TextRole::secondary), at))
    paintText(p, cell.adjusted(in + wide + 6, 0, 0, 0), at, false, ui::font(TextRole::secondary), theme().text3);
}

void RunDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  const auto* line = qobject_cast<QLineEdit*>(editor);
  if (!line || !line->isModified()) QStyledItemDelegate::setEditorData(editor, index);
}

void RunDelegate::paintKey(QPainter& p, const QRectF& cell, const RunRow& row) const {
  const int slot = model_.slotOf(row.id());
  paintCheck(p, QRectF(cell.left() + 14, cell.center().y() - check / 2, check, check), slot >= 0);
  const QRectF key(cell.left() + 40, cell.top(), 30, cell.height());
  if (slot >= 0) paintLineKey(p, key, colour(row), slot % RunModel::slots_count, true, false, 2);
}

void RunDelegate::paintAccuracy(QPainter& p, const QRectF& cell, const RunRow& row) const {
  const double best = row.summary.best_accuracy;
  const QRectF number(cell.left(), cell.top(), 86, cell.height());
  paintText(p, number, runColumns()[runColumn("best")].text(row), true, strong(), theme().text1);
  if (!std::isfinite(best)) return;
  const QRectF track(number.right() + 2, cell.center().y() - 2.5, cell.right() - number.right() - pad - 6, 5);
  p.setPen(Qt::NoPen);
  p.setBrush(theme().border1);
  p.drawRoundedRect(track, 2.5, 2.5);
  p.setBrush(colour(row));
  p.drawRoundedRect(
      QRectF(track.topLeft(), QSizeF(std::max(5.0, track.width() * std::clamp(best, 0.0, 1.0)), track.height())), 2.5,
      2.5);
}

void RunDelegate::paintCurve(QPainter& p, const QRectF& cell, const RunRow& row) const {
  std::vector<float> curve;  // an undefined figure has no place
  std::copy_if(row.summary.curve.begin(), row.summary.curve.end(), std::back_inserter(curve),
               [](float v) { return std::isfinite(v); });
  if (curve.empty()) return;
  const QRectF where = cell.adjusted(pad, 7, -pad - 4, -7);
  const auto [low, high] = std::minmax_element(curve.begin(), curve.end());
  const double size = std::max(1e-6, static_cast<double>(*high - *low));
  const double span = std::max<double>(
      1, static_cast<double>(std::max<std::int64_t>(row.summary.epochs, static_cast<std::int64_t>(curve.size()))) - 1);
  const auto place = [&](std::size_t i) {
    return QPointF(where.left() + where.width() * static_cast<double>(i) / span,
                   where.bottom() - where.height() * (curve[i] - *low) / size);
  };
  QPainterPath path(place(0));
  const std::size_t step = std::max<std::size_t>(1, curve.size() / 200);
  for (std::size_t i = step; i < curve.size(); i += step) path.lineTo(place(i));
  path.lineTo(place(curve.size() - 1));
  p.strokePath(path, QPen(colour(row), 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.setPen(Qt::NoPen);
  p.setBrush(colour(row));
  p.drawEllipse(place(curve.size() - 1), 2, 2);
}

bool RunDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                              const QModelIndex& index) {
  if (runColumns()[index.column()].cell != RunCell::key || filter_.groupAt(index)) return false;
  const bool clicked =
      event->type() == QEvent::MouseButtonRelease && option.rect.contains(static_cast<QMouseEvent*>(event)->pos());
  const bool pressed = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
  if (!clicked && !pressed) return false;
  const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
  return model->setData(index, on ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

}  // namespace nw::ui
