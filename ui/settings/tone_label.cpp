// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/tone_label.hpp"

#include <QEvent>

#include "ui/theme/theme.hpp"

namespace nw::ui {

ToneLabel::ToneLabel(Tone tone, QWidget* parent) : QLabel(parent), tone_(tone) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setFont(ui::font(TextRole::secondary));
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  recolour();
  hide();
}

void ToneLabel::say(const QString& sentence) {
  setText(sentence);
  setVisible(!sentence.isEmpty());
}

void ToneLabel::setTone(Tone tone) {
  tone_ = tone;
  recolour();
}

void ToneLabel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::ApplicationPaletteChange) recolour();
  QLabel::changeEvent(event);
}

void ToneLabel::recolour() {
  const Theme& t = theme();
  QPalette palette;
  palette.setColor(QPalette::WindowText, tone_ == Tone::error ? t.error : tone_ == Tone::warn ? t.warn : t.text2);
  setPalette(palette);
}

}  // namespace nw::ui
