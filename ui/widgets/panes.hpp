// SPDX-License-Identifier: GPL-3.0-or-later
// F6 cycles through the panes of a page: palette, canvas, settings, problems. GUI thread.
#pragma once
#include <QVector>
#include <QWidget>

namespace nw::ui {

/// Makes `widget` one of the panes that F6 cycles through.
void makePane(QWidget& widget);
/// The visible panes of `page`, from left to right and from top to bottom.
QVector<QWidget*> panesOf(const QWidget& page);
/// Gives the focus to the next pane (from outside to the first): to the control focused last there, or to the first
/// control.
void focusNextPane(const QWidget& page);

}  // namespace nw::ui
