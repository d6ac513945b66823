// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panes.hpp"

#include <QApplication>
#include <algorithm>

namespace nw::ui {

namespace {
constexpr const char* mark = "nwPane";

bool takesFocus(const QWidget& w) {
  return w.isVisible() && w.isEnabled() && (w.focusPolicy() & Qt::TabFocus) && !w.focusProxy();
}

/// The focus chain holds a pane's controls in the order of Tab.
QWidget* firstControl(QWidget& pane) {
  if (takesFocus(pane)) return &pane;
  for (QWidget* w = pane.nextInFocusChain(); w && w != &pane; w = w->nextInFocusChain())
    if (pane.isAncestorOf(w) && takesFocus(*w)) return w;
  return nullptr;
}
}  // namespace

void makePane(QWidget& widget) { widget.setProperty(mark, true); }

QVector<QWidget*> panesOf(const QWidget& page) {
  QVector<QWidget*> panes;
  for (QWidget* w : page.findChildren<QWidget*>())
    if (w->property(mark).toBool() && w->isVisible()) panes.append(w);
  std::sort(panes.begin(), panes.end(), [&](const QWidget* a, const QWidget* b) {
    const QPoint p = a->mapTo(&page, QPoint()), q = b->mapTo(&page, QPoint());
    return p.x() != q.x() ? p.x() < q.x() : p.y() < q.y();
  });
  return panes;
}

void focusNextPane(const QWidget& page) {
  const QVector<QWidget*> panes = panesOf(page);
  const QWidget* focus = QApplication::focusWidget();
  const auto here = std::find_if(panes.begin(), panes.end(), [&](const QWidget* pane) {
    return focus && (pane == focus || pane->isAncestorOf(focus));
  });
  const qsizetype from = here == panes.end() ? -1 : here - panes.begin();
  for (qsizetype i = 1; i <= panes.size(); ++i) {
    QWidget* pane = panes[(from + i) % panes.size()];
    QWidget* last = pane->focusWidget();
    if (QWidget* to = last && takesFocus(*last) ? last : firstControl(*pane)) return to->setFocus(Qt::TabFocusReason);
  }
}

}  // namespace nw::ui
