// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold after every step.
#pragma once
#include <QStringList>

#include "ui/shell/window/application.hpp"

namespace nw::ui {

/// Empty, or one sentence: something is selected that the document or the canvas does not have.
QString brokenSelection(WindowHost& host);
/// Undoes every edit and redoes it; empty, or one sentence if the document's bytes differ.
QString brokenUndo(WindowHost& host);
/// One line for each text that is cut off without a tool tip, each control outside its window, and each control that
/// another one covers. Only for a window without an open menu or dialog.
QStringList layoutFaults(QWidget& window);

/// Buttons, fields, lists to choose from.
bool isInputControl(const QWidget* w);
/// Its text, class and name with those of the widgets that hold it, for messages.
QString describedWidget(const QWidget* w);

}  // namespace nw::ui
