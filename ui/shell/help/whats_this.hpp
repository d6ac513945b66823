// SPDX-License-Identifier: GPL-3.0-or-later
// "What's this?" on every control: one sentence, and the page of the user guide that belongs to it. Shift+F1 explains
// the control that has the focus; the command "point-for-help" (and the "?" of a dialog's title bar, where the desktop
// has one) the control that is clicked. GUI thread.
#pragma once
#include <QObject>
#include <QString>

class QWidget;

namespace nw::ui {

/// The sentence about the control: its own text (QWidget::whatsThis), that of its row or field, that of the tables
/// (whats_this_table.hpp), or its tool tip where that says more than its name. Empty: nothing is known.
QString helpSentence(const QWidget* control);
/// The control that a widget belongs to: a spin box for the field inside it.
const QWidget* controlOf(const QWidget* part);
/// The sentence and the link, as the bubble shows them.
QString helpBubble(const QWidget* control);

/// Answers for every window of the program.
class WhatsThis : public QObject {
  Q_OBJECT
 public:
  explicit WhatsThis(QObject* parent);

 Q_SIGNALS:
  /// Nothing could be explained or opened, with the sentence for the user.
  void missing(const QString& sentence);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void explainFocus();
};

}  // namespace nw::ui
