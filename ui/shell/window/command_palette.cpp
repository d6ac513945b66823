// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/command_palette.hpp"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int rowHeight = 36, paletteWidth = 520, rowsShown = 10;

class RowPainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {paletteWidth, rowHeight}; }
  void paint(QPainter* p, const QStyleOptionViewItem& o, const QModelIndex& index) const override {
    const Theme& t = theme();
    const QAction* a = action(index.data(Qt::UserRole).toString());
    const QRectF r = QRectF(o.rect).adjusted(6, 1, -6, -1);
    if (o.state & QStyle::State_Selected)
      style::box(*p, r, radius::control, t.dark ? t.chosen : t.hover, QColor(0, 0, 0, 0));
    paintIcon(*p, a->icon().name(), QRectF(r.left() + 10, r.center().y() - 8, 16, 16), t.text2);
    p->setFont(ui::font(TextRole::body));
    p->setPen(t.text1);
    p->drawText(r.adjusted(38, 0, -120, 0), Qt::AlignVCenter | Qt::AlignLeft, a->text());
    p->setFont(ui::font(TextRole::axis));
    p->setPen(t.text3);
    p->drawText(r.adjusted(0, 0, -12, 0), Qt::AlignVCenter | Qt::AlignRight, shortcutText(*a));
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

CommandPalette::CommandPalette(QWidget* window)
    : QWidget(window), field_(new QLineEdit(this)), list_(new QListWidget(this)) {
  setObjectName(QStringLiteral("commandPalette"));
  field_->setPlaceholderText(tr("Type a command"));
  field_->setAccessibleName(tr("Command"));
  field_->setFrame(false);
  field_->setMinimumHeight(44);
  field_->setTextMargins(36, 0, 8, 0);
  field_->installEventFilter(this);
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
  hide();
}

void CommandPalette::openFor(const QPoint& topCentre) {
  field_->clear();
  fill();
  resize(paletteWidth, 44 + 16 + rowsShown * rowHeight);
  move(topCentre.x() - width() / 2, topCentre.y());
  show();
  raise();
  field_->setFocus();
}

void CommandPalette::fill() {
  struct Hit {
    int score;
    QString id;
  };
  std::vector<Hit> hits;
  for (const ActionRow& row : actionTable()) {
    const QString id = QLatin1String(row.id);
    if (id == QLatin1String("-") || id == QLatin1String("command-palette")) continue;
    const QAction* a = action(id);
    if (!a->isEnabled()) continue;
    const int score = std::max(fuzzyScore(field_->text(), a->text()), fuzzyScore(field_->text(), id));
    if (score > 0) hits.push_back({score, id});
  }
  if (!field_->text().isEmpty())
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.score > b.score; });
  list_->clear();
  for (const Hit& hit : hits) {
    auto* item = new QListWidgetItem(action(hit.id)->text(), list_);
    item->setData(Qt::UserRole, hit.id);
  }
  list_->setCurrentRow(0);
}

void CommandPalette::run() {
  const QListWidgetItem* item = list_->currentItem();
  hide();
  if (item) action(item->data(Qt::UserRole).toString())->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut) hide();
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  const int row = list_->currentRow();
  if (key == Qt::Key_Escape)
    hide();
  else if (key == Qt::Key_Return || key == Qt::Key_Enter)
    run();
  else if (key == Qt::Key_Down)
    list_->setCurrentRow(std::min(row + 1, list_->count() - 1));
  else if (key == Qt::Key_Up)
    list_->setCurrentRow(std::max(row - 1, 0));
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
