// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences › Keyboard: every command with its shortcuts, a search field, and a field for new shortcuts.
#pragma once
#include <QLineEdit>
#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace nw::ui {

/// Shows the keys pressed in it. Tab moves the focus; Enter and Esc are not handled.
class KeyField : public QLineEdit {
  Q_OBJECT
 public:
  explicit KeyField(QWidget* parent = nullptr);
  QKeySequence keys() const { return keys_; }
  void setKeys(const QKeySequence& keys);

 Q_SIGNALS:
  void pressed();

 protected:
  bool event(QEvent*) override;

 private:
  QKeySequence keys_;
};

class ShortcutsPage : public QWidget {
  Q_OBJECT
 public:
  explicit ShortcutsPage(QWidget* parent = nullptr);
  /// Selects the row of that command.
  void choose(const QString& id);

 private:
  QWidget* makeEditor();
  void fill();
  QString current() const;
  void weigh();
  void assign();
  QLineEdit* search_;
  QTreeWidget* list_;
  KeyField* field_;
  QLabel* says_;
  QPushButton *assign_, *none_, *reset_, *all_;
};

}  // namespace nw::ui
