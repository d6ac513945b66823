// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/overlays/breadcrumbs.hpp"

#include <QPainter>

#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

Breadcrumbs::Breadcrumbs(QWidget* parent) : QWidget(parent), row_(new QHBoxLayout(this)) {
  setObjectName(QStringLiteral("breadcrumbs"));
  row_->setContentsMargins(6, 4, 12, 4);
  row_->setSpacing(2);
}

void Breadcrumbs::setPath(const QStringList& parts) {
  while (QLayoutItem* item = row_->takeAt(0)) {
    if (QWidget* old = item->widget()) {
      old->hide();  // it exists until control returns to the event loop
      old->deleteLater();
    }
    delete item;
  }
  for (int i = 0; i < parts.size(); ++i) {
    if (i > 0) row_->addWidget(makeLabel(QStringLiteral("›"), 3, static_cast<int>(TextRole::body), this));
    if (i + 1 == parts.size()) {
      row_->addSpacing(6);
      row_->addWidget(makeLabel(parts[i], 1, static_cast<int>(TextRole::button), this));
      continue;
    }
    QPushButton* back = makeButton(parts[i], ButtonKind::ghost, {}, this);
    back->setAccessibleName(tr("Back to %1").arg(parts[i]));
    connect(back, &QPushButton::clicked, this, [this, i] { Q_EMIT chosen(i); });
    row_->addWidget(back);
  }
  if (parts.size() > 1) {
    row_->addSpacing(14);
    row_->addWidget(
        makeLabel(tr("Changes here apply to every instance"), 3, static_cast<int>(TextRole::secondary), this));
  }
  adjustSize();
}

void Breadcrumbs::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(theme().border2, 1));
  p.setBrush(theme().overlay);
  p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius::group, radius::group);
}

}  // namespace nw::ui
