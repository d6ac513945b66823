// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/palette_drag.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>

#include "ui/canvas/canvas.hpp"
#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/input/layer_drop.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

/// The dragged preview of a layer, which handles the mouse until the drop. Deletes itself at the end.
class Carried : public QWidget {
 public:
  Carried(Canvas& canvas, const QString& id, QWidget& from) : QWidget(from.window()), canvas_(&canvas), id_(id) {
    setObjectName(QStringLiteral("draggedLayer"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    resize(cardSize + QSize(2 * margin, 2 * margin));
    qApp->installEventFilter(this);
    QApplication::setOverrideCursor(Qt::ClosedHandCursor);
  }
  ~Carried() override { QApplication::restoreOverrideCursor(); }

  void follow(QPoint global) {
    move(parentWidget()->mapFromGlobal(global) - QPoint(width() / 2, height() / 2));
    if (!isVisible()) show();
    raise();
    if (!canvas_) return;
    if (over(global))
      canvas_->layerDrop().hover(inView(global));
    else
      canvas_->layerDrop().leave();
  }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override {
    if (!object->isWidgetType() || ended_) return false;
    if (event->type() == QEvent::MouseMove) {
      follow(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
      return true;
    }
    if (event->type() == QEvent::MouseButtonRelease) {
      drop(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
      return true;
    }
    const bool escape = (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) &&
                        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (escape) end();
    return escape;
  }

  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF card(QPointF(margin, margin), QSizeF(cardSize));
    paintFloat(p, card, radius::node, theme().raised, theme().ring);
    const bool block = isBlockId(id_);
    const QString group = groupOf(nodeFor(id_));
    paintTile(p, layerIcon(block ? QStringLiteral("Block") : id_, group), group,
              QRectF(card.left() + 9, card.center().y() - 11, 22, 22), 6);
    p.setFont(nw::ui::font(TextRole::node));
    p.setPen(theme().text1);
    p.drawText(card.adjusted(42, 0, -8, 0), Qt::AlignVCenter | Qt::TextSingleLine, shownName(id_));
  }

 private:
  static constexpr int margin = 10;
  static constexpr QSize cardSize{190, 40};

  bool over(QPoint global) const {
    return canvas_ && canvas_->view().isVisible() && canvas_->view().viewport()->rect().contains(inView(global));
  }
  QPoint inView(QPoint global) const { return canvas_->view().viewport()->mapFromGlobal(global); }

  void drop(QPoint global) {
    const QPointer<Canvas> canvas = canvas_;
    const bool here = over(global);
    end();
    if (canvas && here) canvas->layerDrop().drop(id_, inView(global));
  }

  void end() {
    ended_ = true;
    qApp->removeEventFilter(this);
    if (canvas_) canvas_->layerDrop().leave();
    hide();
    deleteLater();
  }

  QPointer<Canvas> canvas_;
  QString id_;
  bool ended_ = false;
};

}  // namespace

void dragLayer(Canvas& canvas, const QString& paletteId, QWidget& from, QPoint global) {
  (new Carried(canvas, paletteId, from))->follow(global);
}

}  // namespace nw::ui
