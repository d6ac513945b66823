// SPDX-License-Identifier: GPL-3.0-or-later
// A line to search in: magnifier, clear button, and the key that focuses it.
#pragma once
#include <QLineEdit>

namespace nw::ui {

class SearchField : public QLineEdit {
  Q_OBJECT
 public:
  /// `key` ("/") is shown at the right while the line is empty and without focus; empty: none.
  explicit SearchField(const QString& prompt, const QString& key = {}, QWidget* parent = nullptr);
  /// Placeholder and accessible name.
  void setPrompt(const QString& prompt);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QString key_;
};

}  // namespace nw::ui
