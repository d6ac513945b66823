// SPDX-License-Identifier: GPL-3.0-or-later
// Below a field whose text was refused: the reason, and a button that takes what is nearest to the text.
#pragma once
#include <QWidget>

class QPushButton;

namespace nw::ui {

class NumberSpin;
class SeverityLabel;

class RefusalNote : public QWidget {
  Q_OBJECT
 public:
  explicit RefusalNote(QWidget* parent = nullptr);
  /// Shows the sentence, and the button unless `nearest` is empty.
  void say(const QString& sentence, const QString& nearest);
  void clear() { say({}, {}); }
  /// Shows what the field refuses; the button replaces its text.
  void follow(NumberSpin& spin);
  QString sentence() const;
  QPushButton& useNearest() { return *use_; }

 Q_SIGNALS:
  void nearestWanted(const QString& nearest);

 private:
  SeverityLabel* reason_;
  QPushButton* use_;
  QString nearest_;
};

}  // namespace nw::ui
