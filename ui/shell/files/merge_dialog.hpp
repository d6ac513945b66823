// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the changes of another project into the open one, given the project that both began with. What both changed
// differently is left to the user as problems of their layers.
#pragma once
#include <QDialog>

#include "engine/design/merge.hpp"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace nw::ui {

class Session;

class MergeDialog : public QDialog {
  Q_OBJECT
 public:
  explicit MergeDialog(Session& session, QWidget* parent = nullptr);

 protected:
  void accept() override;

 private:
  void build();
  QLineEdit* addFile(QGridLayout& grid, int row, const QString& label, const char* object, const QString& help);
  void refuse(const QString& sentence);
  void take(const Merge& merged);

  Session& session_;
  QLineEdit *theirs_ = nullptr, *base_ = nullptr;
  QLabel* note_;
  QPushButton* merge_;
};

}  // namespace nw::ui
