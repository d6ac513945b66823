// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/shortened_text.hpp"

#include <QEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>
#include <QWidget>

namespace nw::ui {
namespace {

/// A child of the widget whose texts it keeps.
class WholeTexts : public QObject {
 public:
  explicit WholeTexts(QWidget& painted) : QObject(&painted), painted_(painted) { painted.installEventFilter(this); }

  static WholeTexts& of(QWidget& painted) {
    for (QObject* child : painted.children())
      if (auto* known = dynamic_cast<WholeTexts*>(child)) return *known;
    return *new WholeTexts(painted);
  }

  /// A part of the widget may be painted, although all of it is said again.
  void keep(const QRectF& where, const QString& text) {
    wholes_.removeIf([&](const Whole& w) { return w.where == where; });
    wholes_.append({where, text});
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) forget(static_cast<QPaintEvent*>(event)->region());
    return event->type() == QEvent::ToolTip && tell(*static_cast<QHelpEvent*>(event));
  }

 private:
  struct Whole {
    QRectF where;
    QString text;
  };
  void forget(const QRegion& painted) {
    wholes_.removeIf([&](const Whole& w) { return painted.intersects(w.where.toAlignedRect()); });
  }
  bool tell(const QHelpEvent& help) {
    for (const Whole& w : wholes_)
      if (w.where.contains(help.pos())) {
        if (painted_.toolTip().contains(w.text)) return false;
        QToolTip::showText(help.globalPos(), withToolTip(w.text), &painted_, w.where.toAlignedRect());
        return true;
      }
    return false;
  }
  /// And the widget's own tool tip below it. The program's tool tips are plain text.
  QString withToolTip(const QString& text) const {
    return painted_.toolTip().isEmpty() ? text : text + u'\n' + painted_.toolTip();
  }
  QWidget& painted_;
  QVector<Whole> wholes_;
};

}  // namespace

QString shortenedText(QPainter& p, const QRectF& where, const QString& text, Qt::TextElideMode mode) {
  const QString shown = QFontMetricsF(p.font()).elidedText(text, mode, where.width());
  if (shown != text && p.device()->devType() == QInternal::Widget)
    WholeTexts::of(*static_cast<QWidget*>(p.device())).keep(p.worldTransform().mapRect(where), text);
  return shown;
}

}  // namespace nw::ui
