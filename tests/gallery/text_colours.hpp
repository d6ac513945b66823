// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of words and of what they lie on, by the names that the theme gives them, and how well the two differ.
#pragma once
#include <QImage>

#include "tests/gallery/painted_text.hpp"

namespace nw::ui {

/// The theme's name for a colour ("text2", "raised", "group Pooling"); empty: it has none.
QString tokenOf(const QColor& colour);

/// What a text lies on, in the picture of its window.
struct Ground {
  QColor colour;
  bool plain = false;  // one colour fills most of what letters leave free; not so on photos
};
Ground groundOf(const PaintedText& text, const QImage& picture);

/// Contrast of WCAG 2.1, 1.4.3, of letters with an ink that may be translucent.
double contrastOn(const QColor& ink, const QColor& ground);
/// Letters of 24 pixels, or bold ones of 18.66, need less contrast (WCAG 2.1, "large scale").
bool isLarge(const PaintedText& text);

}  // namespace nw::ui
