// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/screen_rules.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QToolTip>
#include <algorithm>

#include "tests/gallery/controls.hpp"
#include "tests/gallery/latin_words.hpp"
#include "tests/gallery/text_colours.hpp"
#include "ui/charts/plot.hpp"

namespace nw::ui {
namespace {

constexpr int smallest = 24;  // pixels of a control; WCAG 2.2, 2.5.8
constexpr qreal slack = 2;    // pixels by which advance and letters differ

QString said(const PaintedText& text) {
  return QStringLiteral("\"%1\" in %2").arg(text.text, describedWidget(text.owner));
}

/// What a control is made of is not one.
bool isPart(const QWidget* w) {
  const QWidget* up = w->parentWidget();
  return up && (qobject_cast<const QAbstractSpinBox*>(up) || qobject_cast<const QComboBox*>(up) ||
                qobject_cast<const QLineEdit*>(up));
}

bool isViewport(const QWidget* w) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(w->parentWidget());
  return area && area->viewport() == w;
}

/// A button's text may end in "…" because a dialog follows, and a field's placeholder.
bool isWholeText(const QWidget* w, const QString& text) {
  for (const char* property : {"text", "placeholderText", "currentText", "accessibleName", "title"}) {
    QString whole = w->property(property).toString();
    if (whole.remove(u'&').contains(text)) return true;
  }
  const auto says = [&](const QAction* action) { return action->text().remove(u'&').contains(text); };
  const QList<QAction*> actions = w->actions();
  return std::any_of(actions.begin(), actions.end(), says);
}

/// A view's item that is said whole.
bool isWholeItem(const QWidget& window, const PaintedText& text) {
  const auto* view = qobject_cast<const QAbstractItemView*>(text.owner->parentWidget());
  if (!view) return false;
  const QModelIndex at = view->indexAt(text.owner->mapFrom(&window, text.shown().center().toPoint()));
  return at.data().toString().contains(text.text.trimmed());
}

/// At once: Qt's own way to hide it takes some time.
void hideToolTip() {
  QToolTip::hideText();
  for (QWidget* w : QApplication::topLevelWidgets())
    if (w->inherits("QTipLabel")) w->hide();
}

QString toolTipAt(QWidget& window, QWidget& owner, const QPointF& at) {
  hideToolTip();
  const QPoint global = window.mapToGlobal(at.toPoint());
  QHelpEvent rest(QEvent::ToolTip, owner.mapFromGlobal(global), global);
  QApplication::sendEvent(&owner, &rest);
  const QString tip = QToolTip::isVisible() ? QToolTip::text() : QString();
  hideToolTip();
  return tip;
}

/// What two lines share; of turned ones the boxes of all corners may meet where letters do not.
QRectF sharedPart(const PaintedText& a, const PaintedText& b) {
  const QRectF both = a.shown().intersected(b.shown());
  if (both.isEmpty() || (a.box.isEmpty() && b.box.isEmpty())) return both;
  const auto box = [](const PaintedText& t) { return t.box.isEmpty() ? QPolygonF(t.place) : t.box; };
  return box(a).intersected(box(b)).boundingRect();
}

bool isTyped(const QWidget* w) {
  return qobject_cast<const QLineEdit*>(w) || qobject_cast<const QPlainTextEdit*>(w->parentWidget()) ||
         qobject_cast<const QTextEdit*>(w->parentWidget());
}

/// The letters of a selection have another colour, each piece of the text is painted for itself.
bool isSelected(const QWidget* w) {
  const auto* line = qobject_cast<const QLineEdit*>(w);
  return line && line->hasSelectedText();
}

}  // namespace

QStringList smallControls(const QWidget& window) {
  QStringList faults;
  for (const QWidget* w : window.findChildren<QWidget*>())
    if (w->window() == window.window() && w->isVisible() && isHandled(w) && !isPart(w) &&
        !seenPart(window, *w).isEmpty() && (w->width() < smallest || w->height() < smallest))
      faults << QStringLiteral("%1 x %2 pixels: %3").arg(w->width()).arg(w->height()).arg(describedWidget(w));
  return faults;
}

QStringList overlappingTexts(const QList<PaintedText>& texts) {
  QStringList faults;
  for (qsizetype i = 0; i < texts.size(); ++i)
    for (qsizetype k = i + 1; k < texts.size(); ++k) {
      if (texts[i].owner == texts[k].owner && isTyped(texts[i].owner)) continue;  // what is selected is painted twice
      const QRectF both = sharedPart(texts[i], texts[k]);
      const qreal height = std::min(QFontMetricsF(texts[i].font).height() * texts[i].scale,
                                    QFontMetricsF(texts[k].font).height() * texts[k].scale);
      if (both.width() > slack && both.height() > 0.4 * height)
        faults << QStringLiteral("over each other: %1, %2").arg(said(texts[i]), said(texts[k]));
    }
  return faults;
}

QStringList cutTexts(const QWidget& window, const QList<PaintedText>& texts) {
  QStringList faults;
  for (const PaintedText& text : texts) {
    if (isViewport(text.owner) || isTyped(text.owner)) continue;
    const QRectF own(text.owner->mapTo(&window, QPoint()), text.owner->size());
    const QRectF letters = text.place.adjusted(slack, 0.2 * text.place.height(), -slack, -0.2 * text.place.height());
    if (!own.contains(letters)) faults << QStringLiteral("cut off: %1").arg(said(text));
  }
  return faults;
}

QStringList elidedTexts(QWidget& window, const QList<PaintedText>& texts) {
  QStringList faults;
  for (const PaintedText& text : texts) {
    const qsizetype dots = text.text.indexOf(u'…');
    if (dots < 0 || isTyped(text.owner)) continue;
    const QString tip = toolTipAt(window, *text.owner, text.place.center());
    if (tip.isEmpty() && !isWholeText(text.owner, text.text.trimmed()) && !isWholeItem(window, text))
      faults << QStringLiteral("elided: %1").arg(said(text));
  }
  return faults;
}

QStringList paleTexts(const QList<PaintedText>& texts, const QImage& picture) {
  QStringList faults;
  for (const PaintedText& text : texts) {
    const Ground ground = groundOf(text, picture);
    if (!ground.plain || !text.owner->isEnabled() || isSelected(text.owner)) continue;
    const double contrast = contrastOn(text.ink, ground.colour);
    if (contrast < (isLarge(text) ? 3.0 : 4.5))
      faults << QStringLiteral("contrast %1 of %2 on %3: %4")
                    .arg(contrast, 0, 'f', 2)
                    .arg(text.ink.name(), ground.colour.name(), said(text));
  }
  return faults;
}

QStringList untranslatedTexts(const QList<PaintedText>& texts) {
  QStringList faults;
  for (const PaintedText& text : texts) {
    if (isTyped(text.owner)) continue;
    if (const QStringList words = foreignWords(text.text); !words.isEmpty())
      faults << QStringLiteral("not Chinese: %1: %2").arg(words.join(u' '), said(text));
  }
  return faults;
}

QStringList screenFaults(QWidget& window, const QList<PaintedText>& texts, const QImage& picture, bool chinese) {
  return layoutFaults(window) + smallControls(window) + overlappingTexts(texts) + cutTexts(window, texts) +
         elidedTexts(window, texts) + paleTexts(texts, picture) + (chinese ? untranslatedTexts(texts) : QStringList());
}

}  // namespace nw::ui
