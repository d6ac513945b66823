// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold on every screen, in every language, theme and scale. Each rule returns one line for each fault.
#pragma once
#include <QImage>
#include <QStringList>

#include "tests/gallery/painted_text.hpp"

namespace nw::ui {

/// Controls that are lower or narrower than 24 pixels.
QStringList smallControls(const QWidget& window);
/// Texts that are drawn over each other.
QStringList overlappingTexts(const QList<PaintedText>& texts);
/// Texts of which the widget that draws them, or its painter's clip, cuts off a part. What scrolls may be cut off.
QStringList cutTexts(const QWidget& window, const QList<PaintedText>& texts);
/// Texts that end in "…" without a tool tip there that says the whole. Asks for tool tips, as a resting mouse does.
QStringList elidedTexts(QWidget& window, const QList<PaintedText>& texts);
/// Texts with a contrast under 4.5:1, large ones under 3:1. Disabled controls are exempt (WCAG 2.1, "inactive").
QStringList paleTexts(const QList<PaintedText>& texts, const QImage& picture);
/// Latin words that are neither names nor units, where the language is Chinese.
QStringList untranslatedTexts(const QList<PaintedText>& texts);

/// All of them, and the layout's rules that the monkey has (layoutFaults()).
QStringList screenFaults(QWidget& window, const QList<PaintedText>& texts, const QImage& picture, bool chinese);

}  // namespace nw::ui
