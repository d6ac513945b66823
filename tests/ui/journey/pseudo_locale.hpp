// SPDX-License-Identifier: GPL-3.0-or-later
// A language that nobody speaks, made of the English texts: accents over and under the letters, two fifths longer.
// Whoever reads the window in it sees at once what is not translated, too small or cut off.
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

/// One line for each visible text below `root` that has less room than it needs.
QStringList clippedTexts(QWidget* root);

}  // namespace nw::ui
