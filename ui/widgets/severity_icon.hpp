// SPDX-License-Identifier: GPL-3.0-or-later
// Octagon, triangle or circle: never colour alone; and any icon in one of the theme's colours.
#pragma once
#include <QPainter>
#include <QWidget>

#include "engine/compile/compile.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

class SeverityIcon : public QWidget {
 public:
  explicit SeverityIcon(Severity severity, QWidget* parent = nullptr) : QWidget(parent), severity_(severity) {
    setFixedSize(16, 16);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    const Theme& t = theme();
    if (severity_ == Severity::error)
      paintIcon(p, QStringLiteral("alert-octagon"), rect(), t.error);
    else if (severity_ == Severity::warning)
      paintIcon(p, QStringLiteral("alert-triangle"), rect(), t.warn);
    else
      paintIcon(p, QStringLiteral("info"), rect(), t.text3);
  }

 private:
  Severity severity_;
};

class PlainIcon : public QWidget {
 public:
  PlainIcon(QString name, QColor Theme::*colour, QWidget* parent = nullptr)
      : QWidget(parent), name_(std::move(name)), colour_(colour) {
    setFixedSize(16, 16);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    paintIcon(p, name_, rect(), theme().*colour_);
  }

 private:
  QString name_;
  QColor Theme::*colour_;
};

}  // namespace nw::ui
