// SPDX-License-Identifier: GPL-3.0-or-later
// Octagon, triangle or circle: never colour alone.
#pragma once
#include <QPainter>
#include <QWidget>

#include "engine/compile/compile.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

class SeverityIcon : public QWidget {
 public:
  explicit SeverityIcon(Severity severity, QWidget* parent = nullptr) : QWidget(parent), severity_(severity) { setFixedSize(16, 16); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    const Theme& t = theme();
    if (severity_ == Severity::error) paintIcon(p, QStringLiteral("alert-octagon"), rect(), t.error);
    else if (severity_ == Severity::warning) paintIcon(p, QStringLiteral("alert-triangle"), rect(), t.warn);
    else paintIcon(p, QStringLiteral("info"), rect(), t.text3);
  }

 private:
  Severity severity_;
};

}  // namespace nw::ui
