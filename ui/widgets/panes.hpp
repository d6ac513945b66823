// SPDX-License-Identifier: GPL-3.0-or-later
// F6 goes round the panes of a page: palette, canvas, settings, problems. GUI thread.
#pragma once
#include <QVector>
#include <QWidget>

namespace nw::ui {

/// Makes `widget` one of the panes that F6 cycles through.
void makePane(QWidget& widget);
/// The visible panes of `page`, from left to right and from top to bottom.
QVector<QWidget*> panesOf(const QWidget& page);
/// Gives the focus to the next pane (to the first from outside): to what had it there last, or to its first control.
void focusNextPane(const QWidget& page);

}  // namespace nw::ui
