// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_view.hpp"

#include <QCoreApplication>
#include <QHeaderView>
#include <QPainter>
#include <QScopeGuard>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QWheelEvent>
#include <cstdlib>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int line_height = 31, narrowest_column = 48;

/// The line at which the other columns disappear.
class Edge : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), theme().border3); }
};

}  // namespace

RunsView::RunsView(QAbstractItemModel& lines, const std::function<QAbstractItemDelegate*()>& cells, QWidget* parent)
    : QTableView(parent),
      pinned_(new QTableView(this)),
      top_(new QTableView(this)),
      corner_(new QTableView(this)),
      edge_(new Edge(this)),
      lowerEdge_(new Edge(this)) {
  for (QTableView* view : parts()) {
    view->setModel(&lines);
    view->setItemDelegate(cells());
    lookAlike(*view);
  }
  pinned_->setObjectName(QStringLiteral("pinnedColumns"));
  top_->setObjectName(QStringLiteral("pinnedLines"));
  for (QTableView* view : {pinned_, top_, corner_}) {
    view->setSelectionModel(selectionModel());
    view->setFocusProxy(this);
    view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view->hide();
  }
  for (QTableView* view : {top_, corner_}) {
    view->horizontalHeader()->hide();
    view->setAutoScroll(false);  // they stay at the first line
    view->viewport()->installEventFilter(this);
  }
  pinned_->horizontalHeader()->setSectionsClickable(true);
  pinned_->horizontalHeader()->setSortIndicatorShown(true);
  for (QWidget* edge : {edge_, lowerEdge_}) {
    edge->hide();
    edge->setAttribute(Qt::WA_TransparentForMouseEvents);
  }
  connectParts();
}

void RunsView::lookAlike(QTableView& view) {
  view.setTabKeyNavigation(false);  // Tab leaves the table; the arrow keys move in it
  view.setSelectionBehavior(SelectRows);
  view.setSelectionMode(ExtendedSelection);
  view.setEditTriggers(NoEditTriggers);
  view.setShowGrid(false);
  view.setFrameShape(QFrame::NoFrame);
  view.setMouseTracking(true);
  view.setVerticalScrollMode(ScrollPerPixel);
  view.setHorizontalScrollMode(ScrollPerPixel);
  view.setContextMenuPolicy(Qt::CustomContextMenu);
  view.verticalHeader()->hide();
  view.verticalHeader()->setDefaultSectionSize(line_height);
  view.horizontalHeader()->setHighlightSections(false);
  view.horizontalHeader()->setMinimumSectionSize(narrowest_column);
}

void RunsView::connectParts() {
  QHeaderView *all = horizontalHeader(), *left = pinned_->horizontalHeader();
  connect(all, &QHeaderView::sectionResized, this, &RunsView::follow);
  connect(all, &QHeaderView::sectionMoved, this, &RunsView::follow);
  connect(all, &QHeaderView::sortIndicatorChanged, left, &QHeaderView::setSortIndicator);
  connect(left, &QHeaderView::sectionClicked, this, &RunsView::sortBy);
  connect(left, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
    if (!following_ && width > 0 && columns_.contains(column)) setColumnWidth(column, width);
  });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, pinned_->verticalScrollBar(), &QScrollBar::setValue);
  connect(pinned_->verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(), &QScrollBar::setValue);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &RunsView::followLines);
  connect(horizontalScrollBar(), &QScrollBar::valueChanged, this, [this] {
    follow();
    viewport()->update();  // the headers of groups do not scroll
  });
}

/// As a click on the table's own header.
void RunsView::sortBy(int column) {
  const QHeaderView* header = horizontalHeader();
  const bool again = header->sortIndicatorSection() == column;
  const int first = model()->headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole).toInt();
  const int order = !again                                               ? first
                    : header->sortIndicatorOrder() == Qt::AscendingOrder ? Qt::DescendingOrder
                                                                         : Qt::AscendingOrder;
  sortByColumn(column, static_cast<Qt::SortOrder>(order));
}

void RunsView::setPinned(const QSet<int>& columns) {
  columns_ = columns;
  follow();
}

int RunsView::pinnedWidth() const {
  int width = 0;
  for (const int column : columns_) width += isColumnHidden(column) ? 0 : columnWidth(column);
  return width;
}

void RunsView::setPinnedLines(std::function<int()> count) {
  lines_ = std::move(count);
  follow();
}

/// 0: none stay at the top.
int RunsView::topHeight() const {
  const int count = lines_ ? std::min(lines_(), model()->rowCount()) : 0;
  const int height = count > 0 ? count * rowHeight(0) : 0;
  return height <= viewport()->height() / 2 ? height : 0;
}

void RunsView::follow() {
  followColumns();
  followLines();
}

/// The part at the top shows the first lines with the columns of the table, the corner those of the pinned part.
void RunsView::followLines() {
  const int height = topHeight();
  const bool on = verticalScrollBar()->value() > 0 && height > 0;
  top_->setVisible(on);
  lowerEdge_->setVisible(on);
  corner_->setVisible(on && pinned_->isVisible());
  if (!on) return;
  top_->horizontalHeader()->restoreState(horizontalHeader()->saveState());
  top_->setGeometry(viewport()->x(), viewport()->y(), viewport()->width(), height);
  top_->horizontalScrollBar()->setValue(horizontalScrollBar()->value());
  lowerEdge_->setGeometry(viewport()->x(), viewport()->y() + height, viewport()->width(), 1);
  top_->raise();
  if (corner_->isVisible()) {
    corner_->horizontalHeader()->restoreState(pinned_->horizontalHeader()->saveState());
    corner_->setGeometry(viewport()->x(), viewport()->y(), pinned_->width(), height);
    corner_->raise();
  }
  for (const QTableView* view : {top_, corner_}) view->verticalScrollBar()->setValue(0);
  edge_->raise();
  lowerEdge_->raise();
}

/// The wheel over what stands still scrolls the table.
bool RunsView::eventFilter(QObject* watched, QEvent* event) {
  const bool still = watched == top_->viewport() || watched == corner_->viewport();
  if (event->type() != QEvent::Wheel || !still) return QTableView::eventFilter(watched, event);
  const QPoint by = static_cast<QWheelEvent*>(event)->angleDelta();
  QCoreApplication::sendEvent(std::abs(by.x()) > std::abs(by.y()) ? horizontalScrollBar() : verticalScrollBar(), event);
  return true;
}

/// The pinned part shows the same columns and lines as the table, or is hidden where it would hide all else.
void RunsView::followColumns() {
  const int width = pinnedWidth();
  const bool on = horizontalScrollBar()->value() > 0 && width > 0 && width < viewport()->width() * 3 / 4;
  pinned_->setVisible(on);
  edge_->setVisible(on);
  if (!on) return;
  const QHeaderView* all = horizontalHeader();
  QHeaderView* left = pinned_->horizontalHeader();
  const QScopedValueRollback<bool> once(following_, true);
  for (int place = 0; place < all->count(); ++place) {
    const int column = all->logicalIndex(place);
    const bool shown = columns_.contains(column) && !isColumnHidden(column);
    pinned_->setColumnHidden(column, !shown);
    if (!shown) continue;
    pinned_->setColumnWidth(column, columnWidth(column));
    if (left->visualIndex(column) != place) left->moveSection(left->visualIndex(column), place);
  }
  left->setFixedHeight(all->height());
  pinned_->setGeometry(viewport()->x(), all->y(), width, all->height() + viewport()->height());
  edge_->setGeometry(viewport()->x() + width, all->y(), 1, all->height() + viewport()->height());
  pinned_->raise();
  edge_->raise();
  pinned_->verticalScrollBar()->setValue(verticalScrollBar()->value());
}

void RunsView::updateGeometries() {
  QTableView::updateGeometries();
  follow();
}

/// What is pinned is to be seen already; the rest is not to be behind the pinned part.
void RunsView::scrollTo(const QModelIndex& index, ScrollHint hint) {
  if (top_->isVisible() && lines_ && index.row() < lines_()) return;  // of its column, too: it scrolls with a click
  const auto below = qScopeGuard([&] {
    const int hidden = top_->isVisible() ? topHeight() - visualRect(index).top() : 0;
    if (hidden > 0) verticalScrollBar()->setValue(verticalScrollBar()->value() - hidden);
  });
  if (pinned_->isVisible() && columns_.contains(index.column())) {
    const QSignalBlocker stays(horizontalScrollBar());
    const int before = horizontalScrollBar()->value();
    QTableView::scrollTo(index, hint);
    return horizontalScrollBar()->setValue(before);
  }
  QTableView::scrollTo(index, hint);
  if (pinned_->isHidden()) return;
  const int hidden = pinnedWidth() - visualRect(index).left();
  if (hidden > 0) horizontalScrollBar()->setValue(horizontalScrollBar()->value() - hidden);
}

void RunsView::editCell(const QModelIndex& index) { partOf(index)->edit(index); }

/// The part in which the cell is to be seen.
QTableView* RunsView::partOf(const QModelIndex& index) {
  const bool left = pinned_->isVisible() && columns_.contains(index.column());
  if (top_->isVisible() && lines_ && index.row() < lines_()) return left ? corner_ : top_;
  return left ? pinned_ : this;
}

}  // namespace nw::ui
