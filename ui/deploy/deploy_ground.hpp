// SPDX-License-Identifier: GPL-3.0-or-later
// Small parts that the tabs share: an area of one of the theme's colours, painted so that a change of theme needs
// nothing else, and a pill whose state changes.
#pragma once
#include <QLayout>
#include <QPainter>
#include <QWidget>

#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

class DeployGround : public QWidget {
 public:
  explicit DeployGround(QColor Theme::*colour, QWidget* parent = nullptr) : QWidget(parent), colour_(colour) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    p.fillRect(rect(), theme().*colour_);
    p.fillRect(0, height() - 1, width(), 1, theme().border1);
  }

 private:
  QColor Theme::*colour_;
};

/// Shows one pill at `place`, which has a layout. What was there is hidden at once: it is destroyed after the event.
inline void showPill(QWidget& place, const QString& text, const QString& tone) {
  for (auto* old : place.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) old->hide();
  clearLayout(place.layout());
  place.layout()->addWidget(makePill(text, tone, &place));
}

}  // namespace nw::ui
