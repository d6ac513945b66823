// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/explorer_grid.hpp"

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {
constexpr int margin = 14, side = 72, gap = 10, caption = 18;
constexpr int most_chosen = 4096;  // by keys and clicks; whole classes are selected by the filter
constexpr qint64 sprite_ms = 5;    // per frame, for scaling thumbnails
constexpr int across = side + gap, down = side + caption + gap;
}  // namespace

ExplorerGrid::ExplorerGrid(ExplorerModel& model, ExplorerThumbnails& pictures, QWidget* parent)
    : QAbstractScrollArea(parent), model_(model), pictures_(pictures) {
  setAccessibleName(tr("Images"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  verticalScrollBar()->setSingleStep(down / 2);
  connect(&model_, &ExplorerModel::changed, this, [this] {
    chosen_.clear();
    current_ = anchor_ = -1;
    verticalScrollBar()->setValue(0);
    relayout();
    Q_EMIT currentChanged(-1);
  });
  connect(&pictures_, &ExplorerThumbnails::arrived, viewport(), qOverload<>(&QWidget::update));
}

int ExplorerGrid::columns() const { return std::max(1, (viewport()->width() - 2 * margin + gap) / across); }

void ExplorerGrid::relayout() {
  const int lines = (model_.count() + columns() - 1) / columns();
  verticalScrollBar()->setPageStep(std::max(down, viewport()->height() / down * down));
  verticalScrollBar()->setRange(0, std::max(0, lines * down + 2 * margin - viewport()->height()));
  notifyView();
  viewport()->update();
}

std::pair<int, int> ExplorerGrid::inView() const {
  const int top = verticalScrollBar()->value() - margin;
  const int first = std::max(0, top / down) * columns(),
            last = std::min(model_.count(), ((top + viewport()->height()) / down + 1) * columns());
  return {first, std::max(0, last - first)};
}

void ExplorerGrid::notifyView() {
  const auto [first, count] = inView();
  std::vector<qint64> wanted;
  wanted.reserve(static_cast<std::size_t>(count));
  for (int row = first; row < first + count; ++row) wanted.push_back(model_.index(row));
  pictures_.show(std::move(wanted));
}

void ExplorerGrid::resizeEvent(QResizeEvent*) { relayout(); }

void ExplorerGrid::scrollContentsBy(int, int) {
  notifyView();
  viewport()->update();
}

void ExplorerGrid::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    sprites_.clear();
    viewport()->update();
  }
  QAbstractScrollArea::changeEvent(event);
}

QRect ExplorerGrid::cell(int row) const {
  return {margin + row % columns() * across, margin + row / columns() * down - verticalScrollBar()->value(), side,
          side + caption};
}

int ExplorerGrid::rowAt(const QPoint& where) const {
  const int x = where.x() - margin, y = where.y() - margin + verticalScrollBar()->value();
  if (x < 0 || y < 0 || x % across >= side || x / across >= columns()) return -1;
  const int row = y / down * columns() + x / across;
  return row < model_.count() ? row : -1;
}

void ExplorerGrid::setCurrent(int row, bool extend) {
  if (model_.count() == 0) return;
  current_ = std::clamp(row, 0, model_.count() - 1);
  if (!extend || anchor_ < 0) anchor_ = current_;
  anchor_ = std::clamp(anchor_, current_ - most_chosen, current_ + most_chosen);
  chosen_.clear();
  for (int r = std::min(anchor_, current_); r <= std::max(anchor_, current_); ++r) chosen_.insert(chosen_.end(), r);
  const QRect here = cell(current_);
  QScrollBar& bar = *verticalScrollBar();
  if (here.top() < 0)
    bar.setValue(bar.value() + here.top() - gap);
  else if (here.bottom() > viewport()->height())
    bar.setValue(bar.value() + here.bottom() - viewport()->height() + gap);
  setAccessibleDescription(
      tr("Image %1 of %2, %3").arg(current_ + 1).arg(model_.count()).arg(model_.className(current_)));
  viewport()->update();
  Q_EMIT currentChanged(current_);
}

void ExplorerGrid::mousePressEvent(QMouseEvent* event) {
  const int row = rowAt(event->pos());
  if (row < 0 || event->button() != Qt::LeftButton) return;
  if (event->modifiers() & Qt::ControlModifier && current_ >= 0) {  // adds or removes one sample
    std::set<int> kept = chosen_;
    if (!kept.erase(row)) kept.insert(row);
    setCurrent(row);
    chosen_ = std::move(kept);
    return Q_EMIT currentChanged(current_);
  }
  setCurrent(row, event->modifiers() & Qt::ShiftModifier);
}

void ExplorerGrid::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const int row = rowAt(event->pos()); row >= 0) Q_EMIT opened(row);
}

void ExplorerGrid::keyPressEvent(QKeyEvent* event) {
  const int page = std::max(1, viewport()->height() / down) * columns(), from = std::max(0, current_);
  const auto go = [&](int to) { setCurrent(current_ < 0 ? 0 : to, event->modifiers() & Qt::ShiftModifier); };
  switch (event->key()) {
    case Qt::Key_Left:
      return go(from - 1);
    case Qt::Key_Right:
      return go(from + 1);
    case Qt::Key_Up:
      return go(from - columns() >= 0 ? from - columns() : from);
    case Qt::Key_Down:
      return go(from + columns() < model_.count() ? from + columns() : from);
    case Qt::Key_PageUp:
      return go(from - page);
    case Qt::Key_PageDown:
      return go(from + page);
    case Qt::Key_Home:
      return go(0);
    case Qt::Key_End:
      return go(model_.count() - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (current_ >= 0) Q_EMIT opened(current_);
      return;
    case Qt::Key_X:
      return void(Q_EMIT excludeRequested());
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

const QPixmap* ExplorerGrid::sprite(const NamedPicture* picture, bool mayMake) {
  if (!picture || picture->image.isNull()) return nullptr;
  const qint64 key = picture->image.cacheKey();
  if (const QPixmap* made = sprites_.object(key)) return made;
  unmade_ = unmade_ || !mayMake;
  if (!mayMake) return nullptr;
  auto* made = new QPixmap(QSize(side, side) * devicePixelRatioF());
  made->setDevicePixelRatio(devicePixelRatioF());
  made->fill(Qt::transparent);
  QPainter p(made);
  paintThumbnail(p, picture->image, QRectF(0, 0, side, side), 4);
  p.end();
  sprites_.insert(key, made);
  return made;
}

void ExplorerGrid::paintCell(QPainter& p, int row, const QRect& where, bool mayMake) {
  const Theme& t = theme();
  if (chosen_.count(row) > 0) {
    p.setPen(QPen(hasFocus() && row == current_ ? t.ring : t.border3, 1.6));
    p.setBrush(t.accentSoft);
    p.drawRoundedRect(QRectF(where).adjusted(-4, -4, 4, 2), radius::control, radius::control);
  }
  const NamedPicture* picture = pictures_.picture(model_.index(row));
  const QRectF at(where.x(), where.y(), side, side);
  const bool out = picture && excluded_ && excluded_(picture->name);
  p.setOpacity(out ? 0.3 : 1);
  if (const QPixmap* made = sprite(picture, mayMake))
    p.drawPixmap(at.topLeft(), *made);
  else
    paintThumbnail(p, QImage(), at, 4);
  p.setOpacity(1);
  if (out) paintIcon(p, QStringLiteral("eye-off"), QRectF(at.center() - QPointF(9, 9), QSizeF(18, 18)), t.text1);
  p.setPen(out ? t.text3 : t.text2);
  p.drawText(QRect(where.x(), where.y() + side, side, caption), Qt::AlignCenter,
             p.fontMetrics().elidedText(model_.className(row), Qt::ElideRight, side));
}

void ExplorerGrid::paintEvent(QPaintEvent*) {
  QPainter p(viewport());
  p.setRenderHint(QPainter::Antialiasing);
  p.setFont(ui::font(TextRole::small));
  p.fillRect(viewport()->rect(), theme().canvas);
  const auto [first, count] = inView();
  if (std::exchange(spritesRatio_, devicePixelRatioF()) != devicePixelRatioF()) sprites_.clear();
  unmade_ = false;
  QElapsedTimer clock;
  clock.start();
  for (int row = first; row < first + count; ++row) paintCell(p, row, cell(row), clock.elapsed() < sprite_ms);
  if (unmade_) QTimer::singleShot(0, viewport(), qOverload<>(&QWidget::update));
}

}  // namespace nw::ui
