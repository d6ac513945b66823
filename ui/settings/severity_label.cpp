// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/severity_label.hpp"

#include <QEvent>

#include "ui/theme/theme.hpp"

namespace nw::ui {

SeverityLabel::SeverityLabel(Tone tone, QWidget* parent) : QLabel(parent), tone_(tone) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setFont(ui::font(TextRole::secondary));
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  recolour();
  hide();
}

void SeverityLabel::say(const QString& sentence) {
  setText(sentence);
  setVisible(!sentence.isEmpty());
}

void SeverityLabel::setSeverity(Tone tone) {
  tone_ = tone;
  recolour();
}

void SeverityLabel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::ApplicationPaletteChange) recolour();
  QLabel::changeEvent(event);
}

void SeverityLabel::recolour() {
  const Theme& t = theme();
  QPalette palette;
  palette.setColor(QPalette::WindowText, tone_ == Tone::error ? t.error : tone_ == Tone::warn ? t.warn : t.text2);
  setPalette(palette);
}

}  // namespace nw::ui
