// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/images/grid_view.hpp"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {
constexpr int margin = 16, gap = 16, least_cell = 84, heading = 38, caption = 22, bar = 4, row_gap = 16,
              section_gap = 16;
constexpr int cell_extra = caption + bar + row_gap;
}  // namespace

GridView::GridView(GridModel& model, QWidget* parent) : QAbstractItemView(parent), grid_(model) {
  setModel(&model);
  setAccessibleName(tr("Images"));
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSelectionMode(SingleSelection);
  setVerticalScrollMode(ScrollPerPixel);
  viewport()->setAutoFillBackground(false);
  connect(&model, &QAbstractItemModel::dataChanged, this, [this] { viewport()->update(); });
}

int GridView::columns() const { return std::max(1, (viewport()->width() - 2 * margin + gap) / (least_cell + gap)); }
int GridView::cellWidth() const { return std::max(24, (viewport()->width() - 2 * margin + gap) / columns() - gap); }

const std::vector<GridView::Block>& GridView::blocks() const {
  if (layout_.generation == grid_.generation() && layout_.columns == columns() && layout_.cell == cellWidth())
    return layout_.blocks;
  layout_ = {grid_.generation(), columns(), cellWidth(), {}};
  int top = 0;
  for (std::size_t i = 0; i < grid_.sections().size(); ++i) {
    const int rows = (grid_.sections()[i].count + columns() - 1) / columns();
    layout_.blocks.push_back({static_cast<int>(i), top, heading + rows * (cellWidth() + cell_extra)});
    top += layout_.blocks.back().height + section_gap;
  }
  return layout_.blocks;
}

void GridView::updateScrollBar() {
  const std::vector<Block>& all = blocks();
  const int content = all.empty() ? 0 : all.back().top + all.back().height + section_gap;
  verticalScrollBar()->setSingleStep(cellWidth() / 2);
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setRange(0, std::max(0, content - viewport()->height()));
  viewport()->update();
}

void GridView::reset() {
  QAbstractItemView::reset();
  verticalScrollBar()->setValue(0);
  updateScrollBar();
}
void GridView::resizeEvent(QResizeEvent* event) {
  QAbstractItemView::resizeEvent(event);
  updateScrollBar();
}
void GridView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) viewport()->update();
  QAbstractItemView::changeEvent(event);
}
int GridView::verticalOffset() const { return verticalScrollBar()->value(); }

QRect GridView::cellRect(int row) const {
  for (const Block& block : blocks()) {
    const GridModel::Section& section = grid_.sections()[static_cast<std::size_t>(block.section)];
    const int i = row - section.first;
    if (i < 0 || i >= section.count) continue;
    const int x = margin + (i % columns()) * (cellWidth() + gap),
              y = block.top + heading + (i / columns()) * (cellWidth() + cell_extra);
    return {x, y, cellWidth(), cellWidth() + caption + bar};
  }
  return {};
}

int GridView::rowAt(const QPoint& content) const {
  for (const Block& block : blocks()) {
    const int y = content.y() - block.top - heading, x = content.x() - margin;
    if (y < 0 || content.y() >= block.top + block.height || x < 0) continue;
    const int column = x / (cellWidth() + gap), line = y / (cellWidth() + cell_extra), i = line * columns() + column;
    const GridModel::Section& section = grid_.sections()[static_cast<std::size_t>(block.section)];
    if (column < columns() && i < section.count) return section.first + i;
  }
  return -1;
}

QRect GridView::visualRect(const QModelIndex& index) const {
  return index.isValid() ? cellRect(index.row()).translated(0, -verticalOffset()) : QRect();
}
QModelIndex GridView::indexAt(const QPoint& point) const {
  const int row = rowAt(point + QPoint(0, verticalOffset()));
  return row < 0 ? QModelIndex() : grid_.index(row);
}

void GridView::scrollTo(const QModelIndex& index, ScrollHint hint) {
  if (!index.isValid()) return;
  const QRect cell = cellRect(index.row());
  const int height = viewport()->height(), top = cell.top() - heading, bottom = cell.bottom() + row_gap - height;
  int value = verticalOffset();
  if (hint == PositionAtCenter)
    value = cell.center().y() - height / 2;
  else if (hint == PositionAtTop || top < value)
    value = top;
  else if (hint == PositionAtBottom || bottom > value)
    value = bottom;
  verticalScrollBar()->setValue(value);
}

QModelIndex GridView::moveCursor(CursorAction action, Qt::KeyboardModifiers) {
  const int count = grid_.rowCount(), page = std::max(1, viewport()->height() / (cellWidth() + cell_extra));
  if (count == 0) return {};
  if (!currentIndex().isValid()) return grid_.index(0);
  const int row = currentIndex().row();
  const auto vertically = [&](int lines) {  // also across headings, by the position on the screen
    const QRect here = cellRect(row);
    for (int way = lines; way != 0; way += way > 0 ? -1 : 1) {
      const int target = row + way * columns();
      if (target >= 0 && target < count && cellRect(target).left() == here.left()) return target;
    }
    return lines > 0 ? std::min(row + columns(), count - 1) : std::max(row - columns(), 0);
  };
  switch (action) {
    case MoveLeft:
    case MovePrevious:
      return grid_.index(std::max(0, row - 1));
    case MoveRight:
    case MoveNext:
      return grid_.index(std::min(count - 1, row + 1));
    case MoveUp:
      return grid_.index(vertically(-1));
    case MoveDown:
      return grid_.index(vertically(1));
    case MovePageUp:
      return grid_.index(vertically(-page));
    case MovePageDown:
      return grid_.index(vertically(page));
    case MoveHome:
      return grid_.index(0);
    case MoveEnd:
      return grid_.index(count - 1);
  }
  return {};
}

void GridView::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) {
  const QModelIndex index = indexAt(rect.topLeft());
  selectionModel()->select(index.isValid() ? QItemSelection(index, index) : QItemSelection(), flags);
}

QRegion GridView::visualRegionForSelection(const QItemSelection& selection) const {
  QRegion region;
  for (const QModelIndex& index : selection.indexes()) region += visualRect(index).adjusted(-10, -10, 10, 10);
  return region;
}

void GridView::paintHeading(QPainter& p, const Block& block, int offset) const {
  const Theme& t = theme();
  const GridModel::Section& section = grid_.sections()[static_cast<std::size_t>(block.section)];
  const int y = block.top - offset;
  if (block.section > 0) {
    p.setPen(t.border1);
    p.drawLine(margin, y - section_gap / 2, viewport()->width() - margin, y - section_gap / 2);
  }
  const QFont bold = ui::font(TextRole::node);
  p.setFont(bold);
  p.setPen(t.text1);
  const int width = QFontMetrics(bold).horizontalAdvance(section.title);
  p.drawText(QRect(margin, y, width + 2, heading - 8), Qt::AlignVCenter | Qt::AlignLeft, section.title);
  p.setFont(ui::font(TextRole::secondary));
  p.setPen(t.text2);
  p.drawText(QRect(margin + width + 10, y, viewport()->width() - width - 2 * margin, heading - 8),
             Qt::AlignVCenter | Qt::AlignLeft, section.muted);
}

void GridView::paintCell(QPainter& p, int row, const QRect& where) const {
  const Theme& t = theme();
  const Sample& s = grid_.sample(row);
  const bool chosen = currentIndex().row() == row;
  p.setRenderHint(QPainter::Antialiasing);
  if (chosen) {
    p.setPen(QPen(hasFocus() ? t.ring : t.border3, 1.6));
    p.setBrush(t.accentSoft);
    p.drawRoundedRect(QRectF(where).adjusted(-7, -7, 7, 6), radius::node, radius::node);
  }
  const int side = where.width();
  paintThumbnail(p, grid_.index(row).data(Qt::DecorationRole).value<QImage>(),
                 QRectF(where.x() + 0.5, where.y() + 0.5, side - 1, side - 1), 4);

  const QRect text(where.x(), where.y() + side + 1, side, caption);
  const QFont strong = ui::font(TextRole::button), quiet = ui::font(TextRole::secondary);
  const QString percent = s.confidence < 0 ? QString() : percentText(s.confidence, 0),
                read = grid_.view()->names.value(s.predicted);
  p.setFont(quiet);
  p.setPen(t.text2);
  p.drawText(text, Qt::AlignRight | Qt::AlignVCenter, percent);
  int x = text.x();
  const int room = text.width() - QFontMetrics(quiet).horizontalAdvance(percent) - 4;
  if (s.wrong()) {
    const QString truth =
        QFontMetrics(quiet).elidedText(grid_.view()->names.value(s.label), Qt::ElideRight, room / 2 - 6) +
        QStringLiteral(" › ");
    p.drawText(QRect(x, text.y(), room, text.height()), Qt::AlignLeft | Qt::AlignVCenter, truth);
    x += QFontMetrics(quiet).horizontalAdvance(truth);
  }
  p.setFont(strong);
  p.setPen(t.text1);
  const int left = text.x() + room - x;
  p.drawText(QRect(x, text.y(), left, text.height()), Qt::AlignLeft | Qt::AlignVCenter,
             QFontMetrics(strong).elidedText(read, Qt::ElideRight, left));

  if (s.confidence < 0) return;
  const QRectF track(where.x(), where.y() + side + caption, side, bar - 1);
  p.setPen(Qt::NoPen);
  p.setBrush(t.border1);
  p.drawRoundedRect(track, 1.5, 1.5);
  p.setBrush(s.wrong() ? t.series[1] : t.series[0]);
  p.drawRoundedRect(QRectF(track.x(), track.y(), std::max<qreal>(3, track.width() * s.confidence), track.height()), 1.5,
                    1.5);
}

void GridView::paintEvent(QPaintEvent* event) {
  QPainter p(viewport());
  const int offset = verticalOffset();
  const QRect dirty = event->rect().adjusted(0, -12, 0, 12).translated(0, offset);
  for (const Block& block : blocks()) {
    if (block.top > dirty.bottom() || block.top + block.height < dirty.top()) continue;
    paintHeading(p, block, offset);
    const GridModel::Section& section = grid_.sections()[static_cast<std::size_t>(block.section)];
    const int pitch = cellWidth() + cell_extra, lines = dirty.top() - block.top - heading;
    const int first = std::max(0, lines / pitch) * columns();
    for (int i = first; i < section.count; ++i) {
      const QRect cell = cellRect(section.first + i);
      if (cell.top() > dirty.bottom()) break;
      paintCell(p, section.first + i, cell.translated(0, -offset));
    }
  }
}

}  // namespace nw::ui
