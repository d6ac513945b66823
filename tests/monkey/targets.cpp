// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/targets.hpp"

#include <QApplication>

#include "tests/support/canvas_positions.hpp"

namespace nw::ui {
namespace {

bool hits(QWidget& widget, QPoint at) {
  const QWidget* hit = widget.window()->childAt(widget.mapTo(widget.window(), at));
  if (!hit) return widget.isWindow() && widget.rect().contains(at);
  return hit == &widget || widget.isAncestorOf(hit);
}

}  // namespace

QWidget* topWindow(QWidget& main) {
  if (QWidget* popup = QApplication::activePopupWidget()) return popup;
  if (QWidget* modal = QApplication::activeModalWidget()) return modal;
  QWidget* active = QApplication::activeWindow();
  return active && active->isVisible() ? active : &main;
}

QVector<QWidget*> reachable(QWidget& window) {
  QVector<QWidget*> found;
  for (QWidget* w : window.findChildren<QWidget*>())
    if (w->window() == &window && w->isVisible() && w->isEnabled() && !w->rect().isEmpty() &&
        !w->testAttribute(Qt::WA_TransparentForMouseEvents) && hits(*w, w->rect().center()))
      found << w;
  if (found.isEmpty()) found << &window;
  return found;
}

QPoint positionIn(QWidget& widget, std::uint32_t n) {
  const int columns = std::min(widget.width(), 16), rows = std::min(widget.height(), 16);
  for (std::uint32_t i = 0; i < 8; ++i) {
    const std::uint32_t k = n + i * 7919;
    const QPoint at((static_cast<int>(k % columns) * 2 + 1) * widget.width() / (2 * columns),
                    (static_cast<int>(k / columns % rows) * 2 + 1) * widget.height() / (2 * rows));
    if (hits(widget, at)) return at;
  }
  return hits(widget, widget.rect().center()) ? widget.rect().center() : QPoint(-1, -1);
}

QVector<QPoint> canvasPositions(const GraphView& view) {
  QVector<QPoint> found;
  const auto add = [&](QPoint at) {
    if (view.viewport()->rect().contains(at)) found << at;
  };
  for (const auto& [id, item] : view.graph().elements().nodes()) {
    add(nodePosition(view, id));
    add(portPosition(view, id, true));
    add(portPosition(view, id, false));
  }
  return found;
}

}  // namespace nw::ui
