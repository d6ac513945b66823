// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>

namespace nw::ui {

/// Plain text, wrapped, in the colour of an error, a warning, the accent or quiet text; follows a change of theme. A
/// long word, such as a path or a name that was typed, is wrapped too: the label never makes its panel wider.
class SeverityLabel : public QLabel {
  Q_OBJECT
 public:
  enum class Tone { quiet, accent, warn, error };
  explicit SeverityLabel(Tone tone, QWidget* parent = nullptr);
  /// Hidden while the text is empty.
  void say(const QString& sentence);
  const QString& sentence() const { return sentence_; }
  void setSeverity(Tone tone);

 protected:
  void changeEvent(QEvent*) override;

 private:
  void recolour();
  Tone tone_;
  QString sentence_;
};

}  // namespace nw::ui
