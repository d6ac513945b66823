// SPDX-License-Identifier: GPL-3.0-or-later
// The network as text, synchronized both ways: edits of the canvas update the text, typed text updates the canvas after
// a pause; a line with an error shows the reason and leaves the network unchanged. Text that the network has not taken
// over is never replaced: where the network changes meanwhile, the user chooses between the two.
#pragma once
#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>
#include <map>
#include <string>

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
  /// Text was typed that the network has not taken over.
  bool isPending() const;

 protected:
  void showEvent(QShowEvent*) override;
  void changeEvent(QEvent*) override;
  bool eventFilter(QObject*, QEvent*) override;

 private:
  /// Text of one scope that the network has not taken over, and the text it was typed into.
  struct Draft {
    QString text, base;
  };
  void build();
  QWidget* buildChoice();
  void follow();
  void write(const QString& text);
  void replaceText(const QString& text);
  void typed();
  void enterScope();
  void takeNetworks();
  void keepMine();
  QString networkText() const;
  void selectLine();
  void followSelection();
  void showFaults();

  Canvas& canvas_;
  QPlainTextEdit* editor_;
  QLabel* word_;
  QTimer pause_;
  std::vector<TextFault> faults_;
  QWidget* choice_ = nullptr;  // while both the text and the network have changed
  std::string scope_;
  std::map<std::string, Draft> drafts_;  // of scopes that are not shown
  QString written_;                      // the text when text and network were last equal
  bool busy_ = false, stale_ = true;
  bool newHistory_ = true;   // the editor's undo does not reach into the text shown until now
  bool restorable_ = false;  // the editor's undo brings back what was typed before the network's text was taken
};

}  // namespace nw::ui
