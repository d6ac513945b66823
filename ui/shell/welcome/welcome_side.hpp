// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the Welcome page's left column.
#pragma once
#include <QAbstractButton>
#include <QWidget>

#include "ui/session/recovery.hpp"

class QAction;
class QLabel;
class QLayout;

namespace nw::ui {

class WelcomeSide : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override;
};

/// Logo, name, purpose.
class Brand : public QWidget {
 public:
  explicit Brand(QWidget* parent);

 protected:
  void paintEvent(QPaintEvent*) override;
};

class ThinLine : public QWidget {
 public:
  explicit ThinLine(QWidget* parent);

 protected:
  void paintEvent(QPaintEvent*) override;
};

/// A command as a row: icon, text, key.
class CommandRow : public QAbstractButton {
 public:
  CommandRow(QAction& action, QWidget* parent);
  QSize sizeHint() const override { return {300, 38}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QAction& action_;
};

class RecoveredRow : public QWidget {
  Q_OBJECT
 public:
  explicit RecoveredRow(const RecoveredProject& project, QWidget* parent = nullptr);

 Q_SIGNALS:
  void openRequested();
  void discardRequested();
};

QLabel* sideTitle(const QString& text);

}  // namespace nw::ui
