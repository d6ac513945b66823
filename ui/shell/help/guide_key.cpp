// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/guide_key.hpp"

#include <QApplication>
#include <QDialog>
#include <QEvent>

#include "ui/page/page.hpp"
#include "ui/shell/help/guide_pages.hpp"

namespace nw::ui {

GuideKey::GuideKey(QObject* parent) : QObject(parent) {
  connect(action(QStringLiteral("user-guide")), &QAction::triggered, this, &GuideKey::open);
  qApp->installEventFilter(this);
}

bool GuideKey::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show)
    if (auto* dialog = qobject_cast<QDialog*>(watched)) dialog->addAction(action(QStringLiteral("user-guide")));
  return QObject::eventFilter(watched, event);
}

void GuideKey::open() {
  const QWidget* where = QApplication::focusWidget() ? QApplication::focusWidget() : QApplication::activeWindow();
  if (!openGuide(guidePageOf(where)))
    Q_EMIT missing(tr("The user guide is not installed. The package netwright-doc holds it."));
}

}  // namespace nw::ui
