// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/metrics/confusion_matrix.hpp"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/theme/contrast.hpp"
#include "ui/theme/shortened_text.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int share_column = 58, plain_header = 42, most_cell = 37;
constexpr qreal small_cell = 8;  // below this pitch cells are plain: there are many, and no number fits

}  // namespace

ConfusionMatrix::ConfusionMatrix(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("confusionMatrix"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Confusion matrix"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void ConfusionMatrix::setView(std::shared_ptr<const EvaluationView> view) {
  view_ = view && !view->confusion.empty() ? std::move(view) : nullptr;
  totals_.clear();
  longest_ = 0;
  most_ = 1;
  for (int t = 0; view_ && t < view_->classes; ++t) {
    qint64 total = 0;
    for (int r = 0; r < view_->classes; ++r) {
      total += view_->at(t, r);
      if (t != r) most_ = std::max(most_, view_->at(t, r));
    }
    totals_.push_back(total);
  }
  cursor_ = {};
  if (chosen_ && !has(*chosen_)) chosen_.reset();
  hovered_.reset();
  updateGeometry();
  update();
}

void ConfusionMatrix::setShares(bool shares) {
  shares_ = shares;
  update();
}

bool ConfusionMatrix::has(const GridModel::Cell& cell) const {
  const auto within = [this](int c) { return c >= 0 && c < view_->classes; };
  return view_ && within(cell.truth) && within(cell.read);
}

/// A cell of classes that this evaluation does not have is not kept.
void ConfusionMatrix::setCell(std::optional<GridModel::Cell> cell) {
  chosen_ = cell && has(*cell) ? cell : std::nullopt;
  if (chosen_) cursor_ = *chosen_;
  update();
}

/// Measuring thousands of names takes longer than a frame, so it is done once for each font.
int ConfusionMatrix::longestName() const {
  const QFont used = ui::font(TextRole::secondary);
  if (longest_ > 0 && measured_ == used) return longest_;
  const QFontMetricsF metrics(used);
  qreal longest = metrics.horizontalAdvance(tr("true"));
  for (int i = 0; view_ && i < view_->classes; ++i)
    longest = std::max(longest, metrics.horizontalAdvance(view_->names.value(i)));
  longest_ = static_cast<int>(std::ceil(longest));  // less than all of it shortens the name
  measured_ = used;
  return longest_;
}

ConfusionMatrix::Geometry ConfusionMatrix::geometryFor(int width, int height) const {
  Geometry g;
  const int classes = view_ ? view_->classes : 1, longest = longestName();
  g.left = std::min(longest, 110) + 10;
  g.right = share_column;
  g.pitch = std::clamp((width - g.left - g.right) / classes, 3.0, qreal{most_cell});
  g.slanted = longest > g.pitch - 4;
  g.top = g.slanted ? 36 + std::min(longest, 84) * 0.72 : plain_header;
  if (classes > 30) g.top = plain_header;
  g.pitch = std::min(g.pitch, std::max(3.0, (height - g.top - 2) / classes));
  // centred in a wide column
  g.left = std::max(g.left, (width - g.pitch * classes - g.right - g.left) / 2 + g.left);
  return g;
}

int ConfusionMatrix::heightForWidth(int width) const {
  const Geometry g = geometryFor(width);
  return static_cast<int>(std::ceil(g.top + g.pitch * (view_ ? view_->classes : 1))) + 4;
}

QRectF ConfusionMatrix::cellRect(int truth, int read) const {
  return cellRect(geometryFor(width(), height()), truth, read);
}

QRectF ConfusionMatrix::cellRect(const Geometry& g, int truth, int read) {
  const qreal inset = g.pitch > 12 ? 1.25 : 0.25;
  return QRectF(g.left + read * g.pitch, g.top + truth * g.pitch, g.pitch, g.pitch)
      .adjusted(inset, inset, -inset, -inset);
}

QRect ConfusionMatrix::cellsIn(const QRectF& area, const Geometry& g) const {
  const auto cell = [&](qreal at, qreal origin) { return static_cast<int>(std::floor((at - origin) / g.pitch)); };
  const QPoint first(cell(area.left(), g.left), cell(area.top(), g.top)),
      last(cell(area.right(), g.left), cell(area.bottom(), g.top));
  return QRect(first, last).intersected(QRect(0, 0, view_->classes, view_->classes));
}

std::optional<GridModel::Cell> ConfusionMatrix::cellAt(const QPointF& at) const {
  if (!view_) return {};
  const Geometry g = geometryFor(width(), height());
  const int read = static_cast<int>(std::floor((at.x() - g.left) / g.pitch)),
            truth = static_cast<int>(std::floor((at.y() - g.top) / g.pitch));
  if (read < 0 || truth < 0 || read >= view_->classes || truth >= view_->classes) return {};
  return GridModel::Cell{truth, read};
}

QString ConfusionMatrix::sentence(const GridModel::Cell& cell) const {
  const QString truth = view_->names.value(cell.truth), read = view_->names.value(cell.read);
  const qint64 count = view_->at(cell.truth, cell.read),
               total = std::max<qint64>(1, totals_[static_cast<std::size_t>(cell.truth)]);
  return tr("True class %1, predicted as %2: %3, %4 of this class")
      .arg(truth, read, grouped(count), percentText(static_cast<double>(count) / static_cast<double>(total)));
}

QString ConfusionMatrix::cellText(int truth, int read) const {
  const qint64 count = view_->at(truth, read);
  if (count == 0) return {};
  if (!shares_) return count < 10000 ? QString::number(count) : rounded(static_cast<double>(count));
  const double share =
      static_cast<double>(count) / static_cast<double>(std::max<qint64>(1, totals_[static_cast<std::size_t>(truth)]));
  return share < 0.0995 ? QString::number(share * 100, 'f', 1) : QString::number(share * 100, 'f', 0);
}

QColor ConfusionMatrix::fill(int truth, int read) const {
  const Theme& t = theme();
  const qint64 count = view_->at(truth, read);
  if (truth == read) return t.dark ? t.raised : t.border1;
  if (count == 0) return t.sunken;
  const double value = static_cast<double>(count) / static_cast<double>(most_);
  return Theme::ramp(t.countRamp, 0.22 + 0.78 * std::sqrt(value));
}

void ConfusionMatrix::paintSlanted(QPainter& p, const QString& name, const QPointF& at) const {
  p.save();
  p.translate(at);
  p.rotate(-45);
  p.drawText(QPointF(0, 0), shortenedText(p, QRectF(0, -p.fontMetrics().ascent(), 84, p.fontMetrics().height()), name));
  p.restore();
}

void ConfusionMatrix::paintNames(QPainter& p, const Geometry& g) const {
  const Theme& t = theme();
  const QFont quiet = ui::font(TextRole::secondary);
  QFont strong = quiet;
  strong.setWeight(QFont::DemiBold);
  p.setFont(quiet);
  p.setPen(t.text2);
  const qreal span = g.pitch * view_->classes;
  p.drawText(QRectF(g.left, 0, span, 18), Qt::AlignCenter, tr("predicted"));
  p.drawText(QRectF(0, g.top - 20, g.left - 10, 18), Qt::AlignRight | Qt::AlignVCenter, tr("true"));
  p.drawText(QRectF(g.left + span, g.top - 20, g.right, 18), Qt::AlignRight | Qt::AlignVCenter, tr("correct %"));
  const int every = std::max(1, static_cast<int>(std::ceil(14 / g.pitch)));
  for (int i = 0; i < view_->classes; i += every) {
    const QString name = view_->names.value(i);
    const bool row = chosen_ && chosen_->truth == i, column = chosen_ && chosen_->read == i;
    p.setFont(row ? strong : quiet);
    p.setPen(row ? t.text1 : t.text2);
    const QRectF beside(0, g.top + i * g.pitch, g.left - 10, std::max<qreal>(g.pitch, 14));
    p.drawText(beside, Qt::AlignRight | Qt::AlignVCenter, shortenedText(p, beside, name));
    p.setFont(column ? strong : quiet);
    p.setPen(column ? t.text1 : t.text2);
    if (view_->classes > 30) continue;
    if (g.slanted)
      paintSlanted(p, name, {g.left + (i + 0.5) * g.pitch, g.top - 6});
    else
      p.drawText(QRectF(g.left + i * g.pitch, g.top - 20, g.pitch, 18), Qt::AlignCenter, name);
  }
}

/// Only the cells of `cells` are painted: of 3,000 classes few can be seen.
void ConfusionMatrix::paintCells(QPainter& p, const QRect& cells, const Geometry& g) const {
  if (g.pitch < small_cell) return paintSmallCells(p, cells, g);
  for (int truth = cells.top(); truth <= cells.bottom(); ++truth)
    for (int read = cells.left(); read <= cells.right(); ++read) paintCell(p, g, truth, read);
}

/// A picture with one pixel for each cell, enlarged.
void ConfusionMatrix::paintSmallCells(QPainter& p, const QRect& cells, const Geometry& g) const {
  if (cells.isEmpty()) return;
  QImage picture(cells.size(), QImage::Format_RGB32);
  for (int y = 0; y < cells.height(); ++y)
    for (int x = 0; x < cells.width(); ++x) picture.setPixel(x, y, fill(cells.top() + y, cells.left() + x).rgb());
  p.drawImage(QRectF(g.left + cells.left() * g.pitch, g.top + cells.top() * g.pitch, cells.width() * g.pitch,
                     cells.height() * g.pitch),
              picture);
  if (hovered_) paintCell(p, g, hovered_->truth, hovered_->read);
  if (hasFocus()) paintCell(p, g, cursor_.truth, cursor_.read);
}

void ConfusionMatrix::paintCell(QPainter& p, const Geometry& g, int truth, int read) const {
  const Theme& t = theme();
  const QRectF where = cellRect(g, truth, read);
  const QColor colour = fill(truth, read);
  const qreal round = std::min<qreal>(4, where.width() / 5);
  const GridModel::Cell cell{truth, read};
  p.setPen(Qt::NoPen);
  p.setBrush(colour);
  p.drawRoundedRect(where, round, round);
  if (where.width() >= 18) {
    QFont f = ui::font(TextRole::axis);
    if (truth != read) f.setWeight(QFont::DemiBold);
    p.setFont(f);
    p.setPen(truth == read ? t.text2 : blackOrWhiteOn(colour));
    p.drawText(where, Qt::AlignCenter, cellText(truth, read));
  }
  p.setBrush(Qt::NoBrush);
  if (hovered_ == cell && chosen_ != cell) {
    p.setPen(QPen(t.border3, 1));
    p.drawRoundedRect(where, round, round);
  }
  if (hasFocus() && cursor_ == cell && chosen_ != cell) {
    p.setPen(QPen(t.ring, 1.6, Qt::DotLine));
    p.drawRoundedRect(where, round, round);
  }
}

void ConfusionMatrix::paintShares(QPainter& p, const Geometry& g) const {
  p.setFont(ui::font(TextRole::axis));
  p.setPen(theme().text2);
  if (g.pitch < 12) return;
  for (int i = 0; i < view_->classes; ++i) {
    const qint64 total = totals_[static_cast<std::size_t>(i)];
    const QString share =
        total == 0 ? QStringLiteral("–")
                   : QString::number(100.0 * static_cast<double>(view_->at(i, i)) / static_cast<double>(total), 'f', 1);
    p.drawText(QRectF(g.left + g.pitch * view_->classes, g.top + i * g.pitch, g.right, g.pitch),
               Qt::AlignRight | Qt::AlignVCenter, share);
  }
}

void ConfusionMatrix::paintEvent(QPaintEvent* event) {
  if (!view_) return;
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const Geometry g = geometryFor(width(), height());
  paintNames(p, g);
  paintCells(p, cellsIn(event->rect(), g), g);
  paintShares(p, g);
  if (!chosen_) return;
  const Theme& t = theme();
  const QRectF where = cellRect(chosen_->truth, chosen_->read);
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(t.window, 3));
  p.drawRoundedRect(where.adjusted(-1, -1, 1, 1), 5, 5);
  p.setPen(QPen(t.ring, 2));
  p.drawRoundedRect(where.adjusted(-1.6, -1.6, 1.6, 1.6), 5.5, 5.5);
}

void ConfusionMatrix::choose(const GridModel::Cell& cell) {
  cursor_ = cell;
  if (chosen_ == cell)
    chosen_.reset();
  else
    chosen_ = cell;
  update();
  Q_EMIT cellChosen(chosen_);
}

/// Moves the current cell and announces its content to screen readers.
void ConfusionMatrix::point(const GridModel::Cell& cell) {
  cursor_ = cell;
  setAccessibleDescription(sentence(cell));
  QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
  update();
}

void ConfusionMatrix::mousePressEvent(QMouseEvent* event) {
  const auto cell = cellAt(event->position());
  if (cell && event->button() == Qt::LeftButton) choose(*cell);
}

void ConfusionMatrix::mouseMoveEvent(QMouseEvent* event) {
  const auto cell = cellAt(event->position());
  if (cell == hovered_) return;
  hovered_ = cell;
  setCursor(cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (cell)
    QToolTip::showText(event->globalPosition().toPoint(), sentence(*cell), this);
  else
    QToolTip::hideText();
  update();
}

void ConfusionMatrix::leaveEvent(QEvent*) {
  hovered_.reset();
  update();
}
void ConfusionMatrix::focusInEvent(QFocusEvent*) { update(); }
void ConfusionMatrix::focusOutEvent(QFocusEvent*) { update(); }

void ConfusionMatrix::keyPressEvent(QKeyEvent* event) {
  if (!view_) return QWidget::keyPressEvent(event);
  const int last = view_->classes - 1;
  GridModel::Cell to = cursor_;
  switch (event->key()) {
    case Qt::Key_Left:
      to.read = std::max(0, to.read - 1);
      break;
    case Qt::Key_Right:
      to.read = std::min(last, to.read + 1);
      break;
    case Qt::Key_Up:
      to.truth = std::max(0, to.truth - 1);
      break;
    case Qt::Key_Down:
      to.truth = std::min(last, to.truth + 1);
      break;
    case Qt::Key_Home:
      to.read = 0;
      break;
    case Qt::Key_End:
      to.read = last;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      return choose(cursor_);
    case Qt::Key_Escape:
      if (!chosen_) return QWidget::keyPressEvent(event);
      return choose(*chosen_);
    default:
      return QWidget::keyPressEvent(event);
  }
  point(to);
}

}  // namespace nw::ui
