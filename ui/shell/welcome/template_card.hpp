// SPDX-License-Identifier: GPL-3.0-or-later
// One template on the Welcome page: diagram, purpose, cost. Hover or focus shows the two
// actions.
#pragma once
#include <QWidget>

#include "ui/shell/welcome/miniature.hpp"

class QPushButton;

namespace nw::ui {

class TemplateCard : public QWidget {
  Q_OBJECT
 public:
  /// `data`: the template's data set; empty: the user must choose a folder of images before training.
  TemplateCard(const QString& name, const QString& title, const QString& summary, const QString& data,
               QWidget* parent = nullptr);
  QString name() const { return name_; }
  QString searchText() const { return name_ + u' ' + title_ + u' ' + summary_ + u' ' + data_; }
  void setMiniature(const Miniature& miniature);
  QSize sizeHint() const override { return {360, 300}; }
  QSize minimumSizeHint() const override { return {250, 250}; }

 Q_SIGNALS:
  void openRequested();
  void trainRequested();

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void enterEvent(QEnterEvent*) override;
  void leaveEvent(QEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  bool eventFilter(QObject*, QEvent*) override;

 private:
  QRectF preview() const;
  void showButtons();
  QString name_, title_, summary_, data_;
  Miniature miniature_;
  bool known_ = false, ready_;
  QPushButton *train_, *open_;
};

/// The dashed card that starts an empty project.
class EmptyCard : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyCard(QWidget* parent = nullptr);
  QSize sizeHint() const override { return {360, 300}; }

 Q_SIGNALS:
  void asked();

 protected:
  void paintEvent(QPaintEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
};

}  // namespace nw::ui
