// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/export_grid.hpp"

#include <QEvent>
#include <QGridLayout>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int margin = 10, gap = 8, narrowest = 320, most_columns = 4;

class GridGround : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), theme().canvas); }
};

}  // namespace

ExportGrid::ExportGrid(QWidget* parent) : QScrollArea(parent) {
  auto* ground = new GridGround;
  grid_ = new QGridLayout(ground);
  grid_->setContentsMargins(margin, margin, margin, margin);
  grid_->setSpacing(gap);
  ground->installEventFilter(this);
  setWidget(ground);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
}

void ExportGrid::addCard(QWidget* card) {
  cards_.push_back(card);
  arrange();
}

void ExportGrid::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange();
}

bool ExportGrid::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) arrange();  // a longer text may need wider cards
  return QScrollArea::eventFilter(watched, event);
}

void ExportGrid::arrange() {
  int widest = narrowest;
  for (const QWidget* card : cards_) widest = std::max(widest, card->minimumSizeHint().width());
  const int room = viewport()->width() - 2 * margin + gap;
  const int columns = std::clamp(room / (widest + gap), 1, most_columns);
  if (columns == columns_ && grid_->count() == static_cast<int>(cards_.size())) return;
  while (QLayoutItem* item = grid_->takeAt(0)) delete item;
  for (int c = 0; c < most_columns; ++c) grid_->setColumnStretch(c, c < columns ? 1 : 0);
  for (int r = 0; r <= static_cast<int>(cards_.size()); ++r) grid_->setRowStretch(r, 0);
  int at = 0;
  for (QWidget* card : cards_) {
    grid_->addWidget(card, at / columns, at % columns);
    ++at;
  }
  grid_->setRowStretch((at + columns - 1) / columns, 1);
  columns_ = columns;
}

}  // namespace nw::ui
