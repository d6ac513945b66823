// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences › Keyboard: every command with its keys, a field to search them, and a field that takes new ones.
#pragma once
#include <QLineEdit>
#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace nw::ui {

/// Shows the keys that are pressed in it. Tab goes on, Enter and Esc are left to others.
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
  /// The row of that command is chosen.
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
