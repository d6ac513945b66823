// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/severity_label.hpp"

#include <QEvent>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr QChar line_may_end_here(0x200B);  // zero-width space
constexpr int longest_part = 12;            // of a word

/// QLabel wraps between words only; Chinese, which has none, it wraps by its own rules.
QString breakable(const QString& sentence) {
  QString parts;
  int letters = 0;
  for (const QChar c : sentence) {
    letters = c.isSpace() || c.unicode() >= 0x2E80 ? 0 : letters + 1;
    if (letters > longest_part && !c.isMark()) parts += line_may_end_here;
    parts += c;
  }
  return parts;
}

}  // namespace

SeverityLabel::SeverityLabel(Tone tone, QWidget* parent) : QLabel(parent), tone_(tone) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setFont(ui::font(TextRole::secondary));
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  recolour();
  hide();
}

void SeverityLabel::say(const QString& sentence) {
  sentence_ = sentence;
  setText(breakable(sentence));
  setAccessibleName(sentence);
  setVisible(!sentence.isEmpty());
}

void SeverityLabel::setSeverity(Tone tone) {
  tone_ = tone;
  recolour();
}

void SeverityLabel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange) recolour();
  QLabel::changeEvent(event);
}

void SeverityLabel::recolour() {
  const Theme& t = theme();
  const QColor ink = tone_ == Tone::error    ? t.error
                     : tone_ == Tone::warn   ? t.warn
                     : tone_ == Tone::accent ? t.accentText
                                             : t.text2;
  if (palette().color(QPalette::WindowText) == ink) return;  // a palette that is set changes the palette
  QPalette other;
  other.setColor(QPalette::WindowText, ink);
  setPalette(other);
}

}  // namespace nw::ui
