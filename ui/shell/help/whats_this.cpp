// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/whats_this.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QHelpEvent>
#include <QLineEdit>
#include <QTabBar>
#include <QWhatsThis>
#include <QWhatsThisClickedEvent>
#include <algorithm>

#include "ui/page/page.hpp"
#include "ui/shell/help/guide_pages.hpp"
#include "ui/shell/help/whats_this_table.hpp"

namespace nw::ui {
namespace {

QString classOf(const QWidget& widget) {
  return QString::fromLatin1(widget.metaObject()->className()).section(QStringLiteral("::"), -1);
}

QString nameOf(const QWidget& control) {
  if (!control.accessibleName().isEmpty()) return control.accessibleName();
  const auto* button = qobject_cast<const QAbstractButton*>(&control);
  return button ? button->text() : QString();
}

/// A tool tip that says more than the control's name, and is no path and no value.
bool isSentence(const QString& tip, const QString& name) {
  const bool isChinese = std::any_of(tip.begin(), tip.end(), [](QChar c) { return c.unicode() >= 0x4e00; });
  const int more = isChinese ? 4 : 8;  // letters; a Chinese one says about as much as two
  const bool isPlain =
      tip.size() < name.size() + more || tip.startsWith(u'/') || tip.startsWith(name + QStringLiteral(" ("));
  return !isPlain && (isChinese || tip.count(u' ') >= 3);
}

/// Whether the row's name is the control's, in the interface's language.
bool isNamed(const HelpRow& row, const QWidget& control) {
  const QString name = nameOf(control);
  const QByteArray usual = QByteArray("nw::ui::") + row.place;
  return control.objectName() == QLatin1String(row.name) || name == QLatin1String(row.name) ||
         name == QCoreApplication::translate(row.context ? row.context : usual.constData(), row.name);
}

/// What the tables say about the control at this place around it, or the control itself.
struct Found {
  const HelpRow *named = nullptr, *whole = nullptr;  // whole: of all that is at this place
};
Found rowsAt(const QWidget& place, const QWidget& control) {
  const QString type = classOf(place);
  Found found;
  for (const auto table : {designHelp(), trainHelp(), runsHelp(), dialogHelp()})
    for (const HelpRow& row : table) {
      if (type != QLatin1String(row.place) && place.objectName() != QLatin1String(row.place)) continue;
      if (!*row.name)
        found.whole = &row;
      else if (isNamed(row, control))
        found.named = &row;
    }
  return found;
}

QString said(const HelpRow& row) { return QCoreApplication::translate("WhatsThis", row.sentence); }

}  // namespace

const QWidget* controlOf(const QWidget* part) {
  const QWidget* control = part;
  for (const QWidget* up = part; up && !up->isWindow(); up = up->parentWidget())
    if (qobject_cast<const QAbstractSpinBox*>(up) || qobject_cast<const QComboBox*>(up) ||
        qobject_cast<const QAbstractItemView*>(up) || qobject_cast<const QTabBar*>(up) ||
        qobject_cast<const QLineEdit*>(up))
      control = up;
  return control;
}

QString helpSentence(const QWidget* control) {
  if (!control) return {};
  control = controlOf(control);
  const QString name = nameOf(*control);
  for (const QWidget* place = control; place; place = place->parentWidget()) {
    if (!place->whatsThis().isEmpty()) return place->whatsThis();
    const Found rows = rowsAt(*place, *control);
    if (rows.named) return said(*rows.named);
    if (isSentence(place->toolTip(), name)) return place->toolTip();
    if (rows.whole) return said(*rows.whole);
    if (place->isWindow()) break;
  }
  return isSentence(control->accessibleDescription(), name) ? control->accessibleDescription() : QString();
}

QString helpBubble(const QWidget* control) {
  const QString sentence = helpSentence(control);
  if (sentence.isEmpty()) return {};
  return QStringLiteral("<p>%1</p><p><a href=\"%2\">%3</a></p>")
      .arg(sentence.toHtmlEscaped(), guidePageOf(control), WhatsThis::tr("More in the user guide").toHtmlEscaped());
}

WhatsThis::WhatsThis(QObject* parent) : QObject(parent) {
  connect(action(QStringLiteral("whats-this")), &QAction::triggered, this, &WhatsThis::explainFocus);
  connect(action(QStringLiteral("point-for-help")), &QAction::triggered, this,
          [] { QWhatsThis::enterWhatsThisMode(); });
  qApp->installEventFilter(this);
}

void WhatsThis::explainFocus() {
  QWidget* control = QApplication::focusWidget();
  const QString bubble = helpBubble(control);
  if (bubble.isEmpty()) {
    Q_EMIT missing(tr("There is nothing to explain here. Click a control first, or press F1 for the user guide."));
    return;
  }
  QWhatsThis::showText(control->mapToGlobal(QPoint(control->width() / 2, control->height())), bubble, control);
}

bool WhatsThis::eventFilter(QObject* watched, QEvent* event) {
  auto* widget = qobject_cast<QWidget*>(watched);
  if (!widget) return false;
  if (event->type() == QEvent::Show && qobject_cast<QDialog*>(widget)) {
    widget->addAction(action(QStringLiteral("whats-this")));
  } else if (event->type() == QEvent::QueryWhatsThis) {
    event->setAccepted(!helpSentence(widget).isEmpty());
    return true;
  } else if (event->type() == QEvent::WhatsThis) {
    QWhatsThis::showText(static_cast<QHelpEvent*>(event)->globalPos(), helpBubble(widget), widget);
    return true;
  } else if (event->type() == QEvent::WhatsThisClicked) {
    if (!openGuide(static_cast<QWhatsThisClickedEvent*>(event)->href()))
      Q_EMIT missing(tr("The user guide is not installed. The package netwright-doc holds it."));
    return true;
  }
  return false;
}

}  // namespace nw::ui
