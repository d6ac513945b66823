// SPDX-License-Identifier: GPL-3.0-or-later
// What would be written for the system there: script or manifest, and the recipe of an image; to copy and to save.
#pragma once
#include <QWidget>
#include <vector>

#include "engine/submit/target.hpp"

class QPlainTextEdit;
class QPushButton;

namespace nw::ui {

class SegmentedControl;

class WrittenView : public QWidget {
  Q_OBJECT
 public:
  explicit WrittenView(QWidget* parent = nullptr);
  /// Shows the files, of which the one that was shown stays in front; none: the buttons are off.
  void show(std::vector<submit::WrittenFile> files);
  QString text() const;

 Q_SIGNALS:
  void saveFailed(const QString& sentence);

 private:
  void showFile(int index);
  void copy();
  void save();
  std::vector<submit::WrittenFile> files_;
  SegmentedControl* names_ = nullptr;
  QWidget* head_;
  QPlainTextEdit* text_;
  QPushButton *copy_, *save_;
};

}  // namespace nw::ui
