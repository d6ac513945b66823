// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+Shift+P: finds every command of the window by letters of its name and shows its shortcut; no command needs the
// mouse.
#pragma once
#include <QWidget>

class QAction;
class QLineEdit;
class QListWidget;

namespace nw::ui {

/// How well `query` fits `text`: letters in order; higher is better, 0: not at all. Starts of words count more.
int fuzzyScore(const QString& query, const QString& text);

class CommandPalette : public QWidget {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* window);
  void openFor(const QPoint& topCentre);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent*) override;

 private:
  void fill();
  void run();
  QLineEdit* field_;
  QListWidget* list_;
};

}  // namespace nw::ui
