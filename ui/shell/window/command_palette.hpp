// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette: whatever fits the typed letters, with its shortcut or kind; no command needs the mouse.
#pragma once
#include <QWidget>
#include <vector>

#include "ui/shell/window/palette_entries.hpp"

class QLineEdit;
class QListWidget;

namespace nw::ui {

/// How well `query` fits `text`: letters in order; higher is better, 0: not at all. Starts of words count more.
int fuzzyScore(const QString& query, const QString& text);

class CommandPalette : public QWidget {
  Q_OBJECT
 public:
  CommandPalette(PaletteEntries& source, QWidget* window);
  void openFor(const QPoint& topCentre);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent*) override;

 private:
  void fill();
  void refill();
  void run();
  int rowAfter(int key) const;
  PaletteEntries& source_;
  std::vector<PaletteEntry> entries_;
  QLineEdit* field_;
  QListWidget* list_;
};

}  // namespace nw::ui
