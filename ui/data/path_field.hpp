// SPDX-License-Identifier: GPL-3.0-or-later
// A line with a path and a button that chooses one; files and folders can be dropped on it.
#pragma once
#include <QWidget>

class QLineEdit;

namespace nw::ui {

class PathField : public QWidget {
  Q_OBJECT
 public:
  PathField(bool folder, const QString& placeholder, QWidget* parent = nullptr);
  QString path() const;
  void setPath(const QString& path);

 Q_SIGNALS:
  void pathChanged(const QString& path);  // after choosing, dropping, or the end of typing

 protected:
  void dragEnterEvent(QDragEnterEvent*) override;
  void dropEvent(QDropEvent*) override;

 private:
  void choose();
  void take(const QString& path);
  bool folder_;
  QLineEdit* line_;
  QString last_;
};

}  // namespace nw::ui
