// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/command_palette.hpp"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int rowHeight = 36, paletteWidth = 520, rowsShown = 10;
enum Role { detailRole = Qt::UserRole, iconRole };

class RowPainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {paletteWidth, rowHeight}; }
  void paint(QPainter* p, const QStyleOptionViewItem& o, const QModelIndex& index) const override {
    const Theme& t = theme();
    const QString name = index.data(iconRole).toString();
    const QRectF r = QRectF(o.rect).adjusted(6, 1, -6, -1);
    if (o.state & QStyle::State_Selected)
      style::box(*p, r, radius::control, t.dark ? t.chosen : t.hover, QColor(0, 0, 0, 0));
    if (!name.isEmpty()) paintIcon(*p, name, QRectF(r.left() + 10, r.center().y() - 8, 16, 16), t.text2);
    p->setFont(ui::font(TextRole::axis));
    const QString detail = index.data(detailRole).toString();
    const int wide = std::min<int>(p->fontMetrics().horizontalAdvance(detail) + 2, static_cast<int>(r.width()) / 2);
    p->setPen(o.state & QStyle::State_Selected ? t.text2 : t.text3);
    p->drawText(r.adjusted(0, 0, -12, 0), Qt::AlignVCenter | Qt::AlignRight,
                p->fontMetrics().elidedText(detail, Qt::ElideRight, wide));
    p->setFont(ui::font(TextRole::body));
    p->setPen(name.isEmpty() ? t.text3 : t.text1);
    const QRectF title = r.adjusted(name.isEmpty() ? 14 : 38, 0, -wide - 24, 0);
    p->drawText(title, Qt::AlignVCenter | Qt::AlignLeft,
                p->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, static_cast<int>(title.width())));
  }
};

}  // namespace

int fuzzyScore(const QString& query, const QString& text) {
  int score = 1, at = -1, streak = 0;
  for (const QChar wanted : query) {
    if (wanted.isSpace()) continue;
    const int found = static_cast<int>(text.indexOf(wanted, at + 1, Qt::CaseInsensitive));
    if (found < 0) return 0;
    streak = found == at + 1 ? streak + 1 : 0;
    score += 1 + 3 * streak + (found == 0 || !text[found - 1].isLetterOrNumber() ? 8 : 0);
    at = found;
  }
  return score * 100 / (100 + static_cast<int>(text.size())) + 1;
}

CommandPalette::CommandPalette(PaletteEntries& source, QWidget* window)
    : QWidget(window), source_(source), field_(new QLineEdit(this)), list_(new QListWidget(this)) {
  setObjectName(QStringLiteral("commandPalette"));
  field_->setPlaceholderText(tr("Command, layer, setting, template, run or project"));
  field_->setAccessibleName(tr("Command"));
  field_->setFrame(false);
  field_->setMinimumHeight(44);
  field_->setTextMargins(36, 0, 8, 0);
  field_->installEventFilter(this);
  window->installEventFilter(this);
  list_->setItemDelegate(new RowPainter(list_));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setAccessibleName(tr("Commands"));
  list_->viewport()->setAutoFillBackground(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 7);
  column->setSpacing(7);
  column->addWidget(field_);
  column->addWidget(list_);
  connect(field_, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(list_, &QListWidget::itemClicked, this, [this] { run(); });
  connect(&source_, &PaletteEntries::changed, this, [this] {
    if (isVisible() && !field_->text().isEmpty()) refill();
  });
  hide();
}

void CommandPalette::openFor(const QPoint& topCentre) {
  source_.refresh();
  field_->clear();
  fill();
  resize(paletteWidth, 44 + 16 + rowsShown * rowHeight);
  move(topCentre.x() - width() / 2, topCentre.y());
  show();
  raise();
  field_->setFocus();
}

void CommandPalette::fill() {
  const QString query = field_->text();
  entries_ = source_.matching(query);
  list_->clear();
  for (const PaletteEntry& entry : entries_) {
    auto* item = new QListWidgetItem(entry.title, list_);
    item->setData(detailRole, entry.detail);
    item->setData(iconRole, entry.icon);
    item->setData(Qt::AccessibleTextRole, entry.title + QStringLiteral(", ") + entry.detail);
  }
  if (entries_.empty()) {
    auto* nothing = new QListWidgetItem(tr("Nothing matches “%1”").arg(query), list_);
    nothing->setFlags(Qt::NoItemFlags);
  }
  list_->setCurrentRow(entries_.empty() ? -1 : 0);
}

/// Entries came later than the letters: the selected one stays selected, for Enter may be on its way.
void CommandPalette::refill() {
  const int row = list_->currentRow();
  if (row < 0 || row >= static_cast<int>(entries_.size())) return fill();
  const PaletteEntry before = entries_[static_cast<std::size_t>(row)];
  fill();
  const auto same = std::find_if(entries_.begin(), entries_.end(), [&](const PaletteEntry& entry) {
    return entry.title == before.title && entry.detail == before.detail;
  });
  if (same != entries_.end()) list_->setCurrentRow(static_cast<int>(same - entries_.begin()));
}

void CommandPalette::run() {
  const int row = list_->currentRow();
  if (row < 0 || row >= static_cast<int>(entries_.size())) return;
  const auto chosen = entries_[static_cast<std::size_t>(row)].run;
  hide();
  chosen();
}

/// The row that a key leads to; -1: the key does not move.
int CommandPalette::rowAfter(int key) const {
  const int row = list_->currentRow(), last = static_cast<int>(entries_.size()) - 1;
  if (key == Qt::Key_Down) return std::min(row + 1, last);
  if (key == Qt::Key_Up) return std::max(row - 1, 0);
  if (key == Qt::Key_PageDown) return std::min(row + rowsShown - 1, last);
  if (key == Qt::Key_PageUp) return std::max(row - rowsShown + 1, 0);
  return -1;
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget()) {
    if (event->type() == QEvent::Resize) hide();  // it was placed for the size before
    return false;
  }
  if (event->type() == QEvent::FocusOut) hide();
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  const int row = entries_.empty() ? -1 : rowAfter(key);
  if (key == Qt::Key_Escape)
    hide();
  else if (key == Qt::Key_Return || key == Qt::Key_Enter)
    run();
  else if (row >= 0)
    list_->setCurrentRow(row);
  else
    return QWidget::eventFilter(watched, event);
  return true;
}

void CommandPalette::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  style::box(p, rect(), radius::card, t.overlay, t.border2);
  paintIcon(p, QStringLiteral("search"), QRectF(15, 15, 16, 16), t.text2);
  p.fillRect(1, 46, width() - 2, 1, t.border1);
}

}  // namespace nw::ui
