// SPDX-License-Identifier: GPL-3.0-or-later
// The network as text, synchronized both ways: edits of the canvas update the text, typed text updates the canvas after
// a pause; a line with an error shows the reason and leaves the network unchanged.
#pragma once
#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>

#include "engine/design/text_form.hpp"

class QLabel;

namespace nw::ui {

class Canvas;

class TextPane : public QWidget {
  Q_OBJECT
 public:
  explicit TextPane(Canvas& canvas, QWidget* parent = nullptr);
  QPlainTextEdit& editor() { return *editor_; }
  const std::vector<TextFault>& faults() const { return faults_; }
  /// Applies the typed text now instead of after a pause.
  void takeOver();

 protected:
  void showEvent(QShowEvent*) override;
  void changeEvent(QEvent*) override;
  bool eventFilter(QObject*, QEvent*) override;

 private:
  void write();  // from the document
  void followDocument();
  void followSelection();
  void showFaults();

  Canvas& canvas_;
  QPlainTextEdit* editor_;
  QLabel* word_;
  QTimer pause_;
  std::vector<TextFault> faults_;
  QString written_;  // the text when text and network were last equal
  bool busy_ = false, stale_ = true;
};

}  // namespace nw::ui
