// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/palette.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>

#include "engine/design/layer_type.hpp"
#include "ui/canvas/add_list.hpp"
#include "ui/canvas/commands.hpp"
#include "ui/canvas/graph_view.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

void paintRow(QPainter& p, const QRectF& box, const QString& icon, const QString& name, const QString& group, bool hover, bool focus) {
  const Theme& t = theme();
  p.setRenderHint(QPainter::Antialiasing);
  if (hover || focus) {
    p.setPen(focus ? QPen(t.ring, 1.2) : QPen(Qt::NoPen));
    p.setBrush(hover ? t.hover : QColor(Qt::transparent));
    p.drawRoundedRect(box.adjusted(1, 1, -1, -1), radius::control, radius::control);
  }
  const QRectF tile(box.left() + 10, box.center().y() - 11, 22, 22);
  p.setPen(Qt::NoPen);
  p.setBrush(t.tile(group));
  p.drawRoundedRect(tile, 6, 6);
  paintIcon(p, icon, tile.adjusted(4, 4, -4, -4), t.group(group));
  p.setFont(font(TextRole::body));
  p.setPen(t.text1);
  p.drawText(box.adjusted(42, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft, name);
}

/// What hangs under the mouse while a layer is dragged.
class Ghost : public QWidget {
 public:
  Ghost(QWidget* window, QString icon, QString name, QString group) : QWidget(window), icon_(std::move(icon)), name_(std::move(name)), group_(std::move(group)) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    resize(190, 36);
    show();
    raise();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(theme().ring, 1.6));
    p.setBrush(theme().raised);
    p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::compact, radius::compact);
    paintRow(p, QRectF(rect()), icon_, name_, group_, false, false);
  }

 private:
  QString icon_, name_, group_;
};

}  // namespace

PaletteRow::PaletteRow(GraphView& view, const QString& id, const QString& name, const QString& group, const QString& summary, QWidget* parent)
    : QWidget(parent), view_(view), id_(id), name_(name), group_(group), icon_(layerIcon(name, group)) {
  setObjectName(QStringLiteral("palette-") + id);
  setAccessibleName(name);
  setAccessibleDescription(summary);
  setToolTip(summary.toHtmlEscaped());
  setFocusPolicy(Qt::StrongFocus);
  setFixedHeight(32);
}

void PaletteRow::paintEvent(QPaintEvent*) {
  QPainter p(this);
  paintRow(p, QRectF(rect()), icon_, name_, group_, underMouse(), hasFocus());
}

void PaletteRow::mousePressEvent(QMouseEvent* e) {
  if (e->button() == Qt::LeftButton) pressed_ = e->globalPosition().toPoint();
}

void PaletteRow::mouseMoveEvent(QMouseEvent* e) {
  const QPoint global = e->globalPosition().toPoint();
  if (!(e->buttons() & Qt::LeftButton)) return;
  if (!ghost_ && (global - pressed_).manhattanLength() < QApplication::startDragDistance()) return;
  followDrag(global);
}

void PaletteRow::followDrag(QPoint global) {
  if (!ghost_) {
    ghost_ = new Ghost(window(), icon_, name_, group_);
    grabKeyboard();   // Esc gives up, wherever the focus is
  }
  ghost_->move(window()->mapFromGlobal(global) + QPoint(-20, -18));
  const QPoint at = view_.viewport()->mapFromGlobal(global);
  const bool over = view_.viewport()->rect().contains(at);
  if (over) view_.hoverLayer(at);
  else if (over_) view_.endHover();
  over_ = over;
}

void PaletteRow::mouseReleaseEvent(QMouseEvent* e) {
  if (!ghost_) return;
  const QPoint at = view_.viewport()->mapFromGlobal(e->globalPosition().toPoint());
  const bool drop = view_.viewport()->rect().contains(at);
  endDrag();
  if (!drop) return;
  view_.dropLayer(id_, at);
  view_.setFocus();
}

void PaletteRow::endDrag() {
  if (!ghost_) return;
  releaseKeyboard();
  view_.endHover();
  ghost_->deleteLater();
  ghost_ = nullptr;
  over_ = false;
}

void PaletteRow::mouseDoubleClickEvent(QMouseEvent*) { add(); }

void PaletteRow::add() {
  addAfterCurrent(view_, id_);
}

void PaletteRow::keyPressEvent(QKeyEvent* e) {
  if (ghost_ && e->key() == Qt::Key_Escape) return endDrag();
  if (e->key() == Qt::Key_Return || e->key() == Qt::Key_Enter) return add();
  if (e->key() == Qt::Key_Down) focusNextChild();
  else if (e->key() == Qt::Key_Up) focusPreviousChild();
  else QWidget::keyPressEvent(e);
}

Palette::Palette(GraphView& view, QWidget* parent) : QWidget(parent), view_(view) {
  setObjectName(QStringLiteral("palette"));
  search_ = new QLineEdit;
  search_->setPlaceholderText(tr("Search layers"));
  search_->setAccessibleName(tr("Search layers"));
  search_->setClearButtonEnabled(true);
  for (QAbstractButton* clear : search_->findChildren<QAbstractButton*>()) clear->setAccessibleName(tr("Clear the search"));
  search_->setObjectName(QStringLiteral("paletteSearch"));
  search_->installEventFilter(this);
  list_ = new QWidget;
  rows_ = new QVBoxLayout(list_);
  rows_->setContentsMargins(8, 4, 8, 8);
  rows_->setSpacing(0);
  auto* scroll = new QScrollArea;
  scroll->setWidget(list_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(space::s);
  auto* top = new QVBoxLayout;
  top->setContentsMargins(12, 12, 12, 0);
  top->addWidget(search_);
  layout->addLayout(top);
  layout->addWidget(scroll, 1);
  auto* hint = makeLabel(tr("Drag onto the canvas, or press Tab"), 3, static_cast<int>(TextRole::secondary));
  hint->setContentsMargins(16, 8, 8, 10);
  layout->addWidget(hint);
  connect(search_, &QLineEdit::textChanged, this, &Palette::filter);
  connect(&view.graph().session(), &Session::documentChanged, this, [this] { fill(); });
  connect(&view.graph().session(), &Session::documentReplaced, this, [this] { fill(); });
  fill();
}

PaletteRow* Palette::row(const QString& id) const { return list_->findChild<PaletteRow*>(QStringLiteral("palette-") + id); }

void Palette::fill() {
  QString blocks = QStringLiteral("|");
  for (const auto& [name, block] : view_.graph().doc().blocks()) blocks += QString::fromStdString(name) + QLatin1Char('|');
  if (blocks == known_) return;
  known_ = blocks;
  while (QLayoutItem* item = rows_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  static const char* const groups[] = {QT_TR_NOOP("Input"), QT_TR_NOOP("Convolution"), QT_TR_NOOP("Pooling"), QT_TR_NOOP("Linear"), QT_TR_NOOP("Normalization"),
                                       QT_TR_NOOP("Activation"), QT_TR_NOOP("Regularization"), QT_TR_NOOP("Shape"), QT_TR_NOOP("Loss")};
  const auto heading = [&](const QString& title) {
    auto* label = makeLabel(title, 2, static_cast<int>(TextRole::button));
    label->setContentsMargins(10, 12, 0, 4);
    rows_->addWidget(label);
  };
  for (const char* group : groups) {
    heading(tr(group));
    for (const LayerType* layer : all_layers()) {
      if (layer->group != group || layer->name.starts_with("Block")) continue;
      const QString name = QString::fromUtf8(layer->name.data(), static_cast<qsizetype>(layer->name.size()));
      rows_->addWidget(new PaletteRow(view_, name, name, QLatin1String(group), translated(layer->summary), list_));
    }
  }
  if (!view_.graph().doc().blocks().empty()) heading(tr("Blocks of this project"));
  for (const auto& [name, block] : view_.graph().doc().blocks())
    rows_->addWidget(new PaletteRow(view_, QStringLiteral("Block/") + QString::fromStdString(name), QString::fromStdString(name), QStringLiteral("Shape"), tr("A block of this project"), list_));
  rows_->addStretch(1);
  filter(search_->text());
}

void Palette::filter(const QString& text) {
  bool any = false;
  for (int i = rows_->count(); i-- > 0;) {
    QWidget* widget = rows_->itemAt(i)->widget();
    if (auto* row = qobject_cast<PaletteRow*>(widget)) {
      const bool show = text.isEmpty() || matchScore(row->name(), text) >= 0;
      row->setVisible(show);
      any = any || show;
    } else if (widget) {   // a heading stands before its rows: shown when one of them is
      widget->setVisible(any);
      any = false;
    }
  }
}

bool Palette::eventFilter(QObject* object, QEvent* event) {
  if (object == search_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Return) {
      for (int i = 0; i < rows_->count(); ++i)
        if (auto* row = qobject_cast<PaletteRow*>(rows_->itemAt(i)->widget()); row && row->isVisible()) {
          if (key == Qt::Key_Return) addAfterCurrent(view_, row->id());
          else row->setFocus();
          return true;
        }
    }
  }
  return QWidget::eventFilter(object, event);
}

}  // namespace nw::ui
