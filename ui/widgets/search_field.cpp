// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search_field.hpp"

#include <QPainter>

#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

SearchField::SearchField(const QString& prompt, const QString& key, QWidget* parent) : QLineEdit(parent), key_(key) {
  setClearButtonEnabled(true);
  addAction(icon(QStringLiteral("search"), true), LeadingPosition);
  setPrompt(prompt);
}

void SearchField::setPrompt(const QString& prompt) {
  setPlaceholderText(prompt);
  setAccessibleName(prompt);
}

void SearchField::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  if (key_.isEmpty() || !text().isEmpty() || hasFocus()) return;
  const Theme& t = theme();
  QPainter p(this);
  const QFont small = ui::font(TextRole::small);
  const qreal width = QFontMetricsF(small).horizontalAdvance(key_) + 12;
  const QRectF pill(this->width() - width - 7, (height() - 18) / 2.0, width, 18);
  style::box(p, pill, radius::mark + 1, t.window, t.border2);
  p.setFont(small);
  p.setPen(t.text3);
  p.drawText(pill, Qt::AlignCenter, key_);
}

}  // namespace nw::ui
