// SPDX-License-Identifier: GPL-3.0-or-later
// A pseudo-locale made of the English texts: accented letters, two fifths longer. It makes untranslated, clipped and
// cramped texts visible.
#pragma once
#include <QTranslator>
#include <QWidget>

namespace nw::ui {

class PseudoLocale : public QTranslator {
 public:
  using QTranslator::QTranslator;
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* source, const char* hint, int n) const override;
  /// "Train" → "Ťŕåîñ··"; placeholders stay.
  static QString of(const QString& text);
};

/// Whether a text that is too long for its widget counts although the widget's tool tip holds it.
enum class WithToolTip { counts, is_fine };
/// One line for each visible text below `root` whose widget is too small for it.
QStringList clippedTexts(QWidget* root, WithToolTip withToolTip = WithToolTip::counts);

}  // namespace nw::ui
