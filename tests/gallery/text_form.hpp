// SPDX-License-Identifier: GPL-3.0-or-later
// A screen as plain text: its widgets as a tree, one a line, with role, words, place, state and colours.
#pragma once
#include <QImage>
#include <QStringList>

#include "tests/gallery/painted_text.hpp"

namespace nw::ui {

/// Which figures of a screen differ from one computer to another.
enum class Figures {
  settled,  // those with a fraction or a unit of time, memory or speed are left out
  measured  // all are left out
};

/// Words without what differs between two computers or two days: dates, paths, measured figures.
QString masked(const QString& text, Figures figures);

/// "push-button "Train" @172,1+11x4 onAccent on accent"; places in units of 8 pixels, indented by depth.
QStringList textForm(QWidget& window, const QList<PaintedText>& texts, const QImage& picture, Figures figures);

/// The lines that differ, marked by "-" (expected) and "+"; places may differ by one unit.
QStringList differences(const QStringList& expected, const QStringList& shown);

}  // namespace nw::ui
