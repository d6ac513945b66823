// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/palette_drag.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>

#include "ui/canvas/edits/placing.hpp"
#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/canvas/view/graph_view.hpp"
#include "ui/theme/icons.hpp"

namespace nw::ui {
namespace {

/// The floating card and the hand that moves it. Deletes itself at the end.
class Carried : public QWidget {
 public:
  Carried(GraphView& view, const QString& id, QWidget& from) : QWidget(from.window()), view_(&view), id_(id) {
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
    if (!view_) return;
    if (over(global))
      view_->hoverLayer(view_->viewport()->mapFromGlobal(global));
    else
      view_->endHover();
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
    return view_ && view_->isVisible() && view_->viewport()->rect().contains(view_->viewport()->mapFromGlobal(global));
  }

  void drop(QPoint global) {
    const QPointer<GraphView> view = view_;
    const bool here = over(global);
    end();
    if (view && here) view->dropLayer(id_, view->viewport()->mapFromGlobal(global));
  }

  void end() {
    ended_ = true;
    qApp->removeEventFilter(this);
    if (view_) view_->endHover();
    hide();
    deleteLater();
  }

  QPointer<GraphView> view_;
  QString id_;
  bool ended_ = false;
};

}  // namespace

void dragLayer(GraphView& view, const QString& paletteId, QWidget& from, QPoint global) {
  (new Carried(view, paletteId, from))->follow(global);
}

}  // namespace nw::ui
