// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/health_pill.hpp"

#include <QPainter>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/severity_style.hpp"

namespace nw::ui {

namespace {
constexpr int pill_height = 24, pill_sides = 8, arrow = 11;
}

HealthPill::HealthPill(QWidget* parent) : QAbstractButton(parent) {
  setObjectName(QStringLiteral("healthPill"));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setToolTip(tr("What the training doctor found"));
  hide();
}

void HealthPill::say(const QString& text, const QString& tone) {
  tone_ = tone;
  setText(text);
  setAccessibleName(tr("Health of the run: %1").arg(text));
  setVisible(!text.isEmpty());
  updateGeometry();
  adjustSize();
  update();
}

QSize HealthPill::sizeHint() const {
  return {static_cast<int>(textWidth(ui::font(TextRole::button), text())) + 2 * pill_sides + arrow + 4, pill_height};
}

void HealthPill::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(hasFocus() ? QPen(theme().ring, 1.5) : underMouse() ? QPen(severityColour(tone_), 1) : QPen(Qt::NoPen));
  p.setBrush(severityBackground(tone_));
  p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::pill, radius::pill);
  p.setFont(ui::font(TextRole::button));
  p.setPen(severityColour(tone_));
  p.drawText(rect().adjusted(pill_sides, 0, -pill_sides - arrow, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
  paintIcon(p, QStringLiteral("chevron-down"),
            QRectF(width() - pill_sides - arrow, (height() - arrow) / 2.0, arrow, arrow), severityColour(tone_));
}

}  // namespace nw::ui
