// SPDX-License-Identifier: GPL-3.0-or-later
// The card of one exporter: file, state, figures, buttons. Return shows its proof, E exports, P proves again. GUI
// thread.
#pragma once
#include <QFrame>

#include "ui/deploy/export_item.hpp"

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace nw::ui {

class ExportCard : public QFrame {
  Q_OBJECT
 public:
  explicit ExportCard(const NetworkFormat& format, QWidget* parent = nullptr);
  void setItem(const ExportItem& item, ExportState state);
  void setChosen(bool chosen);
  QString format() const;
  ExportState state() const { return state_; }

 Q_SIGNALS:
  void chosen(const QString& format);
  void exportRequested(const QString& format);
  void stopRequested(const QString& format);
  void checkRequested(const QString& format);
  void showRequested(const QString& format);

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  void focusInEvent(QFocusEvent*) override;

 private:
  QWidget* makeHead();
  QWidget* makeState();
  QWidget* makeFigures();
  QWidget* makeButtons();
  void showState(const ExportItem& item);
  void exportOrStop();
  const NetworkFormat& format_;
  ExportState state_ = ExportState::none;
  bool chosen_ = false, filled_ = false;
  QLabel *file_, *detail_, *readers_;
  QWidget *figures_, *pill_;
  QVector<QLabel*> names_, values_;
  QProgressBar* bar_;
  QPushButton *export_, *show_, *proof_;
};

}  // namespace nw::ui
